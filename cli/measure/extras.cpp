#include "cli/measure/extras.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <iterator>
#include <random>
#include <set>

#include "base/error.hpp"
#include "base/files.hpp"
#include "base/lists.hpp"
#include "base/words.hpp"
#include "bench/c2c/c2c_visit.hpp"
#include "bench/virt/virt_campaign.hpp"
#include "cli/interrupt.hpp"
#include "cli/recording.hpp"
#include "cli/text/arguments.hpp"
#include "cli/text/message.hpp"
#include "model/c2c/classes.hpp"
#include "model/json/lines.hpp"
#include "model/records/c2c.hpp"
#include "model/records/virt.hpp"

namespace gable::cli {

namespace {

// What of the visits the folder has.
template <typename Left>
std::string part_text(const std::string& folder, const Left& left, const Left& all) {
  if (left.visits == all.visits) return {};
  if (left.visits == 0) return fmt::format("{} has all of it\n", folder);
  return fmt::format("{} has part of it; left: {}, about {}\n", folder, count_text(left.visits, "visit"),
                     clock_text(left.seconds));
}

// How much the preset wants of what is measured beside the plan.
int level_of(const bench::Options& options) {
  return options.preset->name == "quick" ? 0 : options.preset->name == "full" ? 2 : 1;
}

constexpr const char* c2c_word = "c2c";

// Each reason of a cell once.
VisitLog<model::C2cSample> c2c_log(const std::string& folder) {
  return VisitLog<model::C2cSample>(folder + "/c2c.jsonl", true);
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

constexpr const char* virt_word = "virt";

bool names_virt(const std::string& filter) {
  return filter == virt_word || filter.starts_with("virt,") || filter.starts_with("virt=");
}

// The kinds of "virt,noise,map".
void add_kinds(const std::string& filter, std::vector<model::VirtKind>& kinds) {
  const std::vector<std::string> known = model::all_names<model::VirtKind>();
  for (std::size_t begin = filter.find(','); begin != std::string::npos;) {
    const std::size_t end = filter.find(',', begin + 1);
    const std::string kind = filter.substr(begin + 1, end == std::string::npos ? end : end - begin - 1);
    const auto found = model::named<model::VirtKind>(kind);
    if (!found)
      throw Error::usage(fmt::format("--only {}: '{}' is none of the kinds of virt{}; they are {}", filter,
                                     kind, did_you_mean(kind, known), fmt::join(known, ", ")));
    kinds.push_back(*found);
    begin = end;
  }
}

// Each reason of a cell once.
VisitLog<model::VirtSample> virt_log(const std::string& folder) {
  return VisitLog<model::VirtSample>(folder + "/virt.jsonl", true);
}

bench::Visited virt_done(const std::string& folder) {
  return folder.empty() ? bench::Visited() : bench::visited_of(virt_log(folder).recorded());
}

std::string result_text(const model::VirtSample& sample) {
  std::string text = name_of(sample.spec.kind) + " " + sample.spec.what;
  if (sample.spec.pages != model::VirtPages::none) text += " " + name_of(sample.spec.pages);
  if (sample.spec.cpu >= 0) text += fmt::format(", CPU {}", sample.spec.cpu);
  if (sample.spec.bytes > 0) text += " " + bytes_text(sample.spec.bytes);
  return sample.status == model::Status::ok ? text : text + "  skipped: " + sentence(sample.reason);
}

}  // namespace

std::optional<C2cRequest> c2c_request(bench::Options& options, bool any, std::string_view when) {
  C2cRequest request;
  request.options.level = level_of(options);
  request.options.seed = std::random_device()();
  const bool named = std::erase(options.only, c2c_word) > 0;
  request.alone = named && options.only.empty();
  const bool is_wanted = named || (!any && when != "now" && request.options.level > 0);
  return is_wanted ? std::optional(request) : std::nullopt;
}

std::vector<model::C2cSample> recorded_c2c(const std::string& folder) {
  if (folder.empty()) return {};
  return c2c_log(folder).recorded();
}

std::string c2c_plan_text(const bench::C2cPlan& plan, const std::string& folder) {
  if (plan.cells.empty()) return "Core to core: nothing to measure, with one hardware thread\n";
  const bench::VisitsLeft all = bench::left_of(plan, {});
  const bench::VisitsLeft left = bench::left_of(plan, recorded_c2c(folder));
  std::string text =
      fmt::format("Core to core: {}, {}, about {}\n", count_text(std::ssize(plan.cells), "cell"),
                  count_text(all.visits, "visit"), clock_text(all.seconds));
  text += part_text(folder, left, all);
  for (const auto& [between, pairs] : plan.classes) text += class_text(plan, between, pairs.size());
  const double met = 100 * bench::probability_to_meet(plan);
  if (met < 100)
    text += fmt::format("  A single slow pair is found with a probability of {}\n", percent_text(met));
  return text;
}

ExtraOutcome measure_c2c(const std::string& folder, const machines::Machine& machine,
                         const machines::Host& host, const bench::C2cPlan& plan, double budget,
                         double seconds_after, bool quiet) {
  finish_append(folder + "/c2c.jsonl");
  VisitLog<model::C2cSample> log = c2c_log(folder);
  int measured = 0, failed = 0;
  ProgressLine line(quiet, {.part = "core to core", .seconds_after = seconds_after});
  const bench::C2cHooks hooks = {
      [&](const model::C2cSample& sample) {
        if (log.record(sample)) ++(sample.status == model::Status::ok ? measured : failed);
      },
      [&](const bench::C2cProgress& progress) {
        line.show(progress.visits_done, progress.visits, progress.seconds_left, result_text(*progress.last));
      },
  };
  bench::C2cBench bench(host, plan.places, machine.nodes.size(), stop_requested());
  const auto visit = [&](const model::C2cCase& spec, int round, double seconds) {
    return bench.visit(spec, round, seconds);
  };
  ExtraOutcome outcome;
  outcome.complete =
      bench::run_c2c(plan, budget, log.recorded(), hooks, model::c2c_differing, visit, stop_requested());
  line.finish();
  outcome.words = fmt::format("Core to core: {} measured", count_text(measured, "visit"));
  if (failed > 0) outcome.words += fmt::format(", {} skipped or invalid", count_text(failed, "visit"));
  if (outcome.complete) outcome.words += fmt::format("; next: gable show {}", shell_quoted(folder));
  outcome.words += "\n";
  return outcome;
}

std::optional<VirtRequest> virt_request(bench::Options& options, const machines::Host& host,
                                        std::string_view when) {
  VirtRequest request;
  request.options.level = level_of(options);
  const bool any = !options.only.empty();
  bool named = false;
  for (const std::string& filter : options.only) {
    if (!names_virt(filter)) continue;
    named = true;
    add_kinds(filter, request.options.kinds);
  }
  std::erase_if(options.only, names_virt);
  // A budget is that of one call.
  const bool in_one_call = when.empty() || named || options.budget_seconds > 0, now = when == "now";
  request.alone = now || (named && options.only.empty());
  const bool on_guest = !host.hypervisor.empty() && !host.emulated;
  const bool is_wanted = named || (!any && on_guest && request.options.level > 0);
  if (!is_wanted || in_one_call == now) return {};
  return request;
}

std::string virt_plan_text(const std::vector<bench::VirtCell>& cells, const std::string& folder) {
  const bench::VisitsLeft all = bench::left_of(cells, {});
  std::string text = fmt::format("Virtualization: {}, {}, about {}\n", count_text(std::ssize(cells), "cell"),
                                 count_text(all.visits, "visit"), clock_text(all.seconds));
  const bench::VisitsLeft left = bench::left_of(cells, virt_done(folder));
  text += part_text(folder, left, all);
  for (const model::VirtKindRow& kind : model::virt_kind_rows) {
    const auto of_kind =
        those(cells, [&](const bench::VirtCell& cell) { return cell.spec.kind == kind.value; });
    const bench::VisitsLeft visits = bench::left_of(of_kind, {});
    if (!of_kind.empty())
      text += fmt::format("{:<40}{:>8}{:>9}{:>9}\n", kind.name, of_kind.size(), visits.visits,
                          clock_text(visits.seconds));
  }
  return text;
}

double virt_seconds_left(const std::vector<bench::VirtCell>& cells, const std::string& folder) {
  return bench::left_of(cells, virt_done(folder)).seconds;
}

ExtraOutcome measure_virt(const std::string& folder, const machines::Host& host,
                          const std::vector<bench::VirtCell>& cells, double budget, bool quiet) {
  finish_append(folder + "/virt.jsonl");
  VisitLog<model::VirtSample> log = virt_log(folder);
  int measured = 0, skipped = 0, beside = 0;
  ProgressLine line(quiet, {.part = "virtualization"});
  const bench::VirtHooks hooks = {
      [&](const model::VirtSample& sample) {
        if (!log.record(sample)) return;
        const bool ok = sample.status == model::Status::ok;
        ++(ok ? measured : skipped);
        if (ok && has(sample.notes, model::NoteCode::others_busy)) ++beside;
      },
      [&](const bench::VirtProgress& progress) {
        line.show(progress.visits_done, progress.visits, progress.seconds_left, result_text(*progress.last));
      },
  };
  ExtraOutcome outcome;
  outcome.complete =
      bench::run_virt(host, cells, budget, bench::visited_of(log.recorded()), hooks, stop_requested());
  line.finish();
  outcome.words = fmt::format("Virtualization: {} measured", count_text(measured, "visit"));
  if (beside > 0) outcome.words += fmt::format(", {} of them while other processes kept CPUs busy", beside);
  if (skipped > 0) outcome.words += fmt::format(", {} skipped or invalid", count_text(skipped, "cell"));
  if (outcome.complete) outcome.words += fmt::format("; next: gable virt show {}", shell_quoted(folder));
  outcome.words += "\n";
  return outcome;
}

}  // namespace gable::cli
