// What is written down is what the program says.

#include "support/program.h"

namespace fondue {
namespace {

using namespace testing_support;

TEST(Docs, TheReferenceIsThatOfTheProgram) {
  const Outcome outcome = shell("$FONDUE reference --markdown", FONDUE_SOURCE_DIR);
  EXPECT_EQ(outcome.text, read_file(fs::path(FONDUE_SOURCE_DIR) / "docs/reference.md"))
      << "renew it with: ./fondue reference --markdown > docs/reference.md";
}

TEST(Docs, EverySceneIsFineAndShownInTheGallery) {
  const std::string gallery = read_file(fs::path(FONDUE_SOURCE_DIR) / "docs/gallery.md");
  for (const auto& entry : fs::directory_iterator(fs::path(FONDUE_SOURCE_DIR) / "scenes")) {
    if (entry.path().extension() != ".toml") continue;
    const Outcome outcome = shell("$FONDUE check " + entry.path().string(), FONDUE_SOURCE_DIR);
    EXPECT_EQ(outcome.code, 0) << outcome.text;
    EXPECT_NE(gallery.find("## " + entry.path().stem().string()), std::string::npos) << entry.path();
  }
}

}  // namespace
}  // namespace fondue
