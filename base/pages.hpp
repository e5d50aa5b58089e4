#pragma once

// Sizes of memory pages and their short names: "4k", "64k", "2m", "512m", "1g".

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace gable {

/// Bytes of this system's small page: 4, 16 or 64 KiB.
std::uint64_t small_page();

/// Bytes of this system's transparent huge page, which is what one table of addresses of 8 bytes maps: 2, 32
/// or 512 MiB.
std::uint64_t huge_page();

/// "64k" of 65536, for whole KiB.
std::string page_size_name(std::uint64_t bytes);

/// 65536 of "64k"; 0 if the text is no such name.
std::uint64_t page_size_bytes(std::string_view name);

/// The page sizes that Linux can have here, small to large (Linux: Documentation/arm64/hugetlbpage.rst).
/// Larger ones than huge_page() and sizes between must be reserved by the administrator.
std::vector<std::string> page_names();

}  // namespace gable
