// referee [STEPS [PAGES]]: simulates the grid of every machine and prints how both models predict cells that
// they have not seen. referee --sampled [COUNT [FIRST]]: the same of machines that nobody picked, with the
// grids of two presets.

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <vector>

#include "model/hybrid.hpp"
#include "tests/model/referee/turns.hpp"
#include "tests/model/referee_machines.hpp"
#include "tests/model/sampled_machines.hpp"

namespace {

using namespace gable::model;

double held_out(const HybridModel& model) {
  return model.errors.held_out_rms_percent.value_or(0);
}

void judge(const SimulatedMachine& machine, int steps, int pages) {
  const std::vector<double> load_shares = {0, 0.125, 0.25, 0.375, 0.5, 0.625, 0.75, 0.875, 1};
  const HybridFit fit = fit_hybrid(simulated_grid(machine, load_shares, steps, pages));
  const auto b = [&](Transfer x) { return fit.bandwidths[x].gb_per_s->value; };
  const auto percent = [](const std::optional<double>& value) { return value.value_or(0); };
  std::printf("| %s | %.1f %.1f %.1f %.1f | %.2f %% | %.2f %% | %.1f %% | %.1f %% |\n", machine.name,
              b(Transfer::ls), b(Transfer::ss), b(Transfer::lf), b(Transfer::sf), held_out(fit.equation5),
              held_out(fit.phased), percent(fit.equation5.errors.max_percent),
              percent(fit.phased.errors.max_percent));
  std::fflush(stdout);
}

// The grids of the presets `standard` (7 shares of loads, 9 of fast memory) and `quick` (5 and 5).
void judge_sampled(int index, const SimulatedMachine& machine) {
  constexpr int pages = 120;
  const std::vector<Cell> cells = simulated_grid(machine, {0, 0.2, 1.0 / 3, 0.5, 2.0 / 3, 0.8, 1}, 8, pages);
  const HybridFit standard = fit_hybrid(cells);
  const TurnErrors turns = errors_with_turns(cells, standard);
  const HybridFit quick = fit_hybrid(simulated_grid(machine, {0, 1.0 / 3, 0.5, 2.0 / 3, 1}, 4, pages));
  const auto& [cores, loads, stores, issue_ns, ahead] = machine.cores;
  std::printf("| %d | %s | %.2f %.2f | %.2f %.2f | %.2f %.2f | %d, %d/%d, %d |", index,
              machine.slow.in_order ? "in order" : "reads first", held_out(standard.equation5),
              held_out(standard.phased), held_out(quick.equation5), held_out(quick.phased), turns.phased,
              turns.with_turns, cores, loads, stores, ahead + 1);
  for (const SimulatedMemory* memory : {&machine.slow, &machine.fast}) {
    std::printf(" %d, %.1f/%.1f, %.0f, %.0f, %d |", memory->channels, memory->read_ns, memory->write_ns,
                memory->turnaround_ns, memory->latency_ns, memory->batch);
  }
  std::printf("\n");
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
  const auto number = [&](int at, int otherwise) { return argc > at ? std::atoi(argv[at]) : otherwise; };
  if (argc > 1 && std::string_view(argv[1]) == "--sampled") {
    const int count = number(2, 40);
    const std::vector<SimulatedMachine> machines = sampled_machines(count, 1);
    for (int i = std::max(0, number(3, 0)); i < count; ++i)
      judge_sampled(i, machines[static_cast<std::size_t>(i)]);
    return 0;
  }
  std::printf(
      "| machine | b: ls ss lf sf, GB/s | equation 5 | phased | largest, equation 5 | largest, phased |\n");
  std::printf("|---|---|---|---|---|---|\n");
  for (const SimulatedMachine& machine : referee_machines()) judge(machine, number(1, 20), number(2, 160));
}
