#include "cli/reason.hpp"

#include <algorithm>
#include <regex>

namespace gable::cli {
namespace {

// A number that stands by itself: not the 0 of "node0" nor the 2 of "2m".
const std::regex number(R"((^|[ (])([0-9]+(\.[0-9]+)?)(?=$|[ ,;:)%]))");

constexpr char mark = '\x01';  // where a number stood

std::vector<std::string> numbers_of(const std::string& reason) {
  std::vector<std::string> numbers;
  for (std::sregex_iterator match(reason.begin(), reason.end(), number), end; match != end; ++match) {
    numbers.push_back((*match)[2]);
  }
  return numbers;
}

bool less(const std::string& a, const std::string& b) {
  return std::stod(a) < std::stod(b);
}

}  // namespace

std::string Reason::pattern(const std::string& reason) {
  return std::regex_replace(reason, number, std::string("$1") + mark);
}

void Reason::add(const std::string& reason) {
  const std::vector<std::string> numbers = numbers_of(reason);
  pattern_ = pattern(reason);
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
