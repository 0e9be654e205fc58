// The walk of docs/studio.md through the duck of Lenaerts 2009, fig. 7.4, as the script that stands there.

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "cache/frame.h"
#include "support/program.h"

namespace fondue {
namespace {

using namespace testing_support;
using nlohmann::json;

/// The lines of the first block of code after a heading.
std::string block_after(const std::string& text, const std::string& heading) {
  const std::size_t begin = text.find("```\n", text.find(heading));
  if (begin == text.npos) return "";
  return text.substr(begin + 4, text.find("```", begin + 4) - begin - 4);
}

/// Particles that stand above the water line, in the duck's neck and head.
int held_up(const fs::path& run, int frame) {
  const std::string number = std::to_string(frame);
  const Frame read = read_frame(run / "frames" / ("frame_" + std::string(6 - number.size(), '0') + number + ".h5"));
  int count = 0;
  for (const Vec3& x : read.particles[columns::position]) count += x.z() > 0.45f;
  return count;
}

TEST(Walk, TheScriptOfTheDuckDoesWhatTheDocumentSays) {
  const TemporaryFolder folder;
  const std::string script =
      block_after(read_file(FONDUE_SOURCE_DIR "/docs/studio.md"), "### The same walk as a script");
  ASSERT_NE(script.find("move_key materials.water.control.weight 2 2.4"), std::string::npos);
  write_file(folder / "walk.txt", script);
  const Outcome outcome = shell("$FONDUE studio --script walk.txt", folder.path());
  ASSERT_EQ(outcome.code, 0) << outcome.text;
  std::vector<json> answers;
  std::istringstream lines(outcome.text);
  for (std::string line; std::getline(lines, line);)
    if (line.starts_with('{')) answers.push_back(json::parse(line, nullptr, false));
  const json* moved = nullptr;
  for (const json& answer : answers)
    if (!moved && answer.contains("frames_left")) moved = &answer;
  ASSERT_TRUE(moved);
  EXPECT_EQ((*moved)["frames_left"], 60) << "frames before 2.4 s stay";

  // Let go from 2.4 s on it is sinking at 3.2 s, by six particles per frame, and has lost half of them (32 of 66 are
  // left, or 35 of 64, depending on the rounding of the loops); the branch, which is held until 3.3 s, stands.
  const fs::path runs = folder / "out/studio/duck-control";
  // Its shape has room for about 138 particles up there; at 2.36 s it is still being filled.
  EXPECT_GT(held_up(runs / "main", 59), 35) << "a neck and a head";
  EXPECT_LT(3 * held_up(runs / "main", 80), 2 * held_up(runs / "branch-1", 80));
  EXPECT_EQ(shell("$FONDUE check later-duck.toml", folder.path()).code, 0);
}

}  // namespace
}  // namespace fondue
