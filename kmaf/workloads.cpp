#include "kmaf/workloads.hpp"

#include <algorithm>
#include <numeric>
#include <random>

namespace gable::kmaf {

namespace {

using Sink = std::function<void(const Access&)>;

// Writes a kernel's accesses, thread after thread in small steps, as threads that run side by side do.
class Kernel {
 public:
  Kernel(const WorkloadShape& shape, const Sink& sink) : shape_(shape), sink_(sink) {}

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

  /// Every thread writes its own array first: parallel initialization.
  void touch_own() {
    for (int element = 0; element < pages(); ++element) {
      for (int thread = 0; thread < threads(); ++thread) access(thread, thread, element, true);
    }
  }
  /// All read one element, so that they appear in the order of their numbers; then thread 0 writes all of
  /// `arrays`: serial initialization.
  void touch_by_first(int arrays) {
    for (int thread = 0; thread < threads(); ++thread) access(thread, arrays, 0, false);
    for (int array = 0; array < arrays; ++array) {
      for (int element = 0; element < pages(); ++element) access(0, array, element, true);
    }
  }
  /// Until the accesses are spent: passes over all elements, `step(thread, element)` for each thread. Who is
  /// first at an element changes, as between threads that nothing keeps in step.
  template <typename Step>
  void passes(const Step& step) {
    std::vector<int> order(static_cast<std::size_t>(threads()));
    std::iota(order.begin(), order.end(), 0);
    std::mt19937 random(1);
    for (; !done(); ++pass_) {
      for (int element = 0; element < pages(); ++element) {
        for (std::size_t i = order.size() - 1; i > 0; --i) std::swap(order[i], order[random() % (i + 1)]);
        for (const int thread : order) step(thread, element);
      }
    }
  }

 private:
  const WorkloadShape& shape_;
  const Sink& sink_;
  std::uint64_t accesses_ = 0;
  int pass_ = 0;
};

// Each thread updates its part and reads its neighbours' edges (a quarter of the part).
void ring(const WorkloadShape& shape, const Sink& sink) {
  Kernel kernel(shape, sink);
  kernel.touch_own();
  const int threads = kernel.threads(), edge = std::max(1, kernel.pages() / 4);
  kernel.passes([&](int thread, int element) {
    kernel.update(thread, thread, element);
    if (element < edge) kernel.read(thread, (thread + 1) % threads, kernel.pages() - 1 - element);
    if (element >= kernel.pages() - edge) {
      kernel.read(thread, (thread + threads - 1) % threads, kernel.pages() - 1 - element);
    }
  });
}

// Eight pipelines side by side: what a stage writes the next reads. The threads of a stage have neighbouring
// numbers, those of a pipeline do not.
void pipeline(const WorkloadShape& shape, const Sink& sink) {
  Kernel kernel(shape, sink);
  kernel.touch_own();
  const int pipelines = std::min(8, kernel.threads());
  kernel.passes([&](int thread, int element) {
    if (thread >= pipelines) kernel.read(thread, thread - pipelines, element);
    kernel.update(thread, thread, element);
  });
}

// Groups of threads work on a block that belongs to all of the group and that thread 0 initialized. The
// members of a group have scattered numbers.
void blocks(const WorkloadShape& shape, const Sink& sink) {
  Kernel kernel(shape, sink);
  const int groups = std::min(8, kernel.threads());
  kernel.touch_by_first(kernel.threads());
  kernel.passes([&](int thread, int element) {
    const int group = thread % groups, members = kernel.threads() / groups, member = thread / groups;
    // Each element of the group's block is updated by one member and read by two.
    const int array = group * members + (element + member) % members;
    kernel.update(thread, array, element);
    kernel.read(thread, group * members + (element + member + 1) % members, element);
  });
}

// Each thread reads a share of everybody's data and updates its own.
void all_to_all(const WorkloadShape& shape, const Sink& sink) {
  Kernel kernel(shape, sink);
  kernel.touch_own();
  const int threads = kernel.threads();
  kernel.passes([&](int thread, int element) {
    kernel.update(thread, thread, element);
    kernel.read(thread, (thread + 1 + (37 * element + 11 * kernel.pass()) % (threads - 1)) % threads,
                element);
  });
}

// Private data that thread 0 initialized.
void private_data(const WorkloadShape& shape, const Sink& sink) {
  Kernel kernel(shape, sink);
  kernel.touch_by_first(kernel.threads());
  kernel.passes([&](int thread, int element) { kernel.update(thread, thread, element); });
}

// Three phases: pairs of neighbours, pairs half the threads apart, and then each thread takes over the data
// of the thread a quarter further on.
void phases(const WorkloadShape& shape, const Sink& sink) {
  Kernel kernel(shape, sink);
  kernel.touch_own();
  const int threads = kernel.threads();
  kernel.passes([&](int thread, int element) {
    const int phase = static_cast<int>(3 * kernel.progress());
    const int own = phase < 2 ? thread : (thread + threads / 4) % threads;
    const int partner = phase == 1 ? (thread + threads / 2) % threads : thread ^ 1;
    kernel.update(thread, own, element);
    if (element % 2 == 0 && partner < threads) {
      kernel.read(thread, phase < 2 ? partner : (partner + threads / 4) % threads, element);
    }
  });
}

}  // namespace

const std::vector<Workload>& workloads() {
  static const std::vector<Workload> all = {
      {"ring", "neighbours in a ring read each other's edges", ring},
      {"pipeline", "each stage reads what the one before wrote; eight side by side", pipeline},
      {"blocks", "groups with scattered numbers share blocks that one thread initialized", blocks},
      {"all-to-all", "everybody reads everybody's data", all_to_all},
      {"private", "private data that one thread initialized", private_data},
      {"phases", "partners change twice, and the data once", phases},
  };
  return all;
}

}  // namespace gable::kmaf
