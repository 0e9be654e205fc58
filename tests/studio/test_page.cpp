// The page in the real Chromium, as a user works with it.

#include "studio/browser.h"
#include "support/program.h"
#include "unit/studio/tank.h"

namespace fondue {
namespace {

using namespace testing_support;

constexpr const char* shift = "\uE008";
constexpr const char* control = "\uE009";
constexpr const char* home = "\uE011";
constexpr const char* arrow_right = "\uE014";
constexpr const char* alt = "\uE00A";

/// Two materials that follow each other, and a collider with keys in frames.
constexpr const char* clips = R"([scene]
name = "clips"
dimension = 2
spacing = 0.1
[time]
duration = 1.0
frames_per_second = 20
[materials.water]
gravity = {}
fluid = {}
[materials.oil]
gravity = {}
fluid = {}
xsph = {}
[[objects]]
name = "column"
shape = { type = "box", min = [0, 0], max = [0.4, 0.8] }
materials = [
  { material = "water" },   # at first
  { material = "oil", from = "10 frames", fade = 0.1 },
]
[[colliders]]
name = "tank"
container = true
shape = { type = "box", min = [0, 0], max = [1.2, 1.2] }
[[colliders]]
name = "paddle"
shape = { type = "sphere", radius = 0.1 }
position = { frame = [0, 8], value = [[0.8, 0.2], [1.0, 0.2]] }
)";

/// A ball of water over a plate.
constexpr const char* ball = R"([scene]
name = "ball"
spacing = 0.06
[time]
duration = 0.2
frames_per_second = 50
[materials.water]
gravity = {}
fluid = {}
[[objects]]
name = "ball"
material = "water"
shape = { type = "sphere", centre = [0, 0, 0.5], radius = 0.3 }
[[colliders]]
name = "plate"
shape = { type = "box", min = [-0.5, -0.5, -0.05], max = [0.5, 0.5, 0] }
[picture]
width = 160
height = 90
)";

class Page : public testing::Test {
 protected:
  void SetUp() override {
    if (!installed("chromium") || !installed("chromedriver"))
      GTEST_SKIP() << "Chromium is not installed: apt-get install chromium chromium-driver";
    write_file(folder / "tank.toml", small_tank);
    write_file(folder / "clips.toml", clips);
    write_file(folder / "ball.toml", ball);
  }
  void open(const std::string& arguments_scene, int width = 1280, int height = 720, bool dark = false) {
    std::vector<std::string> words = {FONDUE_PROGRAM, "studio", "--no-browser"};
    if (!arguments_scene.empty()) words.push_back(arguments_scene);
    fs::remove(folder / "studio.log");
    program = std::make_unique<Companion>(words, folder / "studio.log", folder.path());
    address = program->line("http://127.0.0.1:");
    ASSERT_FALSE(address.empty()) << read_file(folder / "studio.log");
    browser =
        std::make_unique<Browser>(folder.path(), 20000 + static_cast<int>(::getpid() % 20000), width, height, dark);
    browser->go(address);
  }
  /// A number in the bytes of the shown picture that changes with it.
  std::string picture() { return browser->script("return document.getElementById('canvas').toDataURL()").dump(); }
  bool wait(const std::string& expression, double seconds = 60) { return browser->wait(expression, seconds); }
  static std::string frame_is(int frame) {
    return "document.getElementById('canvas').dataset.frame == '" + std::to_string(frame) + "'";
  }
  std::string frame_file(const std::string& take, int frame) { return read_file(folder / fmt_frame(take, frame)); }
  static std::string fmt_frame(const std::string& take, int frame) {
    std::string number = std::to_string(frame);
    return "out/studio/tank/" + take + "/frames/frame_" + std::string(6 - number.size(), '0') + number + ".h5";
  }
  bool text_has(const std::string& part) {
    return wait("document.getElementById('text').value.includes(" + json(part).dump() + ")");
  }
  /// Keeps a picture of the page for the eyes, where FONDUE_SCREENSHOTS says.
  void keep(const std::string& name) {
    if (const char* where = std::getenv("FONDUE_SCREENSHOTS")) browser->screenshot(fs::path(where) / (name + ".png"));
  }
  const TemporaryFolder folder;
  std::unique_ptr<Companion> program;
  std::unique_ptr<Browser> browser;
  std::string address;
};

