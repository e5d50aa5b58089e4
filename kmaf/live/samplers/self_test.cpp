#include "kmaf/live/samplers/self_test.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <system_error>
#include <thread>
#include <utility>

#include "base/clocks.hpp"
#include "base/error.hpp"
#include "base/numbers.hpp"
#include "kmaf/live/samplers/perf_events.hpp"
#include "machines/affinity.hpp"

namespace gable::kmaf::live {

namespace {

constexpr std::size_t least_samples = 16;
constexpr int pairs_of_walks = 5;
constexpr double least_inside = 0.75;  // the rest are the thread's own other accesses

class Walk {
 public:
  explicit Walk(std::size_t bytes) : bytes_(bytes), memory_({static_cast<std::byte*>(mapped(bytes)), bytes}) {
    madvise(memory_.get().data(), bytes, MADV_NOHUGEPAGE);
  }
  // Reads and writes each line, because pages that are only read all map the zero page. Returns the seconds.
  double go() {
    constexpr std::size_t line = 64;
    const double before = thread_seconds();
    auto* const at = reinterpret_cast<volatile unsigned char*>(memory_.get().data());
    for (std::size_t offset = 0; offset < bytes_; offset += line)
      at[offset] = static_cast<unsigned char>(at[offset] + 1);
    return thread_seconds() - before;
  }
  std::uint64_t begin() const { return reinterpret_cast<std::uint64_t>(memory_.get().data()); }

 private:
  static void* mapped(std::size_t bytes) {
    void* const memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) fail("mmap");
    return memory;
  }
  std::size_t bytes_;
  Mapped memory_;
};

bool has_address(const Event& event) {
  return event.kind == Event::Kind::access && event.address != 0;
}

// Alternates walks with and without sampling through touched memory, so that drift affects both equally.
double measured(Walk& walk, PerfEvents& events) {
  std::vector<Walks> pairs;
  for (int i = 0; i < pairs_of_walks; ++i) {
    Walks pair;
    events.enable();
    pair.sampled = walk.go();
    events.disable();
    pair.alone = walk.go();
    const Events seen = events.read();
    pair.samples = static_cast<std::size_t>(std::ranges::count_if(seen, has_address));
    pairs.push_back(pair);
  }
  return sample_seconds_of(pairs);
}

// Tests in a separate thread, so that nothing else of this process is bound or sampled.
SelfTest test_here(PerfSource source, std::size_t bytes) {
  const std::vector<unsigned> allowed = machines::affinity_of(0);
  const auto has_it = [&](unsigned cpu) {
    return source.cpus.empty() || std::ranges::find(source.cpus, static_cast<int>(cpu)) != source.cpus.end();
  };
  const auto cpu = std::ranges::find_if(allowed, has_it);
  if (cpu == allowed.end()) return {"no usable hardware thread has it", 0};
  if (machines::set_affinity(0, {*cpu}) != 0) return {"its thread cannot be bound", 0};
  Walk walk(bytes);
  source.cpus = {static_cast<int>(*cpu)};
  PerfEvents events({source}, gettid());
  // The walk runs twice: the first one is different because the kernel has just cleared the pages.
  events.enable();
  walk.go();
  walk.go();
  events.disable();
  SelfTest result{fault_of(events.read(), gettid(), *cpu, walk.begin(), bytes), 0};
  if (result.fault.empty()) result.sample_seconds = measured(walk, events);
  return result;
}

}  // namespace

std::string fault_of(const Events& events, pid_t tid, unsigned cpu, std::uint64_t begin, std::size_t bytes) {
  std::size_t accesses = 0, inside = 0;
  for (const Event& event : events) {
    if (!has_address(event)) continue;
    if (event.tid != tid) return "a sample has another thread's ID";
    if (event.pu != cpu) return "a sample has another hardware thread's number";
    ++accesses;
    inside += event.address >= begin && event.address - begin < bytes ? 1 : 0;
  }
  if (accesses < least_samples)
    return "a walk through memory gave " + std::to_string(accesses) + " samples with an address";
  if (static_cast<double>(inside) < least_inside * static_cast<double>(accesses))
    return "of " + std::to_string(accesses) + " samples of a walk through memory only " +
           std::to_string(inside) + " lie in that memory";
  return {};
}

double sample_seconds_of(const std::vector<Walks>& pairs) {
  constexpr double least = 1e-6;
  std::vector<double> costs;
  for (const Walks& pair : pairs) {
    if (pair.samples > 0) costs.push_back((pair.sampled - pair.alone) / static_cast<double>(pair.samples));
  }
  return std::max(least, upper_median(std::move(costs)));
}

SelfTest self_test(const PerfSource& source, std::size_t bytes) {
  SelfTest result;
  std::thread([&] {
    try {
      result = test_here(source, bytes);
    } catch (const std::system_error& error) {
      result.fault = std::string("perf rejects it: ") + std::strerror(error.code().value());
      if (!source.needs.empty()) result.fault += "; it needs " + source.needs;
    } catch (const std::bad_alloc&) {
      result.fault = "not enough memory";
    }
  }).join();
  if (!result.fault.empty()) result.fault = source.name + ": " + result.fault;
  return result;
}

std::size_t beyond_caches() {
  constexpr long usual = 32 << 20;
  long largest = usual;
  for (const int name : {_SC_LEVEL2_CACHE_SIZE, _SC_LEVEL3_CACHE_SIZE, _SC_LEVEL4_CACHE_SIZE})
    largest = std::max(largest, sysconf(name));
  constexpr std::size_t most = 256 << 20;
  return std::min(most, 2 * static_cast<std::size_t>(largest));
}

}  // namespace gable::kmaf::live
