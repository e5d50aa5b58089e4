#include "bench/virt/pages.hpp"

#include <fmt/format.h>
#include <linux/mman.h>
#include <sys/mman.h>

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <exception>

#include "base/error.hpp"
#include "base/files.hpp"
#include "base/numbers.hpp"
#include "base/words.hpp"
#include "bench/buffers/buffer.hpp"

namespace gable::bench {

namespace {

std::string why_no_hugetlb(model::VirtPages pages, std::size_t bytes) {
  const std::size_t count = bytes / row_of(pages).bytes;
  return fmt::format(
      "{} free {} hugetlb {} needed: reserve them with `echo {} > "
      "/sys/kernel/mm/hugepages/hugepages-{}kB/nr_hugepages`",
      count, bytes_text(row_of(pages).bytes), count == 1 ? "page is" : "pages are", count,
      row_of(pages).bytes / KiB);
}

}  // namespace

bool has_pages(model::VirtPages pages) {
  if (!row_of(pages).reserved) return true;
  try {
    return read_whole(fmt::format("/sys/kernel/mm/hugepages/hugepages-{}kB/free_hugepages",
                                  row_of(pages).bytes / KiB)) != "0\n";
  } catch (const std::exception&) {
    return false;
  }
}

Pages::Pages(model::VirtPages pages, std::size_t bytes) : pages_(pages) {
  const std::size_t page = row_of(pages).bytes;
  size_ = (bytes + page - 1) / page * page;
  const bool hugetlb = row_of(pages).reserved;
  const std::size_t mapped = hugetlb ? size_ : size_ + page;
  const int huge = !hugetlb ? MAP_NORESERVE
                            : MAP_HUGETLB | (pages == model::VirtPages::giant ? MAP_HUGE_1GB : MAP_HUGE_2MB);
  mapping_ = Mapped(mmap(nullptr, mapped, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | huge, -1, 0),
                    mapped);
  if (!mapping_) {
    if (hugetlb) throw Error::unavailable(why_no_hugetlb(pages, size_));
    throw Error::unavailable(fmt::format("mmap of {}: {}", bytes_text(size_), std::strerror(errno)));
  }
  std::byte* const begin = mapping_.get().data();
  const auto address = reinterpret_cast<std::uintptr_t>(begin);
  data_ = begin + (hugetlb ? 0 : (page - address % page) % page);
  if (!hugetlb) {
    madvise(begin, mapped, pages == model::VirtPages::transparent ? MADV_HUGEPAGE : MADV_NOHUGEPAGE);
    return;
  }
  if (madvise(begin, mapped, MADV_POPULATE_WRITE) == 0 || errno == EINVAL) return;
  throw Error::unavailable(why_no_hugetlb(pages, size_));
}

void Pages::require_huge() const {
  if (pages_ != model::VirtPages::transparent) return;
  constexpr double enough = 0.95;
  const double share = HugePages().share(data_, size_);
  if (share >= enough) return;
  if (share < 0) throw Error::unavailable("/proc/self/smaps does not tell whether the pages are huge");
  throw Error::unavailable(
      fmt::format("only {:.0f} % of the memory came in transparent huge pages: see "
                  "/sys/kernel/mm/transparent_hugepage/enabled, or memory is fragmented",
                  100 * share));
}

}  // namespace gable::bench
