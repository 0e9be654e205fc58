#include "studio/tables.h"

#include <charconv>
#include <fstream>
#include <string>
#include <vector>

namespace fondue {

using nlohmann::json;

namespace {

constexpr std::size_t most_rows = 500;

std::vector<std::string> cells_of(const std::string& line) {
  std::vector<std::string> cells;
  for (std::size_t begin = 0; begin <= line.size();) {
    const std::size_t end = std::min(line.find(',', begin), line.size());
    cells.push_back(line.substr(begin, end - begin));
    begin = end + 1;
  }
  return cells;
}

json table(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);) lines.push_back(line);
  json columns = json::array();
  if (lines.empty()) return columns;
  for (const std::string& title : cells_of(lines.front())) {
    const std::size_t bracket = title.find(" [");
    const std::string unit = bracket == title.npos ? "" : title.substr(bracket + 2, title.size() - bracket - 3);
    columns.push_back({{"name", title.substr(0, bracket)}, {"unit", unit}, {"values", json::array()}});
  }
  const std::size_t stride = 1 + lines.size() / most_rows;
  for (std::size_t row = 1; row < lines.size(); row += stride) {
    const std::vector<std::string> cells = cells_of(lines[row]);
    if (cells.size() != columns.size()) continue;
    for (std::size_t c = 0; c != cells.size(); ++c) {
      double number = 0;
      const auto [end, error] = std::from_chars(cells[c].data(), cells[c].data() + cells[c].size(), number);
      const bool whole = error == std::errc{} && end == cells[c].data() + cells[c].size();
      columns[c]["values"].push_back(whole ? json(number) : json(cells[c]));
    }
  }
  return columns;
}

}  // namespace

json tables_of(const Take& take) {
  return {{"statistics", table(take.layout().statistics())}, {"probes", table(take.layout().probes())}};
}

}  // namespace fondue
