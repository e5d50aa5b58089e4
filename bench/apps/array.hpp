#pragma once

// Large arrays that cost nothing until they are written and give their memory back at once.

#include <sys/mman.h>

#include <cstddef>
#include <new>
#include <span>
#include <type_traits>
#include <utility>

namespace gable::bench {

/// `size` elements, all zero bits; pages are first touched by whoever writes them first. Throws
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

  T* data() const { return data_; }
  std::size_t size() const { return size_; }
  T& operator[](std::size_t i) const { return data_[i]; }
  T* begin() const { return data_; }
  T* end() const { return data_ + size_; }
  operator std::span<T>() const { return {data_, size_}; }
  operator std::span<const T>() const { return {data_, size_}; }

 private:
  T* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace gable::bench
