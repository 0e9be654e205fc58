// One binary for every processor: what was compiled for a newer one must not slip into code that all run.

#include <gtest/gtest.h>

#include <filesystem>
#include <sstream>
#include <string>

#include "support/program.h"
#include "world/pair_loops.h"

namespace fondue::test_instruction_sets {
namespace {

using namespace testing_support;

#ifdef __x86_64__
/// An object file's weak functions are those the linker may take for everyone. All it may have are of its own
/// namespace.
TEST(InstructionSets, NoFunctionForANewerProcessorIsSharedWithOlderOnes) {
  for (const std::string build : {"v3", "v4"}) {
    const std::string object =
        std::string(FONDUE_BUILD_DIR) + "/src/CMakeFiles/fondue_pair_loops_" + build + ".dir/world/pair_loops.cpp.o";
    // It is built where the processor has it.
    if (build == "v4" && !std::filesystem::exists(object)) continue;
    const Outcome symbols = shell("nm -C --defined-only '" + object + "'", ".");
    ASSERT_EQ(symbols.code, 0) << symbols.text;
    bool own = false;
    std::istringstream lines(symbols.text);
    for (std::string symbol; std::getline(lines, symbol);) {
      const char type = symbol.size() > 17 ? symbol[17] : ' ';
      own |= symbol.find("fondue::" + build + "::") != std::string::npos;
      if (type == 'W' || type == 'u') {
        EXPECT_NE(symbol.find("fondue::" + build + "::"), std::string::npos) << symbol;
      }
    }
    EXPECT_TRUE(own);
  }
}
#endif

TEST(InstructionSets, InfoTellsWhichLoopsRunAndTheEnvironmentChooses) {
  const auto says = [](const std::string& text, const char* name) {
    return text.find(std::string("pair loops: ") + name) != std::string::npos;
  };
  const Outcome usual = shell("unset FONDUE_SIMD; $FONDUE info", ".");
  EXPECT_TRUE(says(usual.text, available_pair_loops().front()->name)) << usual.text;
  for (const PairLoops* loops : available_pair_loops()) {
    const Outcome chosen = shell(std::string("FONDUE_SIMD=") + loops->name + " $FONDUE info", ".");
    EXPECT_EQ(chosen.code, 0);
    EXPECT_TRUE(says(chosen.text, loops->name)) << chosen.text;
  }
}

TEST(InstructionSets, AnUnknownChoiceIsRefusedWithThePossibleOnes) {
  const Outcome outcome = shell("FONDUE_SIMD=avx1024 $FONDUE info", ".");
  EXPECT_EQ(outcome.code, 2);
  EXPECT_NE(outcome.text.find("avx1024"), std::string::npos);
  EXPECT_NE(outcome.text.find("one\n"), std::string::npos) << outcome.text;
}

}  // namespace
}  // namespace fondue::test_instruction_sets
