#pragma once

// Sizes of pages. Linux has many, and machines others than this one, so that they are values instead of the
// rows of a table.

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/pages.hpp"

namespace gable::model {

/// The size of the pages that something uses; none where it uses no memory, or where that is not known.
class Pages {
 public:
  constexpr Pages() = default;
  constexpr explicit Pages(std::uint64_t bytes) : bytes_(bytes) {}

  constexpr std::uint64_t bytes() const { return bytes_; }
  constexpr bool empty() const { return bytes_ == 0; }
  constexpr auto operator<=>(const Pages&) const = default;

 private:
  std::uint64_t bytes_ = 0;
};

/// "4k", "2m", "1g"; empty of none.
inline std::string name_of(Pages pages) {
  return pages.empty() ? "" : page_size_name(pages.bytes());
}
/// The size of pages that has this name; nothing if it is none.
inline std::optional<Pages> pages_named(std::string_view name) {
  const Pages pages(page_size_bytes(name));
  if (name_of(pages) != name) return std::nullopt;
  return pages;
}

/// This system's small pages, and its transparent huge ones.
inline Pages small_pages() {
  return Pages(small_page());
}
inline Pages huge_pages() {
  return Pages(huge_page());
}

}  // namespace gable::model
