#include "base/pages.hpp"

#include <unistd.h>

#include <charconv>

namespace gable {

std::uint64_t small_page() {
  static const auto bytes = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  return bytes;
}

std::uint64_t huge_page() {
  return small_page() / 8 * small_page();
}

std::string page_size_name(std::uint64_t bytes) {
  std::uint64_t count = bytes >> 10;
  const char* unit = "kmg";
  for (; count >= 1024 && count % 1024 == 0 && *unit != 'g'; ++unit) count /= 1024;
  return std::to_string(count) + *unit;
}

std::uint64_t page_size_bytes(std::string_view name) {
  std::uint64_t count = 0;
  const char* const end = name.data() + name.size();
  const auto [after, error] = std::from_chars(name.data(), end, count);
  const std::size_t unit = after == end ? std::string_view::npos : std::string_view("kmg").find(*after);
  if (error != std::errc() || after + 1 != end || unit == std::string_view::npos || count > 1023) return 0;
  return count << 10 * (unit + 1);
}

}  // namespace gable
