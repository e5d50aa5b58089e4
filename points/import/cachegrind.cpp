// cachegrind.out: "desc:" lines with the caches, "events:" with names, "summary:" with their sums; callgrind
// writes the same.

#include <fmt/format.h>

#include <map>

#include "base/csv.hpp"
#include "base/error.hpp"
#include "base/reading.hpp"
#include "points/import/import.hpp"

namespace gable::points {

namespace {

std::vector<std::string> cells_in(const std::string& line) {
  TextStream stream(line);
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

// "desc: LL cache: 8388608 B, 64 B, 16-way associative"
double line_bytes_in(const std::string& line, const std::string& where) {
  const std::size_t comma = line.find(',');
  const std::vector<std::string> words = cells_in(comma == std::string::npos ? "" : line.substr(comma + 1));
  double bytes = 0;
  if (words.empty() || !to_number(words.front(), bytes) || bytes < 1 || bytes > 4096)
    throw Error::format(where, "no size of a cache line, as in 'desc: LL cache: 8388608 B, 64 B, …'");
  return bytes;
}

class Totals {
 public:
  Totals(const std::string& text, const std::string& path) : path_(path) {
    TextStream lines(text);
    std::vector<std::string> events;
    int number = 0;
    for (std::string line; std::getline(lines, line);) {
      ++number;
      if (line.starts_with("desc: LL cache:"))
        line_bytes = line_bytes_in(line, fmt::format("{}:{}", path, number));
      if (line.starts_with("events:")) events = cells_in(line.substr(7));
      if (line.starts_with("summary:")) add(events, cells_in(line.substr(8)), number);
    }
    if (counts_.empty())
      throw Error::format(path, "no summary: did the program end under cachegrind or callgrind?");
    if (line_bytes <= 0) throw Error::format(path, "no 'desc: LL cache:'");
  }

  double operator[](const char* event) const {
    const auto found = counts_.find(event);
    if (found == counts_.end())
      throw Error::format(path_, fmt::format("no event {}: simulate caches (--cache-sim=yes)", event));
    return found->second;
  }

  double line_bytes = 0;

 private:
  void add(const std::vector<std::string>& events, const std::vector<std::string>& sums, int line) {
    // Sums at the end that are 0 may be left out.
    if (sums.size() > events.size()) throw Error::format(path_, line, "more sums than events");
    for (std::size_t i = 0; i < events.size(); ++i) {
      double count = 0;
      if (i < sums.size() && (!to_number(sums[i], count) || count < 0))
        throw Error::format(path_, line, fmt::format("'{}' of {} is not a count", sums[i], events[i]));
      counts_[events[i]] = count;
    }
  }

  const std::string path_;
  std::map<std::string, double> counts_;
};

}  // namespace

std::vector<ImportedRegion> import_cachegrind(const std::string& text, const std::string& path) {
  const Totals totals(text, path);
  ImportedRegion whole;
  whole.loads = totals["Dr"];
  whole.stores = totals["Dw"];
  const double line = totals.line_bytes;
  add_level(whole, model::Level("L2"), line * (totals["D1mr"] + totals["D1mw"]), line * totals["D1mw"]);
  add_level(whole, model::Level::memory(), line * (totals["DLmr"] + totals["DLmw"]), line * totals["DLmw"]);
  whole.notes.emplace_back(model::NoteCode::write_backs_not_counted);
  note_no_flops(whole);
  return {whole};
}

}  // namespace gable::points
