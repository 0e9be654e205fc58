#pragma once
// Tables over time (statistics, probes) as CSV: a line of names with units, `time [s],mass [kg]`, then rows of numbers
// with as many digits as restore every bit, the last columns possibly words. A row is in the file when append()
// returns.
//
// A run that is killed and resumed gives the same table as an uninterrupted one: continuing keeps the rows up to the
// time of the resumed state and removes later ones and an incomplete last line. For this, rows up to a state's time are
// appended, and sync() called, before that state is written.

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cache/output_file.h"

namespace fondue {

struct TableColumn {
  std::string name;
  /// SI; none or "1" for dimensionless numbers.
  std::string unit;
};

class Table {
 public:
  /// Starts a new table, replacing any old one, or continues the old one after `resume_from_time`. The first column is
  /// the time. InputError if the table to continue has different columns or is damaged.
  Table(const std::filesystem::path& path, const std::vector<TableColumn>& columns,
        std::optional<double> resume_from_time = std::nullopt);

  /// One number per column, and words for the last columns. Nothing of the row stays if it cannot be written whole.
  void append(std::span<const double> row, std::span<const std::string> words = {});
  /// The last row of a table without words; empty if it has none.
  std::vector<double> last_row() const;
  /// Returns when all rows are on the disk.
  void sync() { file_.sync(); }

 private:
  void cut_back();

  std::size_t columns_;
  OutputFile file_;
  std::uintmax_t size_;
};

}  // namespace fondue
