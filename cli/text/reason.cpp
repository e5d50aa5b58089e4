#include "cli/text/reason.hpp"

#include <algorithm>
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

bool less(const std::string& a, const std::string& b) {
  return std::stod(a) < std::stod(b);
}

}  // namespace

std::string Reason::pattern(const std::string& reason) {
  return parts_of(reason).pattern;
}

void Reason::add(const std::string& reason) {
  const auto [pattern, numbers] = parts_of(reason);
  pattern_ = pattern;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (i == numbers_.size()) numbers_.push_back({numbers[i], numbers[i]});
    numbers_[i].least = std::min(numbers_[i].least, numbers[i], less);
    numbers_[i].most = std::max(numbers_[i].most, numbers[i], less);
  }
}

std::string Reason::text() const {
  std::string text;
  std::size_t next = 0;
  for (const char c : pattern_) {
    if (c != mark || next == numbers_.size()) {
      text += c;
      continue;
    }
    const auto& [least, most] = numbers_[next++];
    text += least == most ? least : least + " to " + most;
  }
  return text;
}

}  // namespace gable::cli
