#include "kmaf/traces/workloads.hpp"

#include <algorithm>

#include "kmaf/traces/workload_kernel.hpp"

namespace gable::kmaf {

namespace {

using Sink = AccessSink;

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

// Eight pipelines side by side, or as many as have two stages: each stage reads what the previous one writes.
// The threads of a stage have neighbouring numbers, those of a pipeline do not.
void pipeline(const WorkloadShape& shape, const Sink& sink) {
  Kernel kernel(shape, sink);
  kernel.touch_own();
  const int pipelines = std::min(8, kernel.threads() / 2);
  kernel.passes([&](int thread, int element) {
    if (thread >= pipelines) kernel.read(thread, thread - pipelines, element);
    kernel.update(thread, thread, element);
  });
}

// Eight groups of threads, or as many as have two members, work on a block that all of the group share and
// that thread 0 initialized. The members of a group have scattered numbers.
void blocks(const WorkloadShape& shape, const Sink& sink) {
  Kernel kernel(shape, sink);
  const int groups = std::min(8, kernel.threads() / 2);
  kernel.touch_by_first(kernel.threads());
  kernel.passes([&](int thread, int element) {
    const int group = thread % groups, members = kernel.threads() / groups, member = thread / groups;
    // Each element of the group's block is updated by one member and read by two.
    const int array = group * members + (element + member) % members;
    kernel.update(thread, array, element);
    kernel.read(thread, group * members + (element + member + 1) % members, element);
  });
}

// Each thread reads a share of all threads' data and updates its own.
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

// Three phases: pairs of neighbours; pairs at a distance of half the threads; then each thread takes over the
// data of the thread that is a quarter of all threads ahead.
void phases(const WorkloadShape& shape, const Sink& sink) {
  Kernel kernel(shape, sink);
  kernel.touch_own();
  const int threads = kernel.threads();
  kernel.changing_passes([&](int thread, int element) {
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
      {"pipeline", "each stage reads what the previous one wrote; up to eight pipelines", pipeline},
      {"blocks", "up to eight groups with scattered numbers share blocks that one thread initialized",
       blocks},
      {"all-to-all", "every thread reads all threads' data", all_to_all},
      {"private", "private data that one thread initialized", private_data},
      {"phases", "partners change twice, and the data once", phases},
      {"stencil", "a grid of threads reads the edges of four neighbours", held_out::stencil},
      {"product", "a matrix product: rows and columns of threads read each other's blocks",
       held_out::product},
      {"consumers", "in groups with scattered numbers one writes and seven read", held_out::consumers},
      {"graph", "irregular: communities of scattered threads, and hubs that all threads read",
       held_out::graph},
      {"reduction", "a tree of threads reads results of increasingly distant partners", held_out::reduction},
      {"alternating", "partners change back and forth; one thread initialized the data",
       held_out::alternating},
  };
  return all;
}

}  // namespace gable::kmaf
