#include "cli/point/run/runs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/files.hpp"
#include "base/installation.hpp"
#include "base/json.hpp"
#include "base/lists.hpp"
#include "base/temporary_folder.hpp"
#include "cli/point/point.hpp"
#include "cli/text/message.hpp"
#include "kmaf/live/run.hpp"
#include "model/json/visits/note.hpp"
#include "model/points/access.hpp"

namespace gable::cli {

namespace {

// What the reports of the runs say.
struct Managed {
  bool all = true;                                         // every run, to its end
  model::Notes notes;                                      // each once
  std::map<std::pair<int, int>, model::LoadStore> access;  // by cluster and node: the runs' shares
  bool tells_stores = true;                                // all of them are loads where it does not
  double inverse_samples = 0;  // sum over the runs of 1 / their effective number of samples
  int sampled_runs = 0;
  double seen_in = 1;  // the least share of an oracle's memory near which its record has samples

  // The effective number of samples that tell `access`. All runs of an oracle have the samples of one record.
  double samples(bool knows) const {
    if (inverse_samples <= 0) return 0;
    return sampled_runs / inverse_samples * (knows ? 1 : sampled_runs);
  }

  // Returns the program's seconds.
  double add(const Json& report) {
    all = all && report.at("managed").get<bool>();
    for (const model::Note& note : model::notes_from(model::Fields(report, "the report"), "notes"))
      add_once(notes, note);
    for (const auto& share : report.at("access")) {
      const auto& stores = share.at("stores");
      const double all = share.at("share").get<double>(),
                   stored = stores.is_null() ? 0 : stores.get<double>();
      model::LoadStore& sum = access[{share.at("cluster").get<int>(), share.at("node").get<int>()}];
      sum.load += all * (1 - stored);
      sum.store += all * stored;
      tells_stores = tells_stores && !stores.is_null();
    }
    if (const double samples = report.at("access_samples").get<double>(); samples > 0) {
      inverse_samples += 1 / samples;
      ++sampled_runs;
    }
    if (const auto& seen = report.at("access_seen_in"); seen.is_number())
      seen_in = std::min(seen_in, seen.get<double>());
    return report.at("seconds").get<double>();
  }
};

// Samples tell shares and no bytes: the bytes are those of the point at memory level, or of its instructions.
// Where stores are not told apart every node has the point's share of them.
void set_sampled_access(const Managed& managed, double samples, model::Point& point) {
  const auto is_its = [&](int cluster) { return point.cluster < 0 || point.cluster == cluster; };
  model::LoadStore all;
  double of_all_clusters = 0;
  for (const auto& [place, share] : managed.access) {
    of_all_clusters += share.sum();
    all.load += is_its(place.first) ? share.load : 0;
    all.store += is_its(place.first) ? share.store : 0;
  }
  if (all.sum() <= 0) return;
  model::LoadStore bytes = {point.load_bytes, point.store_bytes};
  if (!point.levels.empty() && is_memory(point.levels.back().level))
    bytes = {point.levels.back().read, point.levels.back().written};
  if (bytes.sum() <= 0) return;
  point.access.clear();  // what a profile and one look at its pages tell
  point.access_source = model::AccessSource::samples;
  point.access_samples = samples * all.sum() / of_all_clusters;
  const bool apart = managed.tells_stores && all.load > 0 && all.store > 0;
  for (const auto& [place, share] : managed.access) {
    if (!is_its(place.first)) continue;
    const double loads = apart ? share.load / all.load : share.sum() / all.sum();
    const double stores = apart ? share.store / all.store : share.sum() / all.sum();
    point.access.push_back({place.second, place.first, bytes.load * loads, bytes.store * stores});
  }
  if (!managed.tells_stores) point.notes.emplace_back(model::NoteCode::stores_not_told);
}

// A record has huge pages, or every small page by itself, and leaves out the first touch of each.
bool on_small_pages(const model::Point& unmanaged) {
  constexpr double other_percent = 1;
  return unmanaged.huge_pages_percent.value_or(100) < other_percent;
}

// Why a record has first touches that it cannot tell from other accesses; empty: it has none.
std::string untold_first_touches(const model::Point& unmanaged) {
  constexpr double nearly_all_percent = 90;
  const std::optional<double> huge = unmanaged.huge_pages_percent;
  if (!huge) return "it is not known whether its data is on huge pages";
  if (on_small_pages(unmanaged) || *huge >= nearly_all_percent) return {};
  return fmt::format("{:.0f} % of its data is on huge pages", *huge);
}

// Runs the program once to learn its accesses. Throws as run_points().
void learn(RunPlan plan, const std::string& file, const model::Point& unmanaged, RepeatedInput& input) {
  tell(fmt::format("{}: learning what it accesses", unmanaged.name));
  std::vector<std::string> manager = {own_program(), "kmaf", "run", "--learn", file, "--"};
  if (on_small_pages(unmanaged)) manager.insert(manager.end() - 1, {"--unit", "4k"});
  manager.insert(manager.end(), plan.wrapper.begin(), plan.wrapper.end());
  plan.wrapper = manager;
  plan.again = true;
  plan.samples = false;
  plan.repetitions = 1;
  run_points(plan, unmanaged, input);
}

}  // namespace

std::vector<std::string> managed_policies() {
  std::vector<std::string> names = model::all_names<kmaf::live::Policy>();
  std::erase(names, name_of(kmaf::live::Policy::os));
  return names;
}

std::vector<model::Point> run_managed_points(RunPlan plan, const model::Point& unmanaged,
                                             const std::string& policy, RepeatedInput& input) {
  const TemporaryFolder folder("managed");
  const std::string report = folder.path / "report.json";
  std::vector<std::string> manager = {own_program(), "kmaf",     "run",  "--policy", policy,
                                      "--json",      "--report", report, "--"};
  const bool knows = policy == name_of(kmaf::live::Policy::oracle);
  if (knows) {
    const std::string known = folder.path / "known";
    learn(plan, known, unmanaged, input);
    if (!std::filesystem::exists(known)) {
      tell(fmt::format("no point '{}', since nothing of the program's accesses could be learned",
                       managed_name(unmanaged.name, policy)));
      return {};
    }
    manager.insert(manager.end() - 1, {"--knowing", known});
  }
  manager.insert(manager.end(), plan.wrapper.begin(), plan.wrapper.end());
  plan.wrapper = manager;
  plan.again = true;
  const bool is_sampled = plan.samples;
  plan.samples = false;  // the sampler would see the wrapper too
  Managed managed;
  plan.program_seconds = [&] { return managed.add(json_from(read_whole(report))); };
  model::Point point = unmanaged;
  point.name = managed_name(unmanaged.name, policy);
  point.from = unmanaged.name;
  point.notes.push_back({model::NoteCode::run_managed, {policy}});
  tell(point.name);
  std::vector<model::Point> made = run_points(plan, point, input).points;
  if (!managed.all) {
    tell(fmt::format("no point '{}', since not every run was managed to its end: {}", point.name,
                     joined_sentences(managed.notes)));
    return {};
  }
  for (model::Point& each : made)
    each.notes.insert(each.notes.end(), managed.notes.begin(), managed.notes.end());
  for (model::Point& each : made) {
    if (is_sampled) each.samples.missing = model::NoteCode::sampled_with_manager;
  }
  const std::string untold = knows ? untold_first_touches(unmanaged) : "";
  for (model::Point& each : made) {
    if (managed.access.empty()) continue;
    if (!untold.empty()) {
      each.notes.push_back({model::NoteCode::first_touches_not_told, {untold}});
    } else if (managed.seen_in < kmaf::live::enough_seen) {
      each.notes.push_back({model::NoteCode::accesses_seen_in_part, {100 * managed.seen_in}});
    } else {
      set_sampled_access(managed, managed.samples(knows), each);
    }
  }
  return made;
}

}  // namespace gable::cli
