// What is written down is what the program says.

#include <fmt/format.h>

#include <algorithm>
#include <regex>
#include <set>
#include <sstream>

#include "scene/scene.h"
#include "support/program.h"

namespace fondue::test_docs {
namespace {

using namespace testing_support;

/// A fenced block of a page: what follows its three backticks, and its lines.
struct Block {
  std::string title, text;
};

std::vector<Block> blocks_of(const std::string& page) {
  std::istringstream lines(read_file(fs::path(FONDUE_SOURCE_DIR) / "docs" / page));
  std::vector<Block> blocks;
  bool inside = false;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("```")) {
      if (!inside) blocks.push_back({line.substr(3), ""});
      inside = !inside;
    } else if (inside) {
      blocks.back().text += line + '\n';
    }
  }
  return blocks;
}

/// Writes the files of a page and runs its commands; returns how many there are.
int follow(const std::string& page, const TemporaryFolder& folder, bool notes) {
  int commands = 0;
  for (const Block& block : blocks_of(page)) {
    if (block.title.starts_with("toml ")) write_file(folder.path() / block.title.substr(5), block.text);
    if (block.title != "sh") continue;
    std::istringstream lines(block.text);
    for (std::string line; std::getline(lines, line); ++commands) {
      EXPECT_TRUE(line.starts_with("fondue ")) << line;
      const Outcome outcome = shell("$FONDUE" + line.substr(6), folder.path());
      EXPECT_EQ(outcome.code, 0) << line << '\n' << outcome.text;
      if (!notes) {
        EXPECT_EQ(outcome.text.find("note:"), std::string::npos) << line << '\n' << outcome.text;
      }
    }
  }
  return commands;
}

TEST(Docs, TheTransitionShotDoesWhatItSays) {
  const TemporaryFolder folder;
  EXPECT_EQ(follow("first-transition.md", folder, true), 5);
  for (const char* made : {"out/changing/changing-000028.png", "out/changing-from-8/frames/frame_000030.h5"})
    EXPECT_TRUE(fs::exists(folder.path() / made)) << made;
}

TEST(Docs, TheTutorialDoesWhatItSays) {
  const TemporaryFolder folder;
  EXPECT_EQ(follow("tutorial.md", folder, false), 5);
  for (const char* made :
       {"out/honey/honey.png", "out/honey/honey.mp4", "out/honey/honey-000025.png", "out/honey-from-15/honey.png"})
    EXPECT_TRUE(fs::exists(folder.path() / made)) << made;
}

TEST(Docs, EveryRecipeOfTheCookbookIsAMaterialThatRuns) {
  const TemporaryFolder folder;
  int recipes = 0;
  for (const Block& block : blocks_of("cookbook.md")) {
    if (block.title != "toml") continue;
    const std::size_t begin = block.text.find("[materials.") + 11;
    const std::string name = block.text.substr(begin, block.text.find(']') - begin);
    const bool warm = block.text.find("heat = ") != std::string::npos;
    write_file(folder.path() / (name + ".toml"),
               "[scene]\nspacing = \"1 cm\"\n[time]\nduration = \"40 ms\"\n" + block.text +
                   "[[objects]]\nname = \"it\"\nmaterial = \"" + name + "\"\n" +
                   (warm ? "temperature = \"30 C\"\n" : "") +
                   "shape = { type = \"box\", min = [0, 0, 0], max = [\"8 cm\", \"8 cm\", \"8 cm\"] }\n"
                   "[[colliders]]\nname = \"floor\"\nshape = { type = \"plane\", normal = [0, 0, 1] }\n");
    const Outcome outcome = shell("$FONDUE run " + name + ".toml --no-pictures", folder.path());
    EXPECT_EQ(outcome.code, 0) << name << '\n' << outcome.text;
    EXPECT_EQ(outcome.text.find("note:"), std::string::npos) << name << '\n' << outcome.text;
    ++recipes;
  }
  EXPECT_EQ(recipes, 8);
}

