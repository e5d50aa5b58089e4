// referee [STEPS [PAGES]]: simulates the grid of every machine and prints how both models predict cells that
// they have not seen.

#include <cstdio>
#include <cstdlib>

#include "model/hybrid.hpp"
#include "tests/model/referee_machines.hpp"

int main(int argc, char** argv) {
  using namespace gable::model;
  const int steps = argc > 1 ? std::atoi(argv[1]) : 20;
  const int pages = argc > 2 ? std::atoi(argv[2]) : 160;
  std::printf(
      "| machine | b: ls ss lf sf, GB/s | equation 5 | phased | largest, equation 5 | largest, phased |\n");
  std::printf("|---|---|---|---|---|---|\n");
  for (const SimulatedMachine& machine : referee_machines()) {
    const std::vector<double> load_shares = {0, 0.125, 0.25, 0.375, 0.5, 0.625, 0.75, 0.875, 1};
    const HybridFit fit = fit_hybrid(simulated_grid(machine, load_shares, steps, pages));
    const auto b = [&](Transfer x) { return fit.bandwidths[x].gb_per_s->value; };
    const auto percent = [](const std::optional<double>& value) { return value.value_or(0); };
    const Errors &one = fit.equation5.errors, &two = fit.phased.errors;
    std::printf("| %s | %.1f %.1f %.1f %.1f | %.2f %% | %.2f %% | %.1f %% | %.1f %% |\n", machine.name,
                b(Transfer::ls), b(Transfer::ss), b(Transfer::lf), b(Transfer::sf),
                percent(one.held_out_rms_percent), percent(two.held_out_rms_percent),
                percent(one.max_percent), percent(two.max_percent));
    std::fflush(stdout);
  }
}
