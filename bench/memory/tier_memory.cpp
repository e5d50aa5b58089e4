#include "bench/memory/tier_memory.hpp"

#include <algorithm>

#include "bench/buffers/chase.hpp"
#include "bench/buffers/streams.hpp"

namespace gable::bench {

namespace {

constexpr std::uint64_t piece = 4 << 20;  // bytes between two checks for a requested stop

}  // namespace

TierMemory::TierMemory(const Tier& tier, std::uint64_t bytes, Team& team, std::vector<unsigned> cpus,
                       const std::atomic<bool>& stop)
    : tier_(tier), team_(team), cpus_(std::move(cpus)), stop_(stop), region_(tier_.take(bytes)) {
  fill();
}

// All threads write numbers that are not denormal.
void TierMemory::fill() {
  const std::span<std::byte> bytes = region_->bytes();
  std::atomic<std::uint64_t> next{0};
  team_.run(cpus_, [&](std::size_t) {
    for (std::uint64_t at = next.fetch_add(piece); at < bytes.size() && !stop_; at = next.fetch_add(piece)) {
      const std::uint64_t count = std::min<std::uint64_t>(piece, bytes.size() - at);
      std::fill_n(reinterpret_cast<double*>(bytes.data() + at), count / sizeof(double), 1.0);
    }
  });
  linked_ = 0;
}

void TierMemory::lay(const TierCell& cell, std::vector<Work>& work) {
  std::byte* const memory = region_->bytes().data();
  if (cell.kernel->kind == kernels::Kind::chase) {
    linked_ = cell.asked.bytes;
    const std::uint64_t lines = build_chase(memory, cell.asked.bytes);
    Work& one = work.front();
    start_chase(*cell.kernel, memory, lines, one.arguments);
    one.per_iteration = cell.kernel->load_bytes / 8.0;
    return;
  }
  if (linked_ > 0) fill();  // addresses read as numbers are denormal and slow
  const std::uint64_t share = tier_share(cell.asked.bytes, cell.asked.threads);
  for (std::size_t t = 0; t < work.size(); ++t) {
    kernels::Arguments& arguments = work[t].arguments;
    std::byte* const own = memory + t * share;
    if (cell.kernel->kind == kernels::Kind::blocks) {
      arguments.store = own;
      arguments.iterations_per_pass = share / cell.kernel->store_bytes;
      if (cell.asked.order == "random")
        arguments.order = kernels::scattered_order(arguments.iterations_per_pass);
    } else {
      lay_streams(*cell.kernel, own, share - stream_slack, arguments);
    }
    // Threads start at different offsets in their shares, which would otherwise be powers of two apart.
    arguments.position = arguments.iterations_per_pass * t / work.size();
    arguments.scalar = 1.0;
    work[t].per_iteration = cell.kernel->load_bytes + cell.kernel->store_bytes;
  }
}

}  // namespace gable::bench
