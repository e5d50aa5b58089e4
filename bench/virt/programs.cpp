#include "bench/virt/programs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <span>

#include "base/clocks.hpp"
#include "bench/apps/cg.hpp"
#include "bench/apps/dgemm.hpp"
#include "bench/apps/gups.hpp"
#include "bench/buffers/streams.hpp"
#include "bench/virt/pages.hpp"
#include "kernels/kernel.hpp"
#include "model/domain/virt_measure.hpp"

namespace gable::bench {

namespace {

ProgramRun run_gups(model::VirtPages pages, std::uint64_t bytes, const std::atomic<bool>& stop) {
  const std::uint64_t words = std::bit_floor(std::max<std::uint64_t>(bytes / sizeof(std::uint64_t), 128));
  Pages memory(pages, words * sizeof(std::uint64_t));
  const std::span table(reinterpret_cast<std::uint64_t*>(memory.data()), words);
  std::ranges::fill(table, 0);
  memory.require_huge();
  const GupsResult result = random_access(table, stop);
  ProgramRun run;
  if (result.updates <= 0) return run;
  run.seconds = {result.seconds};
  run.work = {result.updates};
  run.facts = {{"words", std::to_string(words)}};
  run.verified = fmt::format("HPC Challenge's check: {} of {} words wrong", result.wrong, words);
  if (result.updates < 4 * static_cast<double>(words))
    run.verified += fmt::format("; {:.0f} % of the updates, as many as {:.0f} s allow by its rules",
                                25 * result.updates / static_cast<double>(words), random_access_seconds);
  if (!result.verified(words)) run.wrong = run.verified + ", more than 1 %";
  return run;
}

// STREAM counts two loads and a store of 8 bytes each, whatever the caches add. Of the kernels with ordinary
// and with non-temporal stores the faster one counts, as a compiler might choose either.
ProgramRun run_triad(model::VirtPages pages, std::uint64_t bytes, const std::atomic<bool>& stop) {
  constexpr int passes = 5;
  Pages memory(pages, bytes + stream_slack);
  std::fill_n(reinterpret_cast<double*>(memory.data()), memory.size() / sizeof(double), 1.0);
  memory.require_huge();
  ProgramRun best;
  for (const char* op : {"triad", "triad_nt"}) {
    const kernels::Kernel* const kernel = kernels::best(op);
    if (kernel == nullptr) continue;
    kernels::Arguments arguments;
    const std::uint64_t moved = lay_streams(*kernel, memory.data(), memory.size() - stream_slack, arguments);
    arguments.scalar = 3.0;
    arguments.iterations = arguments.iterations_per_pass;
    ProgramRun run;
    run.facts = {{"kernel", kernel->name}, {"doubles", std::to_string(moved / 24)}};
    kernel->code(&arguments);
    for (int i = 0; i < passes && !stop; ++i) {
      run.seconds.push_back(timed([&] { kernel->code(&arguments); }));
      run.work.push_back(static_cast<double>(moved));
    }
    const auto* const stored = static_cast<const double*>(arguments.store);
    const auto wrong = std::count_if(stored, stored + moved / 24, [](double value) { return value != 4.0; });
    run.verified = "each element is 1 + 3 * 1";
    if (wrong > 0) run.wrong = fmt::format("{} elements of the result are wrong", wrong);
    if (run.seconds.size() < passes) return {};
    if (best.seconds.empty() || std::ranges::min(run.seconds) < std::ranges::min(best.seconds)) best = run;
    std::fill_n(reinterpret_cast<double*>(memory.data()), memory.size() / sizeof(double), 1.0);
  }
  return best;
}

ProgramRun run_dgemm(std::uint64_t bytes, const std::atomic<bool>& stop) {
  constexpr int products = 3;
  const auto n = static_cast<std::size_t>(std::sqrt(static_cast<double>(bytes) / 3 / sizeof(double)));
  std::vector<double> a(n * n), b(n * n), c;
  for (std::size_t i = 0; i < n * n; ++i) {
    a[i] = static_cast<double>(i % 97) / 97 - 0.5;
    b[i] = static_cast<double>(i % 89) / 89 - 0.5;
  }
  ProgramRun run;
  for (int i = 0; i < products && !stop; ++i) {
    c.assign(n * n, 0);
    run.seconds.push_back(timed([&] { dgemm(n, a.data(), b.data(), c.data()); }));
    run.work.push_back(2 * std::pow(static_cast<double>(n), 3));
  }
  if (stop) return {};
  run.facts = {{"rows", std::to_string(n)}, {"isa", dgemm_isa()}};
  run.verified = "c x = a (b x) for random x";
  if (!is_product(n, a.data(), b.data(), c.data())) run.wrong = "c is not the product of a and b";
  return run;
}

// The paper's problem has 100^3 points, approximately 380 MB, and 149 iterations (section 3.4).
ProgramRun run_cg(std::uint64_t bytes, const std::atomic<bool>& stop) {
  constexpr int iterations = 149;
  constexpr double bytes_per_row = 27 * 12 + 4 + 4 * 8;
  const int n = std::max(4, static_cast<int>(std::cbrt(static_cast<double>(bytes) / bytes_per_row) + 1e-9));
  const CgMatrix matrix(CgBox{n, n, n});
  const CgResult result = conjugate_gradient(matrix, iterations, {}, [&] { return stop.load(); });
  ProgramRun run;
  if (stop) return run;
  // Once the residual is nothing but rounding, iterations no longer solve anything, but cost the same.
  run.seconds = result.seconds;
  run.work.assign(result.seconds.size(), result.flops);
  run.facts = {{"points", fmt::format("{0} x {0} x {0}", n)},
               {"iterations", std::to_string(result.iterations)},
               {"residual", fmt::format("{:.3g}", result.residual)}};
  run.verified = fmt::format("|b - A x| / |b| = {:.2g} computed anew, largest error {:.2g}", result.residual,
                             result.error);
  if (!result.verified)
    run.wrong = fmt::format("the iteration has {:.2g}, but ", result.recurrence) + run.verified;
  return run;
}

}  // namespace

ProgramRun run_program(std::string_view what, model::VirtPages pages, std::uint64_t bytes,
                       const std::atomic<bool>& stop) {
  if (what == model::programs::gups) return run_gups(pages, bytes, stop);
  if (what == model::programs::triad) return run_triad(pages, bytes, stop);
  if (what == model::programs::dgemm) return run_dgemm(bytes, stop);
  return run_cg(bytes, stop);
}

}  // namespace gable::bench
