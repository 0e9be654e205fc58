#include "cache/table.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <iterator>

#include "core/error.h"

namespace fondue {

namespace {

namespace fs = std::filesystem;

/// A field quoted for CSV (RFC 4180).
std::string field(const std::string& text) {
  if (text.find_first_of(",\"\n\r") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"') quoted += c;
    quoted += c;
  }
  return quoted + '"';
}

std::string heading(const std::vector<TableColumn>& columns) {
  std::string line;
  for (const TableColumn& column : columns) {
    const bool pure = column.unit.empty() || column.unit == "1";
    if (!line.empty()) line += ',';
    line += field(pure ? column.name : fmt::format("{} [{}]", column.name, column.unit));
  }
  return line + '\n';
}

std::string contents(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::string text(std::istreambuf_iterator<char>(file), {});
  if (!file) throw InputError(fmt::format("cannot read table '{}'", path.string()));
  return text;
}

/// The time of a whole row; none if it is no row of this many entries.
std::optional<double> row_time(std::string_view line, std::size_t columns) {
  if (static_cast<std::size_t>(std::ranges::count(line, ',')) + 1 != columns) return std::nullopt;
  const std::string_view first = line.substr(0, line.find(','));
  double time = 0;
  const auto [end, error] = std::from_chars(first.data(), first.data() + first.size(), time);
  if (error != std::errc{} || end != first.data() + first.size()) return std::nullopt;
  return time;
}

/// Number of bytes of an old table that a run resumed at this time keeps.
std::size_t bytes_to_keep(const std::string& text, const std::string& head, std::size_t columns, double resume_time,
                          const fs::path& path) {
  if (!text.starts_with(head)) {
    throw InputError(fmt::format("cannot continue table '{}': its columns are '{}', and this run writes '{}'",
                                 path.string(), text.substr(0, text.find('\n')), head.substr(0, head.size() - 1)));
  }
  std::size_t kept = head.size();
  for (std::size_t line = 2;; ++line) {
    const std::size_t end = text.find('\n', kept);
    if (end == std::string::npos) return kept;
    const std::optional<double> time = row_time(std::string_view(text).substr(kept, end - kept), columns);
    if (!time) {
      throw InputError(
          fmt::format("cannot continue table '{}': line {} is not a row of {} entries", path.string(), line, columns));
    }
    if (*time > resume_time) return kept;
    kept = end + 1;
  }
}

/// Prepares the file for the first new row; returns its path.
const fs::path& prepare(const fs::path& path, const std::vector<TableColumn>& columns,
                        std::optional<double> resume_from_time) {
  const std::string head = heading(columns);
  if (!resume_from_time || !fs::exists(path)) {
    write_text_atomically(path, head);
    return path;
  }
  const std::string text = contents(path);
  const std::size_t kept = bytes_to_keep(text, head, columns.size(), *resume_from_time, path);
  if (kept < text.size()) OutputFile(path, OutputFile::Start::append).truncate(kept);
  return path;
}

}  // namespace

Table::Table(const fs::path& path, const std::vector<TableColumn>& columns, std::optional<double> resume_from_time)
    : columns_(columns.size()),
      file_(prepare(path, columns, resume_from_time), OutputFile::Start::append),
      size_(fs::file_size(path)) {}

std::vector<double> Table::last_row() const {
  const std::string text = contents(file_.path());
  if (std::ranges::count(text, '\n') < 2) return {};
  const std::string_view rows = std::string_view(text).substr(0, text.size() - 1);
  std::string_view line = rows.substr(rows.rfind('\n') + 1);
  std::vector<double> row;
  while (row.size() != columns_) {
    double& number = row.emplace_back();
    const auto [end, error] = std::from_chars(line.data(), line.data() + line.size(), number);
    if (error != std::errc{}) throw InputError(fmt::format("cannot continue table '{}'", file_.path().string()));
    line.remove_prefix(std::min<std::size_t>(end - line.data() + 1, line.size()));
  }
  return row;
}

void Table::append(std::span<const double> row, std::span<const std::string> words) {
  if (row.size() + words.size() != columns_) {
    throw OutputError(fmt::format("cannot write '{}': a row of {} entries for {} columns", file_.path().string(),
                                  row.size() + words.size(), columns_));
  }
  std::string line;
  for (const double number : row) fmt::format_to(std::back_inserter(line), "{}{}", line.empty() ? "" : ",", number);
  for (std::string word : words) {
    // Columns are counted by their commas when a table is continued.
    std::ranges::replace(word, ',', ';');
    line += ',' + field(word);
  }
  line += '\n';
  try {
    file_.write(line);
  } catch (const OutputError&) {
    cut_back();
    throw;
  }
  size_ += line.size();
}

void Table::cut_back() {
  try {
    file_.truncate(size_);
  } catch (const OutputError&) {
    // The original write error is the better message; an incomplete row is removed when the run is resumed.
  }
}

}  // namespace fondue
