#include "model/hybrid/grid_csv.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <tuple>

#include "base/error.hpp"
#include "base/numbers.hpp"
#include "base/sorting.hpp"
#include "model/hybrid/phases.hpp"

namespace gable::model {
namespace {

constexpr std::array<const char*, 5> names = {"load_slow_bytes", "store_slow_bytes", "load_fast_bytes",
                                              "store_fast_bytes", "seconds"};

struct Repetition {
  Quantities bytes;
  double seconds;
};

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t") + 1 - begin);
}

class Reader {
 public:
  Reader(std::string_view text, const std::string& path) : rest_(text), path_(path) {
    constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";
    if (rest_.starts_with(byte_order_mark)) rest_.remove_prefix(byte_order_mark.size());
  }

  /// The fields of the next line that is not empty; false at the end.
  bool next(std::vector<std::string_view>& fields);
  void header(const std::vector<std::string_view>& fields);
  Repetition row(const std::vector<std::string_view>& fields) const;
  [[noreturn]] void fail(const std::string& what) const { throw Error::format(path_, line_, what); }

 private:
  std::string_view field(std::string_view& line) const;
  double number(const std::vector<std::string_view>& fields, std::size_t column) const;

  std::string_view rest_;
  const std::string& path_;
  int line_ = 0;
  std::size_t width_ = 0;
  std::array<std::size_t, names.size()> at_ = {};
};

// Cuts the first field off the line; a quoted one may hold commas.
std::string_view Reader::field(std::string_view& line) const {
  const std::string_view blank = " \t";
  const std::size_t start = std::min(line.find_first_not_of(blank), line.size());
  std::size_t end = line.find(',');
  std::string_view found = trimmed(line.substr(0, end));
  if (start < line.size() && line[start] == '"') {
    std::size_t close = line.find('"', start + 1);
    while (close != std::string_view::npos && line.substr(close + 1).starts_with('"'))
      close = line.find('"', close + 2);
    if (close == std::string_view::npos) fail("a quoted field does not end on this line");
    found = line.substr(start + 1, close - start - 1);
    end = line.find(',', close);
    if (!trimmed(line.substr(close + 1, end == std::string_view::npos ? end : end - close - 1)).empty())
      fail("something follows a quoted field before the comma");
  }
  line.remove_prefix(end == std::string_view::npos ? line.size() : end + 1);
  return found;
}

bool Reader::next(std::vector<std::string_view>& fields) {
  while (!rest_.empty()) {
    ++line_;
    const std::size_t end = rest_.find('\n');
    std::string_view line = rest_.substr(0, end);
    rest_.remove_prefix(end == std::string_view::npos ? rest_.size() : end + 1);
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (trimmed(line).empty()) continue;
    fields.clear();
    const bool comma_ends = line.ends_with(',');
    while (!line.empty()) fields.push_back(field(line));
    if (comma_ends) fields.emplace_back();
    return true;
  }
  return false;
}

void Reader::header(const std::vector<std::string_view>& fields) {
  std::vector<std::string_view> missing;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const auto found = std::ranges::find(fields, names[i]);
    if (found == fields.end()) {
      missing.emplace_back(names[i]);
      continue;
    }
    at_[i] = static_cast<std::size_t>(found - fields.begin());
    if (std::ranges::count(fields, names[i]) > 1) fail(fmt::format("column {} appears twice", names[i]));
  }
  if (!missing.empty()) {
    fail(fmt::format("no column {}; the first line must name {}", fmt::join(missing, ", "),
                     fmt::join(names, ", ")));
  }
  width_ = fields.size();
}

double Reader::number(const std::vector<std::string_view>& fields, std::size_t column) const {
  std::string_view text = fields[at_[column]];
  if (text.size() > 1 && text[0] == '+' && text[1] != '-') text.remove_prefix(1);
  const auto value = read_as<double>(text);
  if (!value || !std::isfinite(*value))
    fail(fmt::format("{} is '{}', expected a number", names[column], fields[at_[column]].substr(0, 40)));
  return *value;
}

Repetition Reader::row(const std::vector<std::string_view>& fields) const {
  if (fields.size() != width_)
    fail(fmt::format("{} fields, but the first line names {}", fields.size(), width_));
  Repetition row;
  for (std::size_t x = 0; x < row.bytes.size(); ++x) {
    row.bytes[x] = number(fields, x) + 0.0;  // no -0
    if (row.bytes[x] < 0) fail(fmt::format("{} is {}, expected 0 or more", names[x], row.bytes[x]));
  }
  row.seconds = number(fields, 4);
  if (row.seconds <= 0) fail(fmt::format("seconds is {}, expected more than 0", row.seconds));
  const double bytes = total(row.bytes);
  if (bytes <= 0) fail("all bytes are 0: nothing was moved");
  for (const double part : row.bytes) {
    const double rate = part / row.seconds;
    if (part > 0 && (rate < 1e-30 || rate > 1e30 || bytes > 1e30))
      fail(fmt::format("{} bytes in {} seconds is not a bandwidth", part, row.seconds));
  }
  return row;
}

Cell cell_of(std::vector<Repetition>::const_iterator begin, std::vector<Repetition>::const_iterator end) {
  if (end - begin == 1) return {begin->bytes, {begin->seconds, begin->seconds, begin->seconds, 1}};
  std::vector<double> seconds;
  for (auto repetition = begin; repetition != end; ++repetition) seconds.push_back(repetition->seconds);
  return {begin->bytes, estimate_median(std::move(seconds))};
}

}  // namespace

CsvGrid grid_from_csv(std::string_view text, const std::string& path) {
  Reader reader(text, path);
  std::vector<std::string_view> fields;
  if (!reader.next(fields)) throw Error::format(path, 1, "empty file, expected a grid as CSV");
  reader.header(fields);
  std::vector<Repetition> rows;
  while (reader.next(fields)) rows.push_back(reader.row(fields));
  if (rows.empty()) reader.fail("no row after the header");
  sort_by(rows, [](const Repetition& row) { return std::tie(row.bytes, row.seconds); });
  CsvGrid grid;
  grid.rows = static_cast<int>(rows.size());
  for (auto begin = rows.cbegin(); begin != rows.cend();) {
    const auto end =
        std::find_if(begin, rows.cend(), [&](const Repetition& row) { return row.bytes != begin->bytes; });
    grid.cells.push_back(cell_of(begin, end));
    begin = end;
  }
  return grid;
}

}  // namespace gable::model
