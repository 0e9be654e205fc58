#pragma once
// A session in a folder of its own, with a small scene.

#include <gtest/gtest.h>

#include <fstream>

#include "scene/template.h"
#include "studio/commands.h"
#include "support/temporary_folder.h"
#include "unit/studio/tank.h"

namespace fondue::testing_support {

class StudioTest : public testing::Test {
 protected:
  StudioTest() {
    std::filesystem::create_directories(folder / "scenes");
    std::ofstream(folder / "scenes/tank.toml") << small_tank;
    session = std::make_unique<Session>(setup());
  }
  SessionSetup setup() const { return {folder / "scenes", FONDUE_SOURCE_DIR "/scenes", folder / "out", ""}; }
  /// A command that must succeed.
  nlohmann::json ask(const std::string& line) {
    nlohmann::json answer = execute(*session, line);
    EXPECT_TRUE(answer["ok"].get<bool>()) << line << ": " << answer.dump();
    return answer;
  }
  /// What is wrong with a command that must fail.
  std::string refused(const std::string& line) {
    const nlohmann::json answer = execute(*session, line);
    EXPECT_FALSE(answer["ok"].get<bool>()) << line;
    return answer.value("error", "");
  }
  std::vector<std::byte> bytes_of_frame(const std::string& take, int frame) {
    const Take& one = session->take(take);
    one.frame(frame);
    const std::string text = text_of_file(one.layout().frame(frame));
    const auto* data = reinterpret_cast<const std::byte*>(text.data());
    return {data, data + text.size()};
  }
  const TemporaryFolder folder;
  std::unique_ptr<Session> session;
};

}  // namespace fondue::testing_support