TEST_F(Page, PlaysEditsBranchesSavesAndIsFoundAgain) {
  open("tank.toml");
  ASSERT_TRUE(wait("document.querySelectorAll('#timeline .key').length === 3"));
  ASSERT_TRUE(wait(frame_is(0)));

  // Play with the keyboard to the end.
  browser->press({" "});
  ASSERT_TRUE(wait(frame_is(10)));
  ASSERT_TRUE(wait("document.getElementById('play').getAttribute('aria-label') === 'Play'"));
  const std::string end = picture();
  keep("tank");

  // Scrub.
  browser->press({home});
  ASSERT_TRUE(wait(frame_is(0)));
  EXPECT_NE(picture(), end);
  browser->press({arrow_right});
  EXPECT_TRUE(wait(frame_is(1)));
  browser->drag("#timeline .knob", 400, 0);
  EXPECT_TRUE(wait("Number(document.getElementById('canvas').dataset.frame) > 2"));
  browser->click("#newest");
  ASSERT_TRUE(wait(frame_is(10)));

  // Drag the last key to the left: from there on the result differs, and nothing before it.
  const std::string early = frame_file("main", 3), late = frame_file("main", 10);
  ASSERT_FALSE(late.empty());
  browser->drag("#timeline .key[data-number='2']", -90, 0);
  ASSERT_TRUE(wait("!document.getElementById('changed').hidden"));
  ASSERT_TRUE(
      wait("Number(document.querySelector(\"#timeline .key[data-number='2']\").getAttribute('aria-valuenow')) < 0.4"));
  browser->press({" "});
  ASSERT_TRUE(wait(frame_is(10)));
  ASSERT_TRUE(wait("document.getElementById('play').getAttribute('aria-label') === 'Play'"));
  EXPECT_EQ(frame_file("main", 3), early);
  const std::string other = frame_file("main", 10);
  EXPECT_NE(other, late);

  // Undo and play: what it was. Redo.
  browser->press({control, "z"});
  ASSERT_TRUE(wait("document.getElementById('undo').disabled"));
  browser->press({" "});
  ASSERT_TRUE(wait(frame_is(10)));
  ASSERT_TRUE(wait("document.getElementById('play').getAttribute('aria-label') === 'Play'"));
  EXPECT_EQ(frame_file("main", 10), late);
  browser->press({control, shift, "z"});
  ASSERT_TRUE(wait("document.getElementById('redo').disabled"));

  // Branch from a frame, and compare side by side.
  browser->press({home});
  ASSERT_TRUE(wait(frame_is(0)));
  browser->press({arrow_right});
  ASSERT_TRUE(wait(frame_is(1)));
  browser->click("#branch");
  ASSERT_TRUE(wait("document.getElementById('take').value === 'branch-1'"));

  // Save with the keyboard: the comments are there, and the file runs to the frames that were seen.
  browser->script("const t = document.getElementById('take'); t.value = 'main'; t.dispatchEvent(new Event('change'))");
  ASSERT_TRUE(wait("document.getElementById('canvas').dataset.take === 'main'"));
  browser->press({control, "s"});
  ASSERT_TRUE(wait("document.getElementById('changed').hidden"));
  const std::string saved = read_file(folder / "tank.toml");
  EXPECT_NE(saved, small_tank);
  EXPECT_NE(saved.find("# It becomes sluggish."), std::string::npos);
  EXPECT_NE(saved.find("# three keys"), std::string::npos);
  EXPECT_EQ(shell("$FONDUE check tank.toml", folder.path()).code, 0);
  EXPECT_EQ(shell("$FONDUE run tank.toml --no-pictures --out out/alone", folder.path()).code, 0);
  EXPECT_EQ(read_file(folder / "out/alone/frames/frame_000010.h5"), other);

  // The page is found again as it was.
  browser->reload();
  ASSERT_TRUE(wait("document.getElementById('scene-name').textContent === 'tank'"));
  EXPECT_TRUE(wait("document.querySelectorAll('#timeline .key').length === 3"));
  EXPECT_TRUE(wait("document.getElementById('take').value === 'main'"));
}

