#pragma once

// How the memory of a measurement of virtualization is mapped. One row each.

#include <cstdint>
#include <span>

#include "base/numbers.hpp"
#include "model/domain/table.hpp"

namespace gable::model {

enum class VirtPages { none, small, transparent, huge, giant };

struct VirtPagesRow {
  VirtPages value;
  std::string_view name;
  std::string_view words;  ///< on a screen
  std::string_view size;   ///< of them, on a screen
  std::uint64_t bytes;     ///< of one page
  bool reserved;           ///< by the administrator (hugetlb)
  int levels;              ///< of page tables that a walk reads
};
inline constexpr VirtPagesRow virt_pages_rows[] = {
    {VirtPages::none, "", "", "", 0, false, 0},  // the measurement has no choice
    {VirtPages::small, "4k", "4 KiB", "4 KiB", 4 * KiB, false, 4},
    {VirtPages::transparent, "thp", "transparent huge", "2 MiB", 2 * MiB, false, 3},
    {VirtPages::huge, "2m", "2 MiB hugetlb", "2 MiB", 2 * MiB, true, 3},
    {VirtPages::giant, "1g", "1 GiB hugetlb", "1 GiB", GiB, true, 2},
};
static_assert(is_in_order(virt_pages_rows));
constexpr std::span<const VirtPagesRow> table(VirtPages) {
  return virt_pages_rows;
}

}  // namespace gable::model
