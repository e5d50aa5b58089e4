#include "cli/point/counters.hpp"

#include <fmt/format.h>

#include <cmath>

#include "base/error.hpp"
#include "cli/text/message.hpp"
#include "kernels/kernel.hpp"
#include "points/counters/pmu.hpp"

namespace gable::cli {
namespace {

constexpr std::uint64_t iterations = 200000;

// Every flops kernel that runs here.
std::vector<points::KnownWork> known_works() {
  std::vector<points::KnownWork> works;
  for (const kernels::Kernel& kernel : kernels::all()) {
    if (kernel.kind != kernels::Kind::flops || !kernels::runs(kernel)) continue;
    const auto run = [&kernel] {
      kernels::Arguments arguments;
      arguments.scalar = kernels::usual_operand(kernel);
      arguments.iterations = iterations;
      kernel.code(&arguments);
    };
    works.push_back({kernel.name, static_cast<double>(kernel.flops) * iterations, run});
  }
  return works;
}

}  // namespace

void require_true_pmu() {
  constexpr double most_percent = 1;
  std::string wrong;
  double worst = 0;
  for (const points::CounterError& error : points::test_pmu(known_works())) {
    worst = std::max(worst, std::abs(error.percent()));
    if (std::abs(error.percent()) <= most_percent) continue;
    wrong += fmt::format("\n  {}: {:.4g} flops counted, {:.4g} done ({:+.1f} %)", error.name, error.counted,
                         error.known, error.percent());
  }
  if (!wrong.empty())
    throw Error::failed("pmu: the counters are wrong on kernels of known flops, and are not used:" + wrong);
  tell(fmt::format("the counters are right within {:.2g} % on kernels of known flops", worst));
}

}  // namespace gable::cli