TEST_F(Page, FieldsOfTheInspectorChangeTheSceneAndMistakesAreTold) {
  open("tank.toml");
  ASSERT_TRUE(wait("document.querySelector('#inspector #field-scene-spacing')"));
  const auto type = [&](const std::string& field, const std::string& text) {
    browser->script("const f = document.getElementById('" + field + "'); f.value = '" + text +
                    "'; f.dispatchEvent(new Event('change'))");
  };
  type("field-scene-spacing", "0.05");
  ASSERT_TRUE(wait("document.getElementById('text').value.includes('spacing = 0.05        # coarse')"));
  ASSERT_TRUE(wait("document.getElementById('status').textContent.includes('128 particles')"));
  type("field-scene-spacing", "-1");
  ASSERT_TRUE(wait("document.getElementById('messages').textContent.includes('line 5')"));
  EXPECT_TRUE(wait("document.getElementById('text').value.includes('spacing = 0.05        # coarse')"));
  type("field-scene-spacing", "8 cm");
  ASSERT_TRUE(wait("document.getElementById('text').value.includes('spacing = \"8 cm\"')"));
  // A name for every control, for those who do not see the page.
  EXPECT_EQ(
      browser->script("return [...document.querySelectorAll('#studio button, #studio input, #studio select, "
                      "#studio textarea, #studio canvas')].filter(e => !e.closest('[hidden]') && "
                      "!(e.getAttribute('aria-label') || e.textContent.trim() || (e.labels && e.labels.length) || "
                      "e.getAttribute('aria-hidden'))).map(e => e.outerHTML)"),
      json::array());
}

TEST_F(Page, TheGalleryOpensASceneThatPlays) {
  open("");
  ASSERT_TRUE(wait("document.querySelectorAll('#gallery button').length > 20"));
  ASSERT_TRUE(
      wait("[...document.querySelectorAll('#gallery img')].filter(i => i.complete && i.naturalWidth > 0).length > 3"));
  keep("gallery");
  browser->click("#gallery button[data-scene='candle']");
  EXPECT_TRUE(
      wait("document.getElementById('canvas').dataset.scene === 'candle' && "
           "Number(document.getElementById('canvas').dataset.time) > 0",
           20));
  if (std::getenv("FONDUE_SCREENSHOTS")) wait("Number(document.getElementById('canvas').dataset.frame) > 12", 40);
  keep("candle");
  // No part of the page is wider than the page.
  EXPECT_EQ(browser->script("return document.documentElement.scrollWidth <= innerWidth && "
                            "document.documentElement.scrollHeight <= innerHeight"),
            true);
}

/// Materials as clips with fades, keys that are written in frames: drawn, dragged, added, removed, undone.
TEST_F(Page, ClipsAndKeysInFramesAreDrawnAndEdited) {
  open("clips.toml");
  ASSERT_TRUE(wait("document.querySelectorAll('#timeline .clip').length === 2"));
  ASSERT_TRUE(
      wait("[...document.querySelectorAll('#timeline .clip-name')].map(e => e.textContent).join() === 'water,oil'"));
  ASSERT_TRUE(
      wait("document.querySelectorAll(\"#timeline .key[data-path='colliders.paddle.position']\").length === 2"));
  keep("clips");

  // The edge of a clip: written in frames as before, and the fade stays.
  browser->drag("#timeline .clip-from", 105, 0);
  ASSERT_TRUE(text_has("{ material = \"oil\", from = \"12 frames\", fade = 0.1 }"));
  browser->drag("#timeline .clip-full", 105, 0);
  ASSERT_TRUE(text_has("from = \"12 frames\", fade = 0.2 }"));
  browser->press({control, "z"});
  browser->press({control, "z"});
  ASSERT_TRUE(text_has("{ material = \"oil\", from = \"10 frames\", fade = 0.1 }"));

  // Another one from a double click on; a double click on its edge takes it away.
  browser->double_click("#timeline .clip-name[data-clip='1']", 200);
  ASSERT_TRUE(wait("document.querySelectorAll('#timeline .clip').length === 3"));
  EXPECT_TRUE(text_has("  { material = \"water\", from = "));
  browser->double_click("#timeline .clip-from[data-number='2']");
  ASSERT_TRUE(wait("document.querySelectorAll('#timeline .clip').length === 2"));
  EXPECT_EQ(browser->script("return document.getElementById('text').value"), json(clips));

  // Keys of a curve in frames, with the mouse and with the keyboard.
  const std::string key = "#timeline .key[data-path='colliders.paddle.position'][data-number='1']";
  browser->drag(key, 105, 0);
  ASSERT_TRUE(text_has("frame = [0, 10]"));
  ASSERT_TRUE(wait("document.querySelector(" + json(key).dump() + ").getAttribute('aria-valuenow') === '0.5'"));
  browser->script("document.querySelector(" + json(key).dump() + ").focus()");
  browser->press({arrow_right});
  ASSERT_TRUE(text_has("frame = [0, 11]"));
  browser->double_click("#timeline .lane[data-path='colliders.paddle.position'] .row", 100);
  EXPECT_TRUE(
      wait("document.querySelectorAll(\"#timeline .key[data-path='colliders.paddle.position']\").length === 3"));
}

