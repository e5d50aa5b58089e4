// referee [STEPS [PAGES]]: simulates the grid of every machine and prints the laws' errors for held-out
// cells. referee --sampled [SEED]: the same for 40 randomly drawn machines, with the grids of two presets.

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/hybrid/hybrid.hpp"
#include "model/hybrid/predict.hpp"
#include "tests/model/referee_machines.hpp"
#include "tests/model/sampled_machines.hpp"

namespace {

using namespace gable::model;

constexpr double target_percent = 3;

double held_out(const HybridFit& fit, Law law) {
  return fit.model(law).errors.held_out_rms_percent.value_or(0);
}

double of_best(const HybridFit& fit) {
  return fit.best ? held_out(fit, *fit.best) : 100;
}

void judge(const SimulatedMachine& machine, int steps, int pages) {
  const std::vector<double> load_shares = {0, 0.125, 0.25, 0.375, 0.5, 0.625, 0.75, 0.875, 1};
  const HybridFit fit = fit_hybrid(simulated_grid(machine, load_shares, steps, pages));
  const auto b = [&](Transfer x) { return fit.bandwidths[x].gb_per_s->value; };
  std::printf("| %s | %.1f %.1f %.1f %.1f |", machine.name, b(Transfer::ls), b(Transfer::ss), b(Transfer::lf),
              b(Transfer::sf));
  for (const Law law : laws) std::printf(" %.2f %% |", held_out(fit, law));
  for (const Law law : laws) std::printf(" %.1f %% |", fit.model(law).errors.max_percent.value_or(0));
  std::printf("\n");
  std::fflush(stdout);
}

void judge_all(int steps, int pages) {
  std::printf("| machine | b: ls ss lf sf, GB/s |");
  for (const Law law : laws) std::printf(" %s |", title(law));
  for (const Law law : laws) std::printf(" largest, %s |", title(law));
  std::printf("\n|---|---|---|---|---|---|---|---|\n");
  for (const SimulatedMachine& machine : referee_machines()) judge(machine, steps, pages);
}

// Errors for machines of one kind with one grid.
struct Figures {
  PerLaw<int> under_target = {};
  std::vector<double> best;
  std::vector<double> elsewhere;  // of mixes outside of the grid, by the selected law
  int in_interval = 0, intervals = 0;

  void add(const HybridFit& fit, const std::vector<Cell>& others) {
    for (const Law law : laws) under_target[law] += held_out(fit, law) < target_percent;
    best.push_back(of_best(fit));
    double squares = 0;
    int told = 0;
    for (const Cell& cell : others) {
      const Prediction prediction = predict(fit, cell.bytes);
      if (!prediction.seconds) continue;
      const double error = *prediction.seconds / cell.seconds.value - 1;
      squares += error * error;
      ++told;
      if (!prediction.lo) continue;
      in_interval += *prediction.lo <= cell.seconds.value && cell.seconds.value <= *prediction.hi;
      ++intervals;
    }
    if (told > 0) elsewhere.push_back(100 * std::sqrt(squares / told));
  }
};

// Shares of loads between those of the grids, and of fast memory too.
std::vector<Cell> mixes_between(const SimulatedMachine& machine, int pages) {
  std::vector<Cell> cells;
  for (const double load_share : {0.1, 0.25, 0.4, 0.6, 0.75, 0.9}) {
    for (const double fast_share : {2 / 12.0, 5 / 12.0, 8 / 12.0, 11 / 12.0})
      cells.push_back(simulated_cell(machine, load_share, fast_share, pages));
  }
  return cells;
}

void print_machine(int index, const SimulatedMachine& machine, const HybridFit& standard,
                   const HybridFit& quick) {
  const auto& [cores, loads, stores, issue_ns, ahead] = machine.cores;
  std::printf("| %d | %s |", index, machine.slow.in_order ? "in order" : "reads first");
  for (const HybridFit* fit : {&standard, &quick}) {
    for (const Law law : laws) std::printf(" %.2f", held_out(*fit, law));
    std::printf(" |");
  }
  std::printf(" %d, %d/%d, %d |", cores, loads, stores, ahead + 1);
  for (const SimulatedMemory* memory : {&machine.slow, &machine.fast}) {
    std::printf(" %d, %.1f/%.1f, %.0f, %.0f, %d |", memory->channels, memory->read_ns, memory->write_ns,
                memory->turnaround_ns, memory->latency_ns, memory->batch);
  }
  std::printf("\n");
  std::fflush(stdout);
}

void print_figures(const std::string& kind, const std::string& grid, Figures figures) {
  std::ranges::sort(figures.best);
  std::ranges::sort(figures.elsewhere);
  std::printf("| %s | %s |", kind.c_str(), grid.c_str());
  for (const Law law : laws) std::printf(" %d |", figures.under_target[law]);
  for (const std::vector<double>* errors : {&figures.best, &figures.elsewhere})
    std::printf(" %td, median %.1f |",
                std::ranges::count_if(*errors, [](double e) { return e < target_percent; }),
                ((*errors)[(errors->size() - 1) / 2] + (*errors)[errors->size() / 2]) / 2);
  std::printf(" %.0f %% |", 100.0 * figures.in_interval / figures.intervals);
  for (const double percent : figures.best)
    std::printf(percent < target_percent ? " %.1f" : " **%.1f**", percent);
  std::printf(" |\n");
}

// The grids of the presets `standard` (7 shares of loads, 9 of fast memory) and `quick` (5 and 5).
void judge_sampled(unsigned seed) {
  constexpr int pages = 120;
  std::map<std::pair<bool, std::string>, Figures> figures;
  int index = 0;
  for (const SimulatedMachine& machine : sampled_machines(40, seed)) {
    const HybridFit standard =
        fit_hybrid(simulated_grid(machine, {0, 0.2, 1.0 / 3, 0.5, 2.0 / 3, 0.8, 1}, 8, pages));
    const HybridFit quick = fit_hybrid(simulated_grid(machine, {0, 1.0 / 3, 0.5, 2.0 / 3, 1}, 4, pages));
    const std::vector<Cell> others = mixes_between(machine, pages);
    print_machine(index++, machine, standard, quick);
    figures[{machine.slow.in_order, "standard"}].add(standard, others);
    figures[{machine.slow.in_order, "quick"}].add(quick, others);
  }
  std::printf(
      "\n| | grid | equation 5 | phased | turnaround | best | best, mixes between | in interval | best, "
      "ascending, %% |\n");
  std::printf("|---|---|---|---|---|---|---|---|---|\n");
  for (const bool in_order : {false, true}) {
    for (const char* grid : {"standard", "quick"})
      print_figures(in_order ? "in order" : "reads first", grid, figures.at({in_order, grid}));
  }
}

}  // namespace

int main(int argc, char** argv) {
  const auto number = [&](int at, int otherwise) { return argc > at ? std::atoi(argv[at]) : otherwise; };
  if (argc > 1 && std::string_view(argv[1]) == "--sampled") {
    judge_sampled(static_cast<unsigned>(number(2, 1)));
  } else {
    judge_all(number(1, 20), number(2, 160));
  }
}
