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

class Page : public testing::Test {
 protected:
  void SetUp() override {
    if (!installed("chromium") || !installed("chromedriver"))
      GTEST_SKIP() << "Chromium is not installed: apt-get install chromium chromium-driver";
    write_file(folder / "tank.toml", small_tank);
  }
  void open(const std::string& arguments_scene, int width = 1280, int height = 720) {
    std::vector<std::string> words = {FONDUE_PROGRAM, "studio", "--no-browser"};
    if (!arguments_scene.empty()) words.push_back(arguments_scene);
    program = std::make_unique<Companion>(words, folder / "studio.log", folder.path());
    address = program->line("http://127.0.0.1:");
    ASSERT_FALSE(address.empty()) << read_file(folder / "studio.log");
    browser = std::make_unique<Browser>(folder.path(), 20000 + static_cast<int>(::getpid() % 20000), width, height);
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

}  // namespace
}  // namespace fondue
