#include "mutator.hpp"

#include <algorithm>
#include <bit>
#include <string_view>

namespace gable::fuzz {
namespace {

// What readers stumble over.
constexpr std::string_view words[] = {"0",
                                      "-1",
                                      "1e400",
                                      "-1e-400",
                                      "1e308",
                                      "0.1",
                                      "255",
                                      "65536",
                                      "2147483648",
                                      "4294967295",
                                      "4294967296",
                                      "9223372036854775808",
                                      "18446744073709551615",
                                      "18446744073709551616",
                                      "null",
                                      "true",
                                      "[]",
                                      "{}",
                                      "\"\"",
                                      "[[[[",
                                      "{\"a\":",
                                      "NaN",
                                      "nan",
                                      "inf",
                                      "\"\\u0000\"",
                                      "\"\\u001b[2J\"",
                                      "\"\\ud800\"",
                                      "\xff\xfe",
                                      "\xc2\x9b",
                                      "\r\n",
                                      "\n\n",
                                      ",",
                                      ",,",
                                      "\"",
                                      "\t",
                                      "%",
                                      "0x7fffffffffffffff",
                                      "../../etc",
                                      "ok",
                                      "invalid",
                                      "skipped"};

class Change {
 public:
  Change(std::string& text, const std::vector<std::string>& files, std::mt19937_64& random)
      : text_(text), files_(files), random_(random) {}

  void make() {
    switch (below(10)) {
      case 0:
        return flip();
      case 1:
        return void(text_.insert(place(), 1, static_cast<char>(below(256))));
      case 2:
        return void(text_.erase(place(), 1 + below(8)));
      case 3:
        return repeat();
      case 4:
        return replace_token();
      case 5:
        return void(text_.insert(place(), words[below(std::size(words))]));
      case 6:
        return splice();
      case 7:
        return text_.resize(place());
      case 8:
        return drop_line();
      default:
        return replace_number();
    }
  }

 private:
  std::size_t below(std::size_t limit) { return limit == 0 ? 0 : random_() % limit; }
  std::size_t place() { return below(text_.size() + 1); }

  void flip() {
    if (!text_.empty()) text_[below(text_.size())] ^= static_cast<char>(1 << below(8));
  }

  void repeat() {
    const std::size_t from = place(), size = std::min(text_.size() - from, 1 + below(64));
    const std::string part = text_.substr(from, size);
    std::string many;
    for (std::size_t i = 0, times = 1 + below(20); i < times; ++i) many += part;
    text_.insert(place(), many);
  }

  // A number, a word or a quoted text.
  void replace_token() {
    constexpr std::string_view ends = " ,:[]{}\n\t<>=/";
    const std::size_t from = std::min(text_.find_first_not_of(ends, place()), text_.size());
    const std::size_t to = std::min(text_.find_first_of(ends, from), text_.size());
    text_.replace(from, to - from, words[below(std::size(words))]);
  }

  void replace_number() {
    constexpr std::string_view digits = "0123456789";
    const std::size_t from = std::min(text_.find_first_of(digits, place()), text_.size());
    const std::size_t to = std::min(text_.find_first_not_of(digits, from), text_.size());
    const std::uint64_t number = below(2) == 0 ? below(20) : random_() >> below(64);
    if (from < to) text_.replace(from, to - from, std::to_string(number));
  }

  void splice() {
    const std::string& other = files_[below(files_.size())];
    const std::size_t from = below(other.size() + 1);
    text_.replace(place(), below(64), other.substr(from, below(256)));
  }

  void drop_line() {
    const std::size_t at = place(), begin = at == 0 ? 0 : text_.rfind('\n', at - 1) + 1;
    const std::size_t end = text_.find('\n', at);
    text_.erase(begin, end == std::string::npos ? end : end + 1 - begin);
  }

  std::string& text_;
  const std::vector<std::string>& files_;
  std::mt19937_64& random_;
};

}  // namespace

std::string mutant(const std::vector<std::string>& files, std::mt19937_64& random, std::size_t most) {
  std::string text = files[random() % files.size()];
  for (int changes = 1 + std::min(std::countr_zero(random()), 7); changes > 0; --changes)
    Change(text, files, random).make();
  text.resize(std::min(text.size(), most));
  return text;
}

}  // namespace gable::fuzz
