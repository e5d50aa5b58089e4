#include "kmaf/live/samplers/fault_cost.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <vector>

#include "base/clocks.hpp"
#include "base/numbers.hpp"
#include "kmaf/live/samplers/perf_events.hpp"

namespace gable::kmaf::live {

namespace {

// Seconds per page of some batches. Throws std::system_error.
std::vector<double> batches_of_faults(std::size_t batches) {
  constexpr std::size_t pages = 32;
  const auto page_bytes = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  const std::size_t bytes = batches * pages * page_bytes;
  void* const address = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (address == MAP_FAILED) throw std::system_error(errno, std::generic_category(), "mmap");
  const Mapped memory({static_cast<std::byte*>(address), bytes});
  madvise(address, bytes, MADV_NOHUGEPAGE);
  PerfEvents events(PerfEvents::What::page_faults, getpid());
  events.enable();
  auto* touched = static_cast<volatile char*>(address);
  std::vector<double> seconds;
  for (std::size_t batch = 0; batch < batches; ++batch) {
    const double before = monotonic_seconds();
    for (std::size_t page = 0; page < pages; ++page, touched += page_bytes) *touched = 1;
    seconds.push_back((monotonic_seconds() - before) / static_cast<double>(pages));
  }
  return seconds;
}

}  // namespace

double sampled_fault_seconds() {
  if (PerfEvents::refusal(PerfEvents::What::page_faults) != 0) return 0;
  // The median of batches, because this process may be interrupted.
  constexpr std::size_t batches = 31;
  try {
    return upper_median(batches_of_faults(batches));
  } catch (const std::system_error&) {
    return 0;
  }
}

}  // namespace gable::kmaf::live