TEST(Docs, TheScenesOfTheUnitsPageAreRight) {
  const TemporaryFolder folder;
  const std::vector<Block> blocks = blocks_of("units-and-camera.md");
  const std::string& scene = blocks.at(0).text;
  for (const Block& block : blocks) {
    if (block.title != "toml") continue;
    // Keys of a collider, or a section of its own after the first scene.
    const bool whole = &block == &blocks[0];
    write_file(folder.path() / "units.toml", whole ? scene : scene + block.text);
    const Outcome outcome = shell("$FONDUE check units.toml", folder.path());
    EXPECT_EQ(outcome.code, 0) << block.text << outcome.text;
    EXPECT_EQ(outcome.text.find("note:"), std::string::npos) << outcome.text;
  }
}

TEST(Docs, TheScenesOfTheTimelinePageAreRight) {
  const TemporaryFolder folder;
  const std::string fluid = "gravity = {}\nfluid = {}\n", ball = "shape = { type = \"sphere\", radius = 0.2 }\n";
  std::string scene = "[scene]\nspacing = 0.02\n[time]\nduration = 3\nframes_per_second = 25\n";
  for (const char* name : {"sand", "water", "honey", "wax", "melt", "paint"})
    scene += fmt::format("[materials.{}]\n{}", name, fluid);
  const std::string object = "[[objects]]\nname = \"drop\"\nheat = {}\nhistory = {}\ntemperature = 300\n" + ball,
                    collider = "[[colliders]]\nname = \"ball\"\n" + ball;
  int blocks = 0;
  for (const Block& block : blocks_of("timeline.md")) {
    if (block.title != "toml") continue;
    const bool emitter = block.text.starts_with("[[emitters]]"), list = block.text.starts_with("materials");
    const bool whole = block.text.starts_with("[[objects]]"), zone = block.text.starts_with("[[zones]]");
    // A whole object, the list of one, an emitter on a collider, or keys of a collider.
    const std::string text = whole  ? scene + block.text
                             : list ? scene + object + block.text
                             : zone ? scene + object + "material = \"water\"\n" + block.text
                             : emitter
                                 ? scene + collider + block.text
                                 : scene + "[[emitters]]\nname = \"jet\"\nmaterial = \"water\"\ncentre = [1, 0, 1]\n" +
                                       "radius = 0.1\n" + collider + block.text;
    write_file(folder.path() / "timeline.toml", text);
    const Outcome outcome = shell("$FONDUE check timeline.toml", folder.path());
    EXPECT_EQ(outcome.code, 0) << text << outcome.text;
    EXPECT_EQ(outcome.text.find("has no effect"), std::string::npos) << outcome.text;
    ++blocks;
  }
  EXPECT_EQ(blocks, 6);
}

TEST(Docs, TheReferenceIsThatOfTheProgram) {
  const Outcome outcome = shell("$FONDUE reference --markdown", FONDUE_SOURCE_DIR);
  EXPECT_EQ(outcome.text, read_file(fs::path(FONDUE_SOURCE_DIR) / "docs/reference.md"))
      << "renew it with: ./fondue reference --markdown > docs/reference.md";
}

TEST(Docs, EveryPageAndPictureThatIsReferredToIsThere) {
  const fs::path root = FONDUE_SOURCE_DIR;
  std::vector<fs::path> pages = {root / "README.md", root / "CONTRIBUTING.md", root / "CHANGELOG.md"};
  for (const auto& entry : fs::recursive_directory_iterator(root / "docs"))
    if (entry.path().extension() == ".md") pages.push_back(entry.path());
  const std::regex link(R"(\]\(([^)#\s]+)(#[^)]*)?\))");
  int links = 0;
  for (const fs::path& page : pages) {
    const std::string text = read_file(page);
    for (auto found = std::sregex_iterator(text.begin(), text.end(), link); found != std::sregex_iterator(); ++found) {
      const std::string target = (*found)[1];
      if (target.find("://") != std::string::npos) continue;
      EXPECT_TRUE(fs::exists(page.parent_path() / target)) << page << " refers to " << target;
      ++links;
    }
  }
  EXPECT_GT(links, 100);
}

