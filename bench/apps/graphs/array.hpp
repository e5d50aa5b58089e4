#pragma once

// Large arrays that cost nothing until they are written and give their memory back at once.

#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <new>
#include <span>
#include <type_traits>
#include <utility>

namespace gable::bench {

/// `size` elements, all zero bits; pages are allocated at their first write. Throws
/// std::bad_alloc.
template <class T>
class Array {
  static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>);

 public:
  Array() = default;
  explicit Array(std::size_t size) : size_(size) {
    if (size == 0) return;
    void* mapping = mmap(nullptr, size * sizeof(T), PROT_READ | PROT_WRITE,
                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (mapping == MAP_FAILED) throw std::bad_alloc();
    madvise(mapping, size * sizeof(T), MADV_HUGEPAGE);
    data_ = static_cast<T*>(mapping);
  }
  ~Array() {
    if (data_ != nullptr) munmap(data_, size_ * sizeof(T));
  }
  Array(Array&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}
  Array& operator=(Array&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    return *this;
  }

  /// Gives the memory behind the first `size` elements back.
  void shrink(std::size_t size) {
    const std::size_t keep = whole_pages(size * sizeof(T)), have = whole_pages(size_ * sizeof(T));
    if (keep < have) munmap(reinterpret_cast<std::byte*>(data_) + keep, have - keep);
    if (keep == 0) data_ = nullptr;
    size_ = size;
  }

  /// The part of this memory that `size` elements of another type need, with its present content.
  template <class Other>
  Array<Other> reuse(std::size_t size) && {
    shrink((size * sizeof(Other) + sizeof(T) - 1) / sizeof(T));
    return Array<Other>(reinterpret_cast<Other*>(std::exchange(data_, nullptr)), size);
  }

  T* data() const { return data_; }
  std::size_t size() const { return size_; }
  T& operator[](std::size_t i) const { return data_[i]; }
  T* begin() const { return data_; }
  T* end() const { return data_ + size_; }
  operator std::span<T>() const { return {data_, size_}; }
  operator std::span<const T>() const { return {data_, size_}; }

 private:
  template <class>
  friend class Array;
  friend class EdgeList;

  Array(T* mapping, std::size_t size) : data_(mapping), size_(size) {}

  static std::size_t whole_pages(std::size_t bytes) {
    const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    return (bytes + page - 1) / page * page;
  }

  T* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace gable::bench
