#include <gtest/gtest.h>

#include <limits>

#include "cache/table.h"
#include "core/error.h"
#include "support.h"

namespace fondue::test {

namespace {

const std::vector<TableColumn> some_columns = {{"time", "s"}, {"mass", "kg"}, {"particles", "1"}};

std::vector<double> some_row(int i) { return {i * 0.1, 1.0 / (i + 1), i * 1e5}; }

std::string complete_table(const std::filesystem::path& path) {
  Table table(path, some_columns);
  for (int i = 0; i != 12; ++i) table.append(some_row(i));
  return read_text(path);
}

}  // namespace

TEST(Table, NamesUnitsAndRestoresEveryBit) {
  const TemporaryFolder folder;
  const std::vector<double> numbers = {0.1, 1.0 / 3, -0.0, 5e-324, std::numeric_limits<double>::max()};
  Table table(folder / "table.csv", {{"time", "s"}, {"force, x", "N"}, {"count", "1"}, {"ratio", ""}, {"\"q\"", "m"}});
  table.append(numbers);
  std::istringstream lines(read_text(folder / "table.csv"));
  std::string line, number;
  std::getline(lines, line);
  EXPECT_EQ(line, "time [s],\"force, x [N]\",count,ratio,\"\"\"q\"\" [m]\"");
  std::getline(lines, line);
  std::istringstream fields(line);
  for (const double expected : numbers) {
    std::getline(fields, number, ',');
    const double read = std::strtod(number.c_str(), nullptr);
    EXPECT_EQ(std::memcmp(&read, &expected, sizeof read), 0) << number;
  }
}

TEST(Table, ARowIsInTheFileWhenAppendReturns) {
  const TemporaryFolder folder;
  Table table(folder / "table.csv", {{"time", "s"}});
  table.append(std::vector<double>{0.5});
  EXPECT_EQ(read_text(folder / "table.csv"), "time [s]\n0.5\n");
}

TEST(Table, CutAtAnyByteAndResumedItIsTheUninterruptedOne) {
  const TemporaryFolder folder;
  const std::string whole = complete_table(folder / "whole.csv");
  const std::size_t heading = whole.find('\n') + 1;
  for (std::size_t cut = heading; cut <= whole.size(); ++cut) {
    // The state that a run resumes from is not later than the last complete row.
    const int rows = static_cast<int>(std::count(whole.begin() + static_cast<std::ptrdiff_t>(heading),
                                                 whole.begin() + static_cast<std::ptrdiff_t>(cut), '\n'));
    for (const int resumed : {rows, rows / 2}) {
      write_text(folder / "cut.csv", whole.substr(0, cut));
      Table table(folder / "cut.csv", some_columns, resumed == 0 ? -1.0 : some_row(resumed - 1)[0]);
      for (int i = resumed; i != 12; ++i) table.append(some_row(i));
      ASSERT_EQ(read_text(folder / "cut.csv"), whole) << "cut at " << cut << ", resumed after " << resumed << " rows";
    }
  }
}

TEST(Table, AMissingTableIsStartedOnResume) {
  const TemporaryFolder folder;
  Table table(folder / "table.csv", some_columns, 3.0);
  EXPECT_EQ(read_text(folder / "table.csv"), "time [s],mass [kg],particles\n");
}

TEST(Table, ANewRunStartsANewTable) {
  const TemporaryFolder folder;
  complete_table(folder / "table.csv");
  Table table(folder / "table.csv", {{"time", "s"}});
  EXPECT_EQ(read_text(folder / "table.csv"), "time [s]\n");
}

TEST(Table, OtherColumnsOrForeignLinesAreRefusedAndLeftAlone) {
  const TemporaryFolder folder;
  const std::string whole = complete_table(folder / "table.csv");
  const std::vector<TableColumn> other = {{"time", "s"}, {"mass", "g"}, {"particles", "1"}};
  const std::string message = message_of<InputError>([&] { Table(folder / "table.csv", other, 0.5); });
  EXPECT_NE(message.find("time [s],mass [kg],particles"), std::string::npos) << message;
  EXPECT_NE(message.find("time [s],mass [g],particles"), std::string::npos) << message;
  EXPECT_EQ(read_text(folder / "table.csv"), whole);
  for (const char* line : {"a,b,c\n", "1,2\n", "0.1x,2,3\n", "\n"}) {
    write_text(folder / "table.csv", "time [s],mass [kg],particles\n0,1,2\n" + std::string(line) + "0.2,1,2\n");
    EXPECT_NE(message_of<InputError>([&] { Table(folder / "table.csv", some_columns, 0.5); }).find("line 3"),
              std::string::npos);
  }
}

TEST(Table, ARowOfAnotherLengthIsRefused) {
  const TemporaryFolder folder;
  Table table(folder / "table.csv", some_columns);
  EXPECT_THROW(table.append(std::vector<double>{1, 2}), OutputError);
}

}  // namespace fondue::test
