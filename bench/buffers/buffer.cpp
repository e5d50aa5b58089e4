#include "bench/buffers/buffer.hpp"

#include <fmt/format.h>
#include <linux/mman.h>
#include <numa.h>
#include <numaif.h>
#include <sys/mman.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <utility>

#include "base/error.hpp"
#include "base/pages.hpp"
#include "base/words.hpp"
#include "bench/buffers/page_weights.hpp"
#include "bench/buffers/residence.hpp"

namespace gable::bench {

namespace {

std::size_t round_up(std::size_t bytes, std::size_t unit) {
  return (bytes + unit - 1) / unit * unit;
}

void bind_pages(void* begin, std::size_t bytes, const std::vector<unsigned>& nodes, model::Notes& notes) {
  if (nodes.empty()) return;
  const auto mask = node_mask(nodes);
  const int mode = nodes.size() == 1 ? MPOL_BIND : MPOL_INTERLEAVE;
  if (mbind(begin, bytes, mode, mask.data(), mask_bits(mask), MPOL_MF_STRICT) == 0) return;
  if (errno == EINVAL)
    throw Error::unavailable(
        fmt::format("node {} has no memory or is not allowed here", fmt::join(nodes, " or ")));
  notes.push_back({model::NoteCode::not_bound, {"mbind", std::strerror(errno)}});
}

void bind_pages(std::byte* begin, const std::vector<Buffer::Range>& ranges, model::Notes& notes) {
  for (const Buffer::Range& range : ranges) {
    if (range.weights.empty()) {
      bind_pages(begin, range.bytes, range.nodes, notes);
    } else if (const std::string why = no_thread_policy(range.nodes.front()); !why.empty()) {
      notes.push_back({model::NoteCode::not_bound, {"set_mempolicy", why}});
    }
    begin += range.bytes;
  }
}

std::vector<WeightedRange> weighted_ranges(std::byte* begin, const std::vector<Buffer::Range>& ranges) {
  std::vector<WeightedRange> weighted;
  for (const Buffer::Range& range : ranges) {
    if (!range.weights.empty()) weighted.push_back({begin, range.bytes, range.nodes, range.weights});
    begin += range.bytes;
  }
  return weighted;
}

// Reserved huge pages on the requested nodes if the administrator reserved some. They are populated at once,
// since a missing page would cause SIGBUS later.
Mapped map_reserved(std::size_t bytes, const std::vector<Buffer::Range>& ranges, model::Pages pages,
                    model::Notes& notes) {
  const int size_flag = std::countr_zero(page_unit(pages)) << MAP_HUGE_SHIFT;
  Mapped mapping(mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_HUGETLB | size_flag, -1, 0),
                 bytes);
  if (!mapping) return mapping;
  std::byte* const all = mapping.get().data();
  bind_pages(all, ranges, notes);
  const auto populate = [](void* begin, std::size_t size) {
    return madvise(begin, size, MADV_POPULATE_WRITE) == 0 || errno == EINVAL;  // EINVAL: before Linux 5.14
  };
  for (const WeightedRange& range : weighted_ranges(all, ranges)) {
    by_weights(range, page_unit(pages), [&](std::byte* begin, std::size_t size) { populate(begin, size); });
  }
  return populate(all, bytes) ? std::move(mapping) : Mapped();
}

}  // namespace

std::size_t page_unit(model::Pages pages) {
  const std::size_t bytes = pages.bytes();
  return bytes == 0 ? small_page() : bytes;
}

Buffer::Buffer(std::size_t bytes, const std::vector<unsigned>& nodes, model::Pages pages, model::Notes& notes)
    : page_bytes_(page_unit(pages)) {
  map({Range{round_up(bytes, page_bytes_), nodes}}, pages, notes);
}

Buffer::Buffer(const std::vector<Range>& ranges, model::Pages pages, model::Notes& notes)
    : page_bytes_(page_unit(pages)) {
  map(ranges, pages, notes);
}

void Buffer::map(const std::vector<Range>& ranges, model::Pages pages, model::Notes& notes) {
  for (const Range& range : ranges) size_ += range.bytes;
  const bool small = page_bytes_ == small_page();
  if (!small) mapping_ = map_reserved(size_, ranges, pages, notes);
  const bool reserved = static_cast<bool>(mapping_);
  if (!reserved && !small && page_bytes_ != huge_page()) {
    throw Error::unavailable(
        fmt::format("no free {} pages (reserve some in /sys/kernel/mm/hugepages/hugepages-{}kB)",
                    bytes_text(page_bytes_), page_bytes_ >> 10));
  }
  // The kernel interleaves pages by their addresses: the first page must be an even one.
  const std::size_t alignment = ranges.size() > 1 ? 2 * page_bytes_ : page_bytes_;
  if (!reserved) {
    const std::size_t bytes = size_ + (alignment > small_page() ? alignment : 0);
    mapping_ = Mapped(
        mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0),
        bytes);
    if (!mapping_) throw Error::unavailable(fmt::format("mmap of {} bytes: {}", size_, std::strerror(errno)));
    madvise(mapping_.get().data(), bytes, page_bytes_ == huge_page() ? MADV_HUGEPAGE : MADV_NOHUGEPAGE);
  }
  std::byte* const begin = mapping_.get().data();
  const auto address = reinterpret_cast<std::uintptr_t>(begin);
  data_ = begin + (reserved ? 0 : round_up(address, alignment) - address);
  weighted_ = weighted_ranges(data_, ranges);
  if (!reserved) bind_pages(data_, ranges, notes);
}

