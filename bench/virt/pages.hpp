#pragma once

// Memory in pages of one size: the requested size, or the reason why it is not available.

#include <cstddef>

#include "base/owned.hpp"
#include "model/domain/virt_pages.hpp"

namespace gable::bench {

/// Whether there may be any: hugetlb pages ("2m", "1g") must be free.
bool has_pages(model::VirtPages pages);

/// A private mapping in pages of one size. Except for hugetlb, nothing is touched before the caller writes.
class Pages {
 public:
  /// `pages`: "4k" (never huge), "thp" (transparent huge pages), "2m", "1g" (hugetlb). Throws
  /// Error::unavailable.
  Pages(model::VirtPages pages, std::size_t bytes);

  std::byte* data() const { return data_; }
  std::size_t size() const { return size_; }
  /// Call this after everything is touched. Throws Error::unavailable if less than 95 % of "thp" memory is in
  /// huge pages.
  void require_huge() const;

 private:
  model::VirtPages pages_;
  std::byte* data_ = nullptr;
  std::size_t size_ = 0;
  Mapped mapping_;
};

}  // namespace gable::bench