/// A particle is picked, a solid chosen, an object and a solid dragged; a mistake leads to its line.
TEST_F(Page, TheViewportPicksAndMovesWhatIsInIt) {
  open("ball.toml");
  ASSERT_TRUE(wait(frame_is(0)));
  ASSERT_TRUE(wait("document.getElementById('canvas').dataset.props === '1'"));
  // The ball is in the middle and hides the plate.
  browser->click("#canvas");
  ASSERT_TRUE(
      wait("!document.getElementById('picked').hidden && "
           "document.getElementById('picked').textContent.includes('mass')"));
  EXPECT_TRUE(wait("document.querySelector('#picked button').textContent === 'ball'"));
  keep("picked");
  browser->drag("#canvas", 60, 0, alt);
  ASSERT_TRUE(text_has("translate = ["));
  EXPECT_TRUE(wait("document.querySelector('#timeline') && !document.getElementById('undo').disabled"));
  browser->press({control, "z"});
  ASSERT_TRUE(wait("!document.getElementById('text').value.includes('translate')"));
  ASSERT_TRUE(wait(frame_is(0)));

  // Look at the plate from above with nothing over it, and choose it.
  browser->script("document.querySelector(\".chip[data-path='scene']\").click()");
  browser->drag("#canvas", 0, 300);
  const json point = browser->script(
      "const b = document.getElementById('canvas').getBoundingClientRect(); return [b.width, b.height]");
  ASSERT_TRUE(point.is_array());
  browser->script(
      "const c = document.getElementById('canvas'), b = c.getBoundingClientRect(); const at = {bubbles: true, "
      "pointerId: 1, button: 0, clientX: b.left + b.width / 2 + 0.24 * b.height, clientY: b.top + b.height / 2}; "
      "c.setPointerCapture = () => {}; for (const type of ['pointerdown', 'pointerup']) c.dispatchEvent(new "
      "PointerEvent(type, at))");
  EXPECT_TRUE(wait("document.querySelector('.chip[aria-current=\"true\"]').dataset.path === 'colliders.plate'"));

  // A mistake in the text leads to its line.
  browser->click("[data-panel='source']");
  browser->script(
      "const t = document.getElementById('text'); t.value = t.value.replace('radius', 'radios'); "
      "document.getElementById('apply').click()");
  ASSERT_TRUE(wait("document.querySelector('#messages button.bad')"));
  EXPECT_TRUE(wait("document.querySelector('#messages button.bad').textContent.includes('line 13')"));
  browser->script("document.querySelector('#messages button.bad').click()");
  EXPECT_TRUE(wait(
      "(t => t.value.slice(t.selectionStart, t.selectionEnd).includes('radios'))(document.getElementById('text'))"));
  keep("mistake");
}

/// Surfaces of both takes when it is paused, plots, the camera, and a finished picture in the background.
TEST_F(Page, ShowsSurfacesTakesSideBySidePlotsAndFinishedPictures) {
  open("ball.toml");
  ASSERT_TRUE(wait(frame_is(0)));
  browser->press({" "});
  ASSERT_TRUE(wait(frame_is(10)));
  browser->press({home});
  ASSERT_TRUE(wait(frame_is(0)));
  browser->click("#branch");
  ASSERT_TRUE(wait("document.getElementById('take').value === 'branch-1'"));
  const std::string one = picture();
  browser->script(
      "const b = document.getElementById('beside'); b.value = 'main'; b.dispatchEvent(new Event('change'))");
  ASSERT_TRUE(wait("document.getElementById('canvas').dataset.beside === 'main'"));
  EXPECT_TRUE(wait("!document.getElementById('caption-beside').hidden"));
  const std::string two = picture();
  EXPECT_NE(one, two);
  browser->click("#surface");
  ASSERT_TRUE(wait("document.getElementById('canvas').dataset.surface?.startsWith('branch-1')"));
  ASSERT_TRUE(wait("document.getElementById('canvas').dataset.surfaceBeside?.startsWith('main')"));
  EXPECT_NE(picture(), two);
  keep("side-by-side");

  browser->click("[data-panel='plots']");
  ASSERT_TRUE(
      wait("[...document.querySelectorAll('.plot canvas')].some(c => c.getAttribute('aria-label')?.startsWith('kinetic "
           "energy'))"));
  browser->click("#set-camera");
  ASSERT_TRUE(text_has("eye = ["));
  browser->click("#render");
  ASSERT_TRUE(wait("document.querySelector('#pictures img')?.naturalWidth === 160", 180));
  keep("pictures");
}

