#include "base/nearest.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "base/words.hpp"

namespace gable {

namespace {

// The word in lower case, without dashes in front.
std::string plain(std::string_view word) {
  word.remove_prefix(std::min(word.find_first_not_of('-'), word.size()));
  return lower_case(std::string(word));
}

}  // namespace

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before, last(b.size() + 1), row(b.size() + 1);
  std::iota(last.begin(), last.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        row[j] = std::min(row[j], before[j - 2] + 1);
    }
    before = last;
    last = row;
  }
  return last.back();
}

std::string nearest(std::string_view word, const std::vector<std::string>& names) {
  const std::string typed = plain(word);
  if (typed.empty()) return {};
  std::string best;
  std::size_t least = std::max<std::size_t>(1, typed.size() / 3) + 1;
  for (const std::string& name : names) {
    const std::size_t distance = edit_distance(typed, plain(name));
    // A two-letter word with one wrong letter is too ambiguous.
    if (distance >= least || distance >= std::max(typed.size(), plain(name).size()) / 2 + 1) continue;
    if (typed.size() < 3 && distance > 0 && plain(name).size() < 3) continue;
    least = distance;
    best = name;
  }
  if (!best.empty()) return best;
  const auto begins = [&](const std::string& name) { return plain(name).starts_with(typed); };
  if (std::ranges::count_if(names, begins) != 1) return {};
  return *std::ranges::find_if(names, begins);
}

std::string did_you_mean(std::string_view word, const std::vector<std::string>& names) {
  const std::string meant = nearest(word, names);
  return meant.empty() ? meant : fmt::format("; did you mean '{}'?", meant);
}

}  // namespace gable
