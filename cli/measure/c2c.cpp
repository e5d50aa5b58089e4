#include "cli/measure/c2c.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <random>
#include <set>

#include "base/log_file.hpp"
#include "base/words.hpp"
#include "bench/c2c/c2c_visit.hpp"
#include "cli/interrupt.hpp"
#include "cli/text/progress_line.hpp"
#include "cli/text/shell_words.hpp"
#include "model/c2c/classes.hpp"
#include "model/json/c2c/c2c.hpp"

namespace gable::cli {

namespace {

constexpr const char* c2c_word = "c2c";

std::string path_in(const std::string& folder) {
  return folder + "/c2c.jsonl";
}

std::string result_text(const model::C2cSample& sample) {
  std::string text = model::words_of(sample.spec);
  if (sample.status != model::Status::ok)
    return text + "  " + name_of(sample.status) + ": " + sentence(sample.reason);
  const model::C2cFigure figure = model::c2c_figures({sample}).front();
  return text + fmt::format("  {:.1f} {}", figure.estimate.value, row_of(sample.spec.measure).unit);
}

// "  same L3       28 pairs, 3 in full, 25 in spot checks"
std::string class_text(const bench::C2cPlan& plan, const model::PairClass& between, std::size_t pairs) {
  std::set<std::vector<unsigned>> full, spots;
  for (const bench::C2cCell& cell : plan.cells) {
    if (cell.spec.measure == model::C2cMeasure::handoff && cell.spec.between == between)
      (cell.is_spot ? spots : full).insert(cell.spec.pus);
  }
  return fmt::format("  {:<36}{:>8}{:>9} in full{:>8} in spot checks\n", name_of(between),
                     count_text(static_cast<std::int64_t>(pairs), "pair"), full.size(), spots.size());
}

}  // namespace

std::optional<C2cRequest> c2c_request(bench::Options& options, bool any, std::string_view when) {
  C2cRequest request;
  request.options.level = options.preset->name == "quick" ? 0 : options.preset->name == "full" ? 2 : 1;
  request.options.seed = std::random_device()();
  const bool named = std::erase(options.only, c2c_word) > 0;
  request.alone = named && options.only.empty();
  const bool is_wanted = named || (!any && when != "now" && request.options.level > 0);
  return is_wanted ? std::optional(request) : std::nullopt;
}

std::vector<model::C2cSample> recorded_c2c(const std::string& folder) {
  if (folder.empty() || !std::filesystem::exists(path_in(folder))) return {};
  return model::read_c2c_samples(path_in(folder));
}

std::string c2c_plan_text(const bench::C2cPlan& plan, const std::string& folder) {
  if (plan.cells.empty()) return "Core to core: nothing to measure, with one hardware thread\n";
  const bench::C2cLeft all = bench::left_of(plan, {});
  const bench::C2cLeft left = bench::left_of(plan, recorded_c2c(folder));
  std::string text =
      fmt::format("Core to core: {}, {}, about {}\n", count_text(std::ssize(plan.cells), "cell"),
                  count_text(all.visits, "visit"), clock_text(all.seconds));
  if (left.visits == 0) {
    text += fmt::format("{} has all of it\n", folder);
  } else if (left.visits < all.visits) {
    text += fmt::format("{} has part of it; left: {}, about {}\n", folder, count_text(left.visits, "visit"),
                        clock_text(left.seconds));
  }
  for (const auto& [between, pairs] : plan.classes) text += class_text(plan, between, pairs.size());
  const double met = 100 * bench::probability_to_meet(plan);
  if (met < 100)
    text += fmt::format("  A single slow pair is found with a probability of {}\n", percent_text(met));
  return text;
}

C2cOutcome measure_c2c(const std::string& folder, const machines::Machine& machine,
                       const machines::Host& host, const bench::C2cPlan& plan, double budget,
                       double seconds_after, bool quiet) {
  finish_append(path_in(folder));
  const std::vector<model::C2cSample> recorded = recorded_c2c(folder);
  std::set<std::string> failures;  // each reason of a cell once
  for (const model::C2cSample& sample : recorded)
    if (sample.status != model::Status::ok)
      failures.insert(model::key(sample.spec) + sentence(sample.reason));
  int measured = 0, failed = 0;
  ProgressLine line(quiet, {.part = "core to core", .seconds_after = seconds_after});
  const bench::C2cHooks hooks = {
      [&](const model::C2cSample& sample) {
        const bool ok = sample.status == model::Status::ok;
        if (!ok && !failures.insert(model::key(sample.spec) + sentence(sample.reason)).second) return;
        append_line(path_in(folder), model::c2c_sample_to_line(sample));
        ++(ok ? measured : failed);
      },
      [&](const bench::C2cProgress& progress) {
        line.show(progress.visits_done, progress.visits, progress.seconds_left, result_text(*progress.last));
      },
  };
  bench::C2cBench bench(host, plan.places, machine.nodes.size(), stop_requested());
  const auto visit = [&](const model::C2cCase& spec, int round, double seconds) {
    return bench.visit(spec, round, seconds);
  };
  C2cOutcome outcome;
  outcome.complete =
      bench::run_c2c(plan, budget, recorded, hooks, model::c2c_differing, visit, stop_requested());
  line.finish();
  outcome.words = fmt::format("Core to core: {} measured", count_text(measured, "visit"));
  if (failed > 0) outcome.words += fmt::format(", {} skipped or invalid", count_text(failed, "visit"));
  if (outcome.complete) outcome.words += fmt::format("; next: gable show {}", shell_quoted(folder));
  outcome.words += "\n";
  return outcome;
}

}  // namespace gable::cli
