#include "cli/profile/conflicts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "base/lists.hpp"
#include "base/words.hpp"
#include "model/profile/levels.hpp"

namespace gable::cli {
namespace {

// Says which caches count with their sets, and why others do not.
std::string associativity_text(const model::Profile& profile, const ProfileMachine& machine) {
  if (profile.sets_followed <= 0)
    return "Caches count as fully associative: the profile is from an older version of Gable. Profile the "
           "program again.";
  std::vector<std::string> known, at_least;
  for (const model::ProfileCache& cache : machine.caches) {
    if (!knows_conflicts(profile, cache)) continue;
    known.push_back(fmt::format("{} ({} ways)", cache.level, cache.ways));
    if (writes_back_at_least(cache)) at_least.push_back(cache.level);
  }
  if (known.empty())
    return fmt::format("Caches count as fully associative: their number of ways is not known for {}.",
                       machine.name);
  const std::string error = profile.sets_error > 0
                                ? fmt::format("; {:.0f} of {} sets were followed, an error of about {:.1g} %",
                                              model::sets_of_page * profile.sets_followed,
                                              model::sets_of_page, 100 * profile.sets_error)
                                : "";
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

std::string conflicts_text(const model::Profile& profile, const ProfileMachine& machine) {
  std::string text = associativity_text(profile, machine);
  for (std::size_t i = 0; i < machine.caches.size(); ++i) text += conflict_text(profile, machine, i);
  return text;
}

}  // namespace gable::cli
