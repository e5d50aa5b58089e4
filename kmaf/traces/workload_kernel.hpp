#pragma once

// The building blocks for the kernels of workloads.hpp.

#include <cstdint>
#include <numeric>
#include <random>
#include <vector>

#include "kmaf/traces/workloads.hpp"

namespace gable::kmaf {

// Writes a kernel's accesses in small steps of alternating threads, like threads that run simultaneously.
class Kernel {
 public:
  Kernel(const WorkloadShape& shape, const AccessSink& sink)
      : shape_(shape), sink_(sink), order_(static_cast<std::size_t>(shape.threads)) {
    std::iota(order_.begin(), order_.end(), 0);
  }

  int threads() const { return shape_.threads; }
  int pages() const { return shape_.pages_of_thread; }
  bool done() const { return accesses_ >= shape_.accesses; }
  int pass() const { return pass_; }
  double progress() const { return static_cast<double>(accesses_) / static_cast<double>(shape_.accesses); }

  /// Element `element` of array `array`.
  void access(int thread, int array, int element, bool write) {
    const std::uint64_t place =
        (static_cast<std::uint64_t>(array) + 1) * static_cast<std::uint64_t>(shape_.pages_of_thread) +
        static_cast<std::uint64_t>(element);
    sink_({place << 16, static_cast<std::uint32_t>(thread), 8, write});
    ++accesses_;
  }
  void read(int thread, int array, int element) { access(thread, array, element, false); }
  /// Reads and writes.
  void update(int thread, int array, int element) {
    read(thread, array, element);
    access(thread, array, element, true);
  }

  /// Parallel initialization: thread t writes array t and every further array whose number is t plus a
  /// multiple of the number of threads.
  void touch_own(int arrays_of_thread = 1) {
    for (int own = 0; own < arrays_of_thread; ++own) {
      for (int element = 0; element < pages(); ++element) {
        for (int thread = 0; thread < threads(); ++thread)
          access(thread, own * threads() + thread, element, true);
      }
    }
  }
  /// Serial initialization: every thread reads one element, so that threads appear in the order of their
  /// numbers; then thread 0 writes all of `arrays`.
  void touch_by_first(int arrays) {
    for (int thread = 0; thread < threads(); ++thread) access(thread, arrays, 0, false);
    for (int array = 0; array < arrays; ++array) {
      for (int element = 0; element < pages(); ++element) access(0, array, element, true);
    }
  }
  /// Passes over all elements, `step(thread, element)` for each thread, until the number of accesses is
  /// reached. The order of threads at an element varies, as between unsynchronized threads. All threads meet
  /// in a barrier before and after each pass: the passes are a loop, which a replay repeats.
  template <typename Step>
  void passes(const Step& step) {
    for (barrier(); !done(); barrier()) pass(step);
  }
  /// The same without barriers, for kernels that change from pass to pass: a replay takes them as they are.
  template <typename Step>
  void changing_passes(const Step& step) {
    while (!done()) pass(step);
  }

 private:
  template <typename Step>
  void pass(const Step& step) {
    for (int element = 0; element < pages(); ++element) {
      for (std::size_t i = order_.size() - 1; i > 0; --i) std::swap(order_[i], order_[random_() % (i + 1)]);
      for (const int thread : order_) step(thread, element);
    }
    ++pass_;
  }

  void barrier() {
    constexpr std::uint64_t object = 1;
    for (int thread = 0; thread < threads(); ++thread) {
      const bool is_last = thread + 1 == threads();
      sink_(
          {object, static_cast<std::uint32_t>(thread), 0, false, 0, is_last ? Event::wake_all : Event::wait});
    }
  }

  const WorkloadShape& shape_;
  const AccessSink& sink_;
  std::vector<int> order_;  // of the threads at the present element
  std::mt19937 random_{1};
  std::uint64_t accesses_ = 0;
  int pass_ = 0;
};

/// Kernels that were not used to develop the engine; see workloads().
namespace held_out {

void stencil(const WorkloadShape& shape, const AccessSink& sink);
void product(const WorkloadShape& shape, const AccessSink& sink);
void consumers(const WorkloadShape& shape, const AccessSink& sink);
void graph(const WorkloadShape& shape, const AccessSink& sink);
void reduction(const WorkloadShape& shape, const AccessSink& sink);
void alternating(const WorkloadShape& shape, const AccessSink& sink);

}  // namespace held_out

}  // namespace gable::kmaf