void Buffer::fill(std::size_t bytes) const {
  for (WeightedRange range : weighted_) {
    const auto offset = static_cast<std::size_t>(range.begin - data_);
    range.bytes = std::min(range.bytes, round_up(bytes, page_bytes_) - std::min(offset, bytes));
    by_weights(range, page_bytes_, [](std::byte* begin, std::size_t size) {
      std::fill_n(reinterpret_cast<double*>(begin), size / sizeof(double), 1.0);
    });
  }
  fill(0, bytes);
}

void Buffer::fill(std::size_t begin, std::size_t end) const {
  end = std::min(end, size_);
  if (begin >= end) return;
  std::fill_n(reinterpret_cast<double*>(data_ + begin), (end - begin) / sizeof(double), 1.0);
}

std::map<int, std::uint64_t> Buffer::glimpse(std::size_t bytes, std::size_t most_pages,
                                             std::size_t begin) const {
  const std::size_t first = std::min(begin, size_) / page_bytes_;
  const std::size_t pages = round_up(std::min(begin + bytes, size_), page_bytes_) / page_bytes_ - first;
  return sampled_residence(data_ + first * page_bytes_, pages, page_bytes_, most_pages);
}

std::map<int, std::uint64_t> Buffer::residence(std::size_t bytes, std::size_t most_pages,
                                               std::size_t begin) const {
  if (auto found = glimpse(bytes, most_pages, begin); !found.empty()) return found;
  std::ifstream numa_maps("/proc/self/numa_maps");
  return in_bytes(mapped_pages(numa_maps, reinterpret_cast<std::uintptr_t>(data_)),
                  round_up(std::min(bytes, size_), page_bytes_));
}

void Buffer::find_pages(std::vector<int>& nodes, std::size_t most_pages) const {
  nodes.resize(size_ / page_bytes_, -1);
  // This also checks the second small page of each huge page, to detect split ones.
  const std::size_t checked = page_bytes_ > small_page() ? 2 : 1;
  const std::vector<std::size_t> pages = representative_pages(nodes.size(), most_pages);
  std::vector<void*> addresses;
  for (const std::size_t i : pages) {
    for (std::size_t j = 0; j < checked; ++j) addresses.push_back(data_ + i * page_bytes_ + j * small_page());
  }
  std::vector<int> status(addresses.size(), -1);
  if (move_pages(0, addresses.size(), addresses.data(), nullptr, status.data(), 0) != 0) {
    nodes.clear();
    return;
  }
  for (std::size_t i = 0; i < pages.size(); ++i) {
    const int here = status[i * checked];
    nodes[pages[i]] = here == status[i * checked + checked - 1] ? here : split_page;
  }
}

HugePages::HugePages() {
  std::ifstream smaps("/proc/self/smaps");
  for (std::string line; std::getline(smaps, line);) {
    std::uintptr_t from = 0, to = 0;
    unsigned long kib = 0;
    if (std::sscanf(line.c_str(), "%lx-%lx ", &from, &to) == 2) {
      mappings_.push_back({from, to, 0, 0});
    } else if (mappings_.empty()) {
      continue;
    } else if (std::sscanf(line.c_str(), "Rss: %lu", &kib) == 1) {
      mappings_.back().resident_kib += kib;
    } else if (std::sscanf(line.c_str(), "AnonHugePages: %lu", &kib) == 1) {
      mappings_.back().huge_kib += kib;
    } else if (std::sscanf(line.c_str(), "Private_Hugetlb: %lu", &kib) == 1) {
      mappings_.back().huge_kib += kib;
      mappings_.back().resident_kib += kib;  // Rss does not count them
    }
  }
}

double HugePages::share(const std::byte* begin, std::size_t bytes) const {
  const auto first = reinterpret_cast<std::uintptr_t>(begin);
  std::uint64_t resident = 0, in_huge = 0;
  auto mapping = std::ranges::upper_bound(mappings_, first, {}, &Mapping::to);
  for (; mapping != mappings_.end() && mapping->from < first + bytes; ++mapping) {
    resident += mapping->resident_kib;
    in_huge += mapping->huge_kib;
  }
  return resident == 0 ? -1 : static_cast<double>(in_huge) / static_cast<double>(resident);
}

bool huge_pages_can_be_had() {
  try {
    model::Notes notes;
    const Buffer buffer(2 * huge_page(), {}, model::huge_pages(), notes);
    buffer.fill(buffer.size());
    return HugePages().share(buffer.data(), buffer.size()) > 0.9;
  } catch (const Error&) {
    return false;
  }
}

}  // namespace gable::bench
