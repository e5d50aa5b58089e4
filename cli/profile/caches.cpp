#include "cli/profile/caches.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "base/error.hpp"
#include "base/lists.hpp"
#include "base/words.hpp"
#include "cli/folder.hpp"
#include "cli/recorded_machine.hpp"
#include "machines/machine.hpp"
#include "model/json/lines.hpp"
#include "model/records/virt.hpp"
#include "model/roofs/ladder/usable_size.hpp"
#include "model/virt/summary.hpp"

namespace gable::cli {

namespace {

// How the program uses the caches: its threads that can run at once, and the part of its data on huge pages.
struct CacheUse {
  int threads = 1;
  double huge_pages = 0;
};

model::ProfileCache cache_for(const machines::Cache& cache, const CacheUse& use) {
  const int sharing = std::max(cache.cores_sharing, 1);
  const double bytes = static_cast<double>(cache.bytes);
  const std::string level = fmt::format("L{}", cache.level);
  if (sharing == 1 || use.threads == 1) return {level, bytes, false, sharing, cache.ways, use.huge_pages};
  const int needed = (use.threads + sharing - 1) / sharing;
  return {level, bytes * needed, true, sharing, cache.ways, use.huge_pages};
}

const machines::Cluster& cluster_of(const machines::Machine& machine, int index, const std::string& folder) {
  std::set<int> known;
  for (const machines::Cluster& cluster : machine.clusters) {
    if (cluster.index == index) return cluster;
    known.insert(cluster.index);
  }
  refuse_cluster(std::to_string(index), folder.empty() ? "this machine" : folder, known);
}

int at_once(const machines::Machine& machine, int threads) {
  const int cores = machines::core_count(machine);
  return cores > 0 ? std::min(threads, cores) : threads;
}

std::vector<model::ProfileCache> caches_of(const machines::Cluster& cluster, const CacheUse& use,
                                           const std::string& name) {
  std::vector<model::ProfileCache> caches;
  for (const machines::Cache& cache : cluster.caches) {
    if (cache.bytes > 0) caches.push_back(cache_for(cache, use));
  }
  if (caches.empty())
    throw Error::usage(name, "the sizes of its caches are not known, so no traffic can be computed");
  return caches;
}

// Sets the usable sizes where the ladder contradicts the claim.
void correct(std::vector<model::ProfileCache>& caches, const std::string& folder, int cluster) {
  if (!std::filesystem::exists(std::filesystem::path(folder) / "roofs.json")) return;
  const model::Roofs roofs = roofs_of(folder);
  for (const model::CacheLevel& level : roofs.levels) {
    if (level.cluster != cluster || level.confirmed || !level.measured_bytes || !level.claimed_bytes)
      continue;
    const model::UsableSize usable = model::usable_size(roofs, level);
    const auto claimed = static_cast<double>(level.claimed_bytes);
    const auto measured = static_cast<double>(level.measured_bytes);
    for (model::ProfileCache& cache : caches) {
      if (cache.level != level.level.name()) continue;
      const double whole = cache.bytes;
      cache.bytes = whole * (usable.chains > 0 ? usable.chains : measured) / claimed;
      if (usable.streams > 0) cache.stream_bytes = whole * usable.streams / claimed;
    }
  }
}

model::ProfileTlb recorded_tlb(const std::string& folder) {
  std::vector<model::VirtSample> samples =
      model::read_lines<model::VirtSample>(file_in(folder, "virt.jsonl"));
  std::erase_if(samples,
                [](const model::VirtSample& sample) { return sample.spec.kind != model::VirtKind::walk; });
  return model::tlb_of(model::virt_summary(samples));
}

// Says which caches count with their sets, and why others do not.
std::string associativity_text(const model::Profile& profile, const ProfileMachine& machine) {
  if (profile.sets_followed <= 0)
    return "Caches count as fully associative: the profile is from an older version of Gable. Profile the "
           "program again.";
  const std::string followed =
      fmt::format("{:.0f} of {} sets were followed, an error of about {:.2g} %",
                  model::sets_of_page * profile.sets_followed, model::sets_of_page, 100 * profile.sets_error);
  if (is_far_from_all_sets(profile))
    return "Conflicts are not known, since the sets of caches differ much: " + followed +
           ". Lines count as spread over the sets by chance.";
  std::vector<std::string> known, at_least;
  for (const model::ProfileCache& cache : machine.caches) {
    if (cache.by_chance || !knows_conflicts(profile, cache)) continue;
    known.push_back(fmt::format("{} ({} ways)", cache.level, cache.ways));
    if (writes_back_at_least(cache)) at_least.push_back(cache.level);
  }
  if (known.empty())
    return fmt::format("Caches count as fully associative: their number of ways is not known for {}.",
                       machine.name);
  const std::string error = profile.sets_error > 0 ? "; " + followed : "";
  const auto itself = [](const auto& text) { return text; };
  const std::string bound = at_least.empty()
                                ? ""
                                : fmt::format(
                                      " The bytes that {} write back are a lower bound: on small pages, "
                                      "chance selects the sets.",
                                      joined(at_least, itself, " and "));
  return fmt::format("Lines of the same set evict each other in {}{}.{}", joined(known, itself), error,
                     bound);
}

// Says how much a cache transfers only because many lines fall into few of its sets.
std::string conflict_text(const model::Profile& profile, const ProfileMachine& machine, std::size_t cache) {
  constexpr double worth_a_word = 0.1;
  if (machine.caches[cache].by_chance) return {};
  const auto program = model::profile_rows(profile, model::ProfileKey::program, machine.caches);
  if (program.empty()) return {};
  const double all = program.front().behind[cache].total(), conflicts = program.front().conflicts[cache];
  if (conflicts < worth_a_word * all || conflicts == 0) return {};
  const auto most = [&](model::ProfileKey key) {
    const auto rows = model::profile_rows(profile, key, machine.caches);
    return std::ranges::max(rows, {}, [&](const model::ProfileRow& row) { return row.conflicts[cache]; })
        .name;
  };
  return fmt::format(
      " {} of the bytes behind {} are conflicts, most of them in {} on {}: many lines fall into few sets. "
      "Pad rows or arrays by a line.",
      percent_text(100 * conflicts / all), machine.caches[cache].level, most(model::ProfileKey::function),
      most(model::ProfileKey::object));
}

}  // namespace

std::string usable_size_text(const model::ProfileCache& cache) {
  const auto size = [](double bytes) { return bytes_text(static_cast<std::uint64_t>(bytes)); };
  std::string text = fmt::format("{} {}", cache.level, size(cache.bytes));
  if (cache.stream_bytes > cache.bytes) text += ", for lines in order " + size(cache.stream_bytes);
  return text;
}

ProfileMachine profile_machine(const std::string& folder, int cluster, int threads,
                               std::optional<double> huge_pages_percent) {
  CacheUse use{threads, huge_pages_percent.value_or(0) / 100};
  if (folder.empty()) {
    const machines::Machine machine = machines::this_machine();
    use.threads = at_once(machine, threads);
    return {"this machine", caches_of(cluster_of(machine, cluster, folder), use, "this machine"), {}};
  }
  const auto machine = recorded_machine(folder);
  if (!machine) throw Error::usage(folder, "no machine.json there");
  use.threads = at_once(*machine, threads);
  ProfileMachine found{folder, caches_of(cluster_of(*machine, cluster, folder), use, folder), {}};
  found.claimed = found.caches;
  correct(found.caches, folder, cluster);
  found.tlb = recorded_tlb(folder);
  return found;
}

std::string conflicts_text(const model::Profile& profile, const ProfileMachine& machine) {
  std::string text = associativity_text(profile, machine);
  for (std::size_t i = 0; i < machine.caches.size(); ++i) text += conflict_text(profile, machine, i);
  for (const model::ProfileCache& cache : machine.caches) {
    if (cache.by_chance)
      text += fmt::format(" {} is direct-mapped, and chance selects the place of a line in it.", cache.level);
  }
  return text;
}

}  // namespace gable::cli
