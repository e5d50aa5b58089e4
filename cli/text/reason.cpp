#include "cli/text/reason.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <string_view>

namespace gable::cli {
namespace {

constexpr char mark = '\x01';  // where a number stood

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

// The number that begins here, if one stands by itself here: not the 0 of "node0" nor the 2 of "2m".
std::string_view number_at(std::string_view reason, std::size_t begin) {
  if (begin > 0 && reason[begin - 1] != ' ' && reason[begin - 1] != '(') return {};
  std::size_t end = begin;
  while (end < reason.size() && is_digit(reason[end])) ++end;
  if (end == begin) return {};
  if (end + 1 < reason.size() && reason[end] == '.' && is_digit(reason[end + 1])) {
    for (++end; end < reason.size() && is_digit(reason[end]);) ++end;
  }
  constexpr std::string_view after = " ,;:)%";
  const bool alone = end == reason.size() || after.find(reason[end]) != std::string_view::npos;
  return alone ? reason.substr(begin, end - begin) : std::string_view();
}

struct Parts {
  std::string pattern;
  std::vector<std::string> numbers;
};

Parts parts_of(std::string_view reason) {
  Parts parts;
  for (std::size_t i = 0; i < reason.size();) {
    const std::string_view found = number_at(reason, i);
    if (found.empty()) {
      parts.pattern += reason[i++];
    } else {
      parts.pattern += mark;
      parts.numbers.emplace_back(found);
      i += found.size();
    }
  }
  return parts;
}

// Whether a number behind this text says which one is meant, not how many or how much.
bool names_one(std::string_view before) {
  constexpr std::array<std::string_view, 3> words = {"cluster ", "node ", "CPU "};
  return std::ranges::any_of(words, [&](std::string_view word) {
    return before.ends_with(word) &&
           (before.size() == word.size() || before[before.size() - word.size() - 1] == ' ');
  });
}

// "0, 3 or 5-8"
template <typename Numbers>
std::string any_of_text(const Numbers& numbers) {
  constexpr int shortest = 3;
  std::vector<std::string> parts;
  for (auto from = numbers.begin(); from != numbers.end();) {
    int length = 1;
    auto last = from, next = std::next(from);
    for (; next != numbers.end() && std::stod(*next) == std::stod(*last) + 1; ++length) last = next++;
    if (length < shortest) next = std::next(last = from);
    parts.push_back(last == from ? *from : *from + "-" + *last);
    from = next;
  }
  const std::string end = parts.back();
  parts.pop_back();
  return parts.empty() ? end : fmt::format("{} or {}", fmt::join(parts, ", "), end);
}

}  // namespace

bool Reason::Less::operator()(const std::string& a, const std::string& b) const {
  return std::stod(a) < std::stod(b);
}

std::string Reason::pattern(const std::string& reason) {
  return parts_of(reason).pattern;
}

void Reason::add(const std::string& reason) {
  const auto [pattern, numbers] = parts_of(reason);
  pattern_ = pattern;
  numbers_.resize(std::max(numbers_.size(), numbers.size()));
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers_[i].insert(numbers[i]);
}

std::string Reason::text() const {
  std::string text;
  std::size_t next = 0;
  for (const char c : pattern_) {
    if (c != mark || next == numbers_.size()) {
      text += c;
      continue;
    }
    const auto& found = numbers_[next++];
    text += found.size() == 1 ? *found.begin()
            : names_one(text) ? any_of_text(found)
                              : *found.begin() + " to " + *found.rbegin();
  }
  return text;
}

}  // namespace gable::cli
