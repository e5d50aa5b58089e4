#include "machines/files.hpp"

#include <charconv>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <sstream>

#include "base/numbers.hpp"
#include "base/reading.hpp"
#include "base/words.hpp"

namespace gable::machines {

namespace {

constexpr const char* blank = " \t\r\n\"";

std::string trim(const std::string& text) {
  const std::size_t from = text.find_first_not_of(blank);
  if (from == std::string::npos) return {};
  return text.substr(from, text.find_last_not_of(blank) - from + 1);
}

}  // namespace

std::string read_text(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(in), {}};
  while (!text.empty() && (text.back() == '\n' || text.back() == '\0')) text.pop_back();
  return text;
}

std::string raw_text(const std::filesystem::path& path) {
  std::ifstream in(path);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

std::optional<std::uint64_t> stat_field(const std::string& stat, int place) {
  // The second field is the name in brackets, which may contain anything.
  const std::size_t name_end = stat.rfind(')');
  if (name_end == std::string::npos) return std::nullopt;
  TextStream fields(stat.substr(name_end + 1));
  std::string field;
  for (int number = 3; number <= place; ++number) fields >> field;
  return fields ? to_number(field) : std::nullopt;
}

std::optional<MapsLine> maps_line(const std::string& line) {
  MapsLine found;
  char rights[5] = {};
  int name = 0;
  if (std::sscanf(line.c_str(), "%lx-%lx %4s %lx %x:%x %lu %n", &found.begin, &found.end, rights,
                  &found.offset, &found.major, &found.minor, &found.inode, &name) < 7 ||
      found.end <= found.begin)
    return std::nullopt;
  found.rights.assign(rights, 4);
  if (name > 0) found.file = line.substr(static_cast<std::size_t>(name));
  return found;
}

std::string read_field(const std::filesystem::path& path, const std::string& key, char separator) {
  std::ifstream in(path);
  for (std::string line; std::getline(in, line);) {
    const std::size_t split = line.find(separator);
    if (split != std::string::npos && trim(line.substr(0, split)) == key) return trim(line.substr(split + 1));
  }
  return {};
}

std::vector<unsigned> listed_numbers(const std::string& list) {
  constexpr unsigned most = 1u << 20;
  std::vector<unsigned> numbers;
  for (const std::string& part : split(list, ',')) {
    const std::size_t dash = part.find('-');
    const auto first = read_as<unsigned>(part.substr(0, dash));
    const auto last = dash == std::string::npos ? first : read_as<unsigned>(part.substr(dash + 1));
    if (!first || !last || *last < *first || *last > most) return {};
    for (unsigned number = *first; number <= *last; ++number) numbers.push_back(number);
  }
  return numbers;
}

std::optional<std::uint64_t> to_number(const std::string& text) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end == text.data()) return std::nullopt;
  return value;
}

}  // namespace gable::machines
