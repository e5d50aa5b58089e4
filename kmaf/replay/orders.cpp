#include "kmaf/replay/orders.hpp"

#include <utility>

#include "base/error.hpp"

namespace gable::kmaf {

namespace {

PreparedTrace some_accesses(PreparedTrace trace) {
  if (trace.accesses() == 0) throw Error::usage("contains no access");
  return trace;
}

}  // namespace

ProgramOrders::ProgramOrders(ParallelOrder order, int iterations, const SimulatedMachine& machine,
                             const ReplayOptions& options)
    : order_(std::move(order)),
      iterations_(iterations),
      watch_(options.watch),
      first_(some_accesses({order_, iterations, 0, watch_})),
      scale_(scale_of(first_, machine, options)) {}

ScaledTrace ProgramOrders::of_run(std::uint64_t run) {
  if (run == 0 || !differ()) return {&first_, scale_};
  const std::lock_guard lock(guard_);
  auto found = others_.find(run);
  if (found == others_.end())
    found = others_.emplace(run, PreparedTrace(order_, iterations_, run, watch_)).first;
  const PreparedTrace& trace = found->second;
  const auto accesses = [](const PreparedTrace& prepared) {
    return static_cast<double>(prepared.steady_accesses());
  };
  return {&trace, scale_ * accesses(first_) / accesses(trace)};
}

void ProgramOrders::drop(std::uint64_t run) {
  const std::lock_guard lock(guard_);
  others_.erase(run);
}

}  // namespace gable::kmaf
