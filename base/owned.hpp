#pragma once

// File descriptors and mapped memory with an owner, which closes or unmaps them.

#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <span>
#include <string>
#include <utility>

#include "base/error.hpp"

namespace gable {

/// Owns a file descriptor; -1: none.
class Descriptor {
 public:
  explicit Descriptor(int fd = -1) : fd_(fd) {}
  /// Throws std::system_error with `what` and errno where there is none.
  Descriptor(int fd, const std::string& what) : fd_(fd) {
    if (fd_ < 0) fail(what);
  }
  ~Descriptor() {
    if (fd_ >= 0) close(fd_);
  }
  Descriptor(Descriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  int get() const { return fd_; }
  explicit operator bool() const { return fd_ >= 0; }

 private:
  int fd_;
};

/// Owns mapped memory.
class Mapped {
 public:
  Mapped() = default;
  /// What mmap(2) returned; MAP_FAILED: none.
  Mapped(void* mapping, std::size_t bytes) {
    if (mapping != MAP_FAILED) memory_ = {static_cast<std::byte*>(mapping), bytes};
  }
  ~Mapped() {
    if (!memory_.empty()) munmap(memory_.data(), memory_.size());
  }
  Mapped(Mapped&& other) noexcept : memory_(std::exchange(other.memory_, {})) {}
  Mapped& operator=(Mapped&& other) noexcept {
    std::swap(memory_, other.memory_);
    return *this;
  }
  std::span<std::byte> get() const { return memory_; }
  explicit operator bool() const { return !memory_.empty(); }

 private:
  std::span<std::byte> memory_;
};

}  // namespace gable