/// Everything has its place on small and large screens, light and dark.
TEST_F(Page, FitsSmallAndLargeScreensLightAndDark) {
  for (const auto& [width, height, dark] : {std::tuple{1280, 720, false}, std::tuple{2560, 1440, true}}) {
    browser.reset();
    program.reset();
    open("ball.toml", width, height, dark);
    ASSERT_TRUE(wait(frame_is(0)));
    ASSERT_TRUE(wait("document.getElementById('canvas').dataset.props === '1'"));
    EXPECT_EQ(browser->script("return matchMedia('(prefers-color-scheme: dark)').matches"), dark);
    EXPECT_EQ(browser->script("return [innerWidth, innerHeight]"), (json{width, height}));
    EXPECT_EQ(browser->script("return [document.documentElement.scrollWidth, document.documentElement.scrollHeight]"),
              (json{width, height}));
    EXPECT_EQ(browser->script("const b = document.getElementById('bar'); return b.scrollWidth <= b.clientWidth"), true);
    EXPECT_EQ(browser->script(
                  "const boxes = ['#view-tools', '#legend', '#caption', '#side', '#timeline', '#status', '#bar', "
                  "'#messages > *']"
                  ".map(s => [s, document.querySelector(s)?.getBoundingClientRect()]).filter(([s, b]) => b && b.width);"
                  "return boxes.flatMap(([s, a], i) => boxes.slice(i + 1).filter(([t, b]) => a.left < b.right - 1 && "
                  "b.left < a.right - 1 "
                  "&& a.top < b.bottom - 1 && b.top < a.bottom - 1).map(([t]) => s + ' over ' + t))"),
              json::array());
    // Words are read on what is behind them: contrast of at least 4.5 to 1 (WCAG 2, AA).
    EXPECT_EQ(
        browser->script(
            "const number = c => c.match(/[\\d.]+/g).map(Number), light = c => number(c).slice(0, 3).map(v => v / 255)"
            ".map(v => v <= 0.04 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4).reduce((s, v, k) => s + v * [0.2126, "
            "0.7152, 0.0722][k], 0);"
            "const behind = e => { for (; e; e = e.parentElement) { const c = getComputedStyle(e).backgroundColor; "
            "if ((number(c)[3] ?? 1) > 0.8) return c; } return 'rgb(255, 255, 255)'; };"
            "return [...document.querySelectorAll('#bar button, #side label, #side p, #side .chip, #timeline .names "
            "button, #status')]"
            ".filter(e => !e.disabled && e.getBoundingClientRect().width).filter(e => { const [a, b] = "
            "[light(getComputedStyle(e).color), light(behind(e))];"
            "return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05) < 4.5; }).map(e => e.outerHTML.slice(0, 80))"),
        json::array());
    keep(dark ? "large-dark" : "small-light");
  }
}

/// The walk of docs/studio.md in the page: the duck, seen as a ghost, lets go of the water later or sooner.
TEST_F(Page, TheDuckLetsGoWhenItsKeyIsMoved) {
  open("");
  ASSERT_TRUE(wait("document.querySelector(\"#gallery button[data-scene='duck-control']\")"));
  browser->script("document.querySelector(\"#gallery button[data-scene='duck-control']\").click()");
  ASSERT_TRUE(
      wait("document.getElementById('canvas').dataset.scene === 'duck-control' && "
           "Number(document.getElementById('canvas').dataset.frame) >= 3",
           120));
  EXPECT_TRUE(wait("document.getElementById('canvas').dataset.props === '1'")) << "the ghost of the duck";
  // It may have come to its end by itself.
  browser->script("const p = document.getElementById('play'); if (p.getAttribute('aria-label') === 'Pause') p.click()");
  ASSERT_TRUE(wait("document.getElementById('play').getAttribute('aria-label') === 'Play'", 180));
  const std::string key = "#timeline .key[data-path='materials.water.control.weight'][data-number='2']";
  ASSERT_TRUE(wait("document.querySelector(" + json(key).dump() + ")"));
  browser->drag(key, -223, 0);
  ASSERT_TRUE(wait("Number(document.querySelector(" + json(key).dump() + ").getAttribute('aria-valuenow')) < 2.5"));
  // Nothing that is there has become wrong.
  EXPECT_TRUE(wait("Number(document.getElementById('canvas').dataset.frame) >= 3"));
  browser->press({control, "z"});
  EXPECT_TRUE(wait("Number(document.querySelector(" + json(key).dump() + ").getAttribute('aria-valuenow')) === 3.3"));
}

}  // namespace
}  // namespace fondue
