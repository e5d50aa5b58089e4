#include "kmaf/live/plan.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "base/error.hpp"
#include "kmaf/engine/mapping.hpp"
#include "kmaf/live/program/inherited.hpp"
#include "kmaf/live/samplers/perf_events.hpp"

namespace gable::kmaf::live {

namespace fs = std::filesystem;

namespace {

std::string missing_words(const Missing& missing) {
  if (missing.command.empty()) return missing.what;
  return missing.what + "; to allow it, an administrator runs  " + missing.command;
}

// The requested sampler; nullptr, with a note, if it does not work here.
const SamplerEntry* choose(const Options& options, Settings& settings, Plan& plan, Report& report) {
  for (const SamplerEntry& entry : samplers()) {
    const bool chosen = options.sampler == "auto" ? entry.is_default : options.sampler == entry.name;
    if (!chosen) continue;
    Offer offer = entry.make(settings, options.budget);
    plan.sampler = std::move(offer.sampler);
    if (plan.sampler) return &entry;
    report.notes.push_back({model::NoteCode::sampler_missing, {entry.name, missing_words(offer.missing)}});
  }
  return nullptr;
}

void plan_rate(const Settings& settings, Plan& plan, Report& report) {
  const bool knobs = settings.can_write(std::string(scan_knobs) + "scan_period_min_ms");
  // Balancing that is on counts too: another run may have switched it on, and will switch it off.
  plan.changes_settings = knobs || !balancing_is_on(settings) || settings.can_write(numa_balancing);
  if (knobs) return;
  report.notes.push_back({model::NoteCode::rate_of_kernel, {scan_knobs}});
}

void plan_trials(const Settings& settings, Plan& plan, Report& report) {
  const auto [event, error] = find_event(store_events(), known_stores());
  plan.stores = event;
  if (event) return;
  Missing missing;
  if (error == EACCES || error == EPERM) {
    missing = perf_missing(settings, error);
  } else if (error == ERANGE) {
    missing.what = "the counter counted a million stores wrong";
  } else {
    const bool none = error == ENOENT || error == ENODEV || error == EOPNOTSUPP;
    missing.what = none ? "there is no such counter, as in most virtual machines" : std::strerror(error);
  }
  report.notes.push_back({model::NoteCode::stores_not_counted, {missing_words(missing)}});
}

void plan_kmaf(const Options& options, Settings& settings, Plan& plan, Report& report) {
  const SamplerEntry* const chosen = choose(options, settings, plan, report);
  if (chosen == nullptr) {
    report.notes.emplace_back(model::NoteCode::no_sampler);
    plan.policy = Policy::os;
    return;
  }
  report.sampler = chosen->name;
  plan.changes_something = true;
  plan.changes_objects = chosen->balances;
  plan.learns = options.learns;  // every sampler also sees threads start
  if (options.trials && options.threads && mapper().available) plan_trials(settings, plan, report);
  if (chosen->balances) plan_rate(settings, plan, report);
  if (options.threads && !mapper().available)
    report.notes.push_back({model::NoteCode::threads_not_mapped, {mapper().missing}});
}

void plan_autonuma(const Settings& settings, Plan& plan, Report& report) {
  const bool on = balancing_is_on(settings);
  if (settings.can_write(numa_balancing)) {
    plan.balancing = plan.changes_settings = plan.changes_something = true;
    return;
  }
  if (on) return;
  const auto balancing = settings.read(numa_balancing);
  report.notes.push_back(balancing ? model::Note(model::NoteCode::balancing_off, {*balancing})
                                   : model::NoteCode::no_balancing);
  plan.policy = Policy::os;
}

void plan_oracle(const Options& options, const Settings& settings, Plan& plan, Report& report) {
  if (const int error = PerfEvents::refusal(PerfEvents::What::tasks)) {
    report.notes.push_back(
        {model::NoteCode::threads_not_seen, {missing_words(perf_missing(settings, error))}});
    plan.policy = Policy::os;
    return;
  }
  plan.follows = true;
  if (options.threads && !mapper().available)
    report.notes.push_back({model::NoteCode::threads_in_order, {mapper().missing}});
}

void plan_addresses(Plan& plan, Report& report) {
  const int error = fix_addresses_refusal();
  plan.fixes_addresses = error == 0;
  if (error == 0) return;
  report.notes.push_back({model::NoteCode::addresses_vary, {std::strerror(error)}});
}

// All memories take part, as under numactl --interleave=all and in the replay's policies of these names.
void plan_interleave(const std::vector<unsigned>& memories, Plan& plan, Report& report) {
  const int error = interleave_refusal(memories);
  if (error == 0) {
    plan.interleaved = memories;
    return;
  }
  report.notes.push_back(
      {model::NoteCode::not_interleaved,
       {std::string(std::strerror(error)) + (error == EPERM ? "; a container needs CAP_SYS_NICE" : "")}});
  plan.policy = Policy::os;
}

std::optional<fs::path> folder_of(const fs::path& root) {
  const fs::path run = root / "run";
  if (access(run.c_str(), W_OK) == 0) return run;
  const char* const own = std::getenv("XDG_RUNTIME_DIR");
  if (own != nullptr && access(own, W_OK) == 0) return own;
  const fs::path temporary = root / "tmp";
  if (access(temporary.c_str(), W_OK) == 0) return temporary;
  return {};
}

}  // namespace

Plan plan_of(const Options& options, Settings& settings, const std::vector<unsigned>& nodes,
             const std::vector<unsigned>& memories, Report& report) {
  Plan plan;
  plan.policy = options.policy;
  report.policy = options.policy;
  if (!options.unmanageable.empty()) {
    report.notes.push_back({model::NoteCode::not_manageable, {options.unmanageable}});
    plan.policy = Policy::os;
  }
  const PolicyRow& policy = row_of(plan.policy);
  if ((policy.interleaves ? memories : nodes).size() == 1 && plan.policy != Policy::os)
    report.notes.emplace_back(model::NoteCode::one_node);
  if (plan.policy == Policy::kmaf) plan_kmaf(options, settings, plan, report);
  if (plan.policy == Policy::autonuma) plan_autonuma(settings, plan, report);
  if (policy.interleaves) plan_interleave(memories, plan, report);
  if (plan.policy == Policy::oracle) plan_oracle(options, settings, plan, report);
  plan.follows = plan.follows || row_of(plan.policy).binds;
  if ((plan.policy == Policy::kmaf && plan.learns) || plan.policy == Policy::oracle)
    plan_addresses(plan, report);
  plan.changes_something = plan.changes_something || plan.follows;
  if (const int error = options.no_huge_pages ? deny_huge_pages_refusal() : 0)
    report.notes.push_back({model::NoteCode::huge_pages_stay, {std::strerror(error)}});
  report.managed = plan.policy == options.policy && plan.policy != Policy::os;
  return plan;
}

Journal journal_for(const Plan& plan, const Settings& settings, model::Notes& notes) {
  const auto folder = folder_of(settings.root());
  if (!folder) {
    if (plan.changes_settings)
      throw Error::failed("changed settings cannot be recorded: none of " +
                          (settings.root() / "run").string() + ", $XDG_RUNTIME_DIR and " +
                          (settings.root() / "tmp").string() + " is writable");
    return Journal::unnamed();
  }
  std::vector<std::string> repaired;
  try {
    Journal journal = Journal::named(*folder, settings.root(), repaired);
    for (const std::string& repair : repaired) notes.emplace_back(repair);
    if (plan.changes_settings || plan.changes_objects) return journal;
    journal.clear();
  } catch (const std::exception&) {
    if (plan.changes_settings) throw;
  }
  return Journal::unnamed();
}

}  // namespace gable::kmaf::live