/// What a link to a heading ends with, as GitHub makes it: small letters, blanks as hyphens, no other signs.
std::set<std::string> anchors_of(const std::string& page) {
  std::set<std::string> anchors;
  std::istringstream lines(page);
  bool code = false;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("```")) code = !code;
    if (code || !line.starts_with('#')) continue;
    std::string anchor;
    for (const char c : line.substr(std::min(line.find_first_not_of("# "), line.size()))) {
      const auto letter = static_cast<unsigned char>(c);
      if (letter >= 0x80 || std::isalnum(letter) || c == '-' || c == '_')
        anchor += static_cast<char>(std::tolower(letter));
      if (c == ' ') anchor += '-';
    }
    anchors.insert(anchor);
  }
  return anchors;
}

TEST(Docs, EveryHeadingThatIsReferredToIsThereAndEveryPageIsReferredTo) {
  const fs::path root = FONDUE_SOURCE_DIR;
  std::vector<fs::path> pages = {root / "README.md", root / "CONTRIBUTING.md"};
  for (const auto& entry : fs::recursive_directory_iterator(root / "docs"))
    if (entry.path().extension() == ".md") pages.push_back(entry.path());
  const std::regex link(R"(\]\(([^)#\s]*)(#([^)]*))?\))");
  std::set<fs::path> referred_to = {root / "README.md", root / "CONTRIBUTING.md"};
  int headings = 0;
  for (const fs::path& page : pages) {
    const std::string text = read_file(page);
    for (auto found = std::sregex_iterator(text.begin(), text.end(), link); found != std::sregex_iterator(); ++found) {
      const std::string file = (*found)[1], heading = (*found)[3];
      if (file.find("://") != std::string::npos) continue;
      const fs::path target = file.empty() ? page : (page.parent_path() / file).lexically_normal();
      if (target != page) referred_to.insert(target);
      if (heading.empty() || target.extension() != ".md") continue;
      EXPECT_TRUE(anchors_of(read_file(target)).contains(heading)) << page << " refers to " << file << '#' << heading;
      ++headings;
    }
  }
  EXPECT_GT(headings, 20);
  for (const fs::path& page : pages) EXPECT_TRUE(referred_to.contains(page)) << "nothing refers to " << page;
}

TEST(Docs, EverySourceThatTheCodeNamesIsInTheList) {
  const fs::path root = FONDUE_SOURCE_DIR;
  std::vector<std::string> list;
  std::istringstream lines(read_file(root / "docs/sources.md"));
  for (std::string line; std::getline(lines, line);) list.push_back(line);
  // "Yu & Turk 2013", "Barill et al. 2018", "Taubin 1995": the last name and the year are in one line of the list.
  const std::regex named(R"(([A-Z][a-z]+)(?: et al\.)? ((?:19|20)[0-9]{2})\b)");
  int found = 0;
  for (const auto& entry : fs::recursive_directory_iterator(root / "src")) {
    if (entry.path().extension() != ".h" && entry.path().extension() != ".cpp") continue;
    const std::string text = read_file(entry.path());
    for (auto match = std::sregex_iterator(text.begin(), text.end(), named); match != std::sregex_iterator(); ++match) {
      const std::string name = (*match)[1], year = (*match)[2];
      EXPECT_TRUE(std::any_of(list.begin(), list.end(),
                              [&](const std::string& line) {
                                return line.find(name) != std::string::npos && line.find(year) != std::string::npos;
                              }))
          << entry.path() << " names " << name << ' ' << year;
      ++found;
    }
  }
  EXPECT_GT(found, 50);
}

TEST(Docs, EverySceneHasNoMistakesAndIsShownInTheGallery) {
  const std::string gallery = read_file(fs::path(FONDUE_SOURCE_DIR) / "docs/gallery.md");
  for (const auto& entry : fs::directory_iterator(fs::path(FONDUE_SOURCE_DIR) / "scenes")) {
    if (entry.path().extension() != ".toml") continue;
    EXPECT_NO_THROW(load_scene(entry.path().string())) << entry.path();
    EXPECT_NE(gallery.find("## " + entry.path().stem().string()), std::string::npos) << entry.path();
  }
}

}  // namespace
}  // namespace fondue::test_docs
