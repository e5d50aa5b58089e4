#include "cli/place/memory/memory.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>

#include "base/error.hpp"
#include "base/files.hpp"
#include "base/numbers.hpp"
#include "base/words.hpp"
#include "bench/memory/tier_campaign.hpp"
#include "bench/plan/plan.hpp"
#include "cli/folder.hpp"
#include "cli/interrupt.hpp"
#include "cli/place/setup.hpp"
#include "cli/points_file.hpp"
#include "cli/recorded_machine.hpp"
#include "cli/recording.hpp"
#include "cli/text/message.hpp"
#include "model/json/lines.hpp"
#include "model/json/tiers.hpp"
#include "model/records/names.hpp"
#include "model/records/tier.hpp"

namespace gable::cli {

namespace {

using model::TierSample;

// A vendor's claims about its memory, from --vendor or a published machine.
struct VendorClaim {
  std::string tier;            // as requested: "NVM", "/mnt/pmem"
  double load = 0, store = 0;  // GB/s (1e9 B/s); 0: not given
  std::string option;          // its source; empty: published
};

// "read=40.8,write=11.1" of one tier.
void take(const std::string& text, VendorClaim& claim) {
  const auto wrong = [&] {
    throw Error::usage(fmt::format(
        "--vendor {}: give TIER:read=GB/s,write=GB/s, such as NVM:read=40.8,write=11.1", claim.option));
  };
  if (text.empty() || text.ends_with(',')) wrong();
  for (const std::string& part : split(text, ',')) {
    const std::size_t equals = part.find('=');
    if (equals == std::string::npos) wrong();
    const std::string what = part.substr(0, equals);
    const double value = read_as<double>(std::string_view(part).substr(equals + 1)).value_or(0);
    if (!(value > 0) || value > 1e6 || (what != "read" && what != "write")) wrong();
    (what == "read" ? claim.load : claim.store) = value;
  }
}

// Reads options such as "NVM:read=40.8,write=11.1".
std::vector<VendorClaim> vendor_claims(const std::vector<std::string>& options) {
  std::vector<VendorClaim> claims;
  for (const std::string& option : options) {
    const std::size_t colon = option.rfind(':');
    VendorClaim claim{option.substr(0, std::min(colon, option.size())), 0, 0, option};
    take(colon == std::string::npos ? "" : option.substr(colon + 1), claim);
    claims.push_back(std::move(claim));
  }
  return claims;
}

[[noreturn]] void no_such_tier(const VendorClaim& claim) {
  throw Error::usage(fmt::format("--vendor {}: '{}' is not one of the tiers", claim.option, claim.tier));
}

// Sets them in the figures of loads and stores of their tiers, replacing existing claims. Throws Error::usage
// for an option's tier without figures.
void add_claims(const std::vector<VendorClaim>& claims, std::vector<model::TierFigure>& figures) {
  for (const VendorClaim& claim : claims) {
    bool any = false;
    for (model::TierFigure& figure : figures) {
      if (figure.spec.tier != claim.tier) continue;
      any = true;
      if (is_load(figure.spec) && claim.load > 0) figure.vendor_gb_per_s = claim.load;
      if (is_store(figure.spec) && claim.store > 0) figure.vendor_gb_per_s = claim.store;
    }
    if (!any && !claim.option.empty()) no_such_tier(claim);
  }
}

// The claims in `published` of DIR/machine.json, if any. Throws Error::format for a broken file.
std::vector<VendorClaim> published_claims(const std::string& folder) {
  std::vector<VendorClaim> claims;
  const std::optional<RecordedMachine> machine = recorded_machine(folder);
  if (!machine) return claims;
  for (const RecordedMachine::Claim& published : machine->claims) {
    VendorClaim& claim = claims.emplace_back();
    claim.tier = published.tier;
    (published.op == model::operations::load ? claim.load : claim.store) = published.gb_per_s;
  }
  return claims;
}

std::vector<bench::TierToMeasure> tiers_to_measure(const PlaceMemory& arguments,
                                                   const machines::Machine& machine) {
  std::vector<bench::TierToMeasure> all;
  for (bench::Tier& tier : tiers_of(machine, arguments.tiers, arguments.options.cluster))
    all.push_back({std::move(tier)});
  for (const VendorClaim& claim : vendor_claims(arguments.vendors)) {
    const auto tier =
        std::ranges::find_if(all, [&](const auto& each) { return each.tier.name == claim.tier; });
    if (tier == all.end()) no_such_tier(claim);
    if (claim.load > 0) tier->vendor_load_gb_per_s = claim.load;
    if (claim.store > 0) tier->vendor_store_gb_per_s = claim.store;
  }
  return all;
}

void check(const PlaceMemory& arguments, const machines::Machine& machine, const machines::Host& host) {
  const bench::TierOptions& options = arguments.options;
  const machines::Cluster& cluster = own_cluster(machine, options.cluster);
  if (options.threads > static_cast<int>(cluster.cores.size()))
    throw Error::usage(
        fmt::format("--threads {}: the cluster has {} cores", options.threads, cluster.cores.size()));
  const std::uint64_t least = bench::least_memory_set(cluster);
  if (!host.emulated && options.memory_set_bytes > 0 && options.memory_set_bytes < least)
    throw Error::usage(fmt::format(
        "--memory-set {}: give at least {} MiB, twice the last-level caches, or these would be measured",
        options.memory_set_bytes, least >> 20));
}

// What was visited, with its figure or the reason why there is none.
std::string result(const TierSample& last) {
  std::string figure = sentence(last.reason);
  if (last.status == model::Status::ok) {
    const model::TierFigure got = model::tier_figures({last}).front();
    figure = fmt::format("{:.2f} {}", got.estimate.value, unit_of(last.spec));
  }
  return fmt::format("{}: {}, {}  {}", last.spec.tier, name_of(last.spec),
                     count_text(last.spec.threads, "thread"), figure);
}

void measure_tiers(const PlaceMemory& arguments) {
  const machines::Machine machine = measurable_machine();
  const machines::Host host = machines::this_host();
  check(arguments, machine, host);
  const std::vector<bench::TierToMeasure> tiers = tiers_to_measure(arguments, machine);
  const machines::Cluster& cluster = own_cluster(machine, arguments.options.cluster);
  const std::uint64_t bytes =
      bench::tier_bytes(bench::tier_cells("", cluster, arguments.options, kernels::cpu_features()));
  if (const std::string why = bench::too_small(tiers, bytes); !why.empty())
    throw Error::usage(fmt::format("--tiers: {}; --memory-set takes less", why));
  const Recording recording(arguments.folder, machine, host);
  const std::string path = file_in(arguments.folder, "tiers.jsonl");
  complete_lines(path);
  VisitLog<TierSample> log(path);
  if (host.emulated) tell(std::string(machines::emulated_note));
  ProgressLine line(arguments.quiet);
  const bench::TierHooks hooks = {
      [&](const TierSample& sample) { log.record(sample); },
      [&](const bench::TierProgress& progress) {
        line.show(progress.visits_done, progress.visits, progress.seconds_left, result(*progress.last));
      },
  };
  bench::run_tiers(machine, host, tiers, arguments.options, bench::visited_of(log.recorded()), hooks,
                   stop_requested());
}

}  // namespace

std::vector<model::TierFigure> recorded_figures(const std::string& folder) {
  const std::string path = file_in(folder, "tiers.jsonl");
  std::vector<model::TierFigure> figures = model::tier_figures(model::read_lines<model::TierSample>(path));
  if (figures.empty() && std::filesystem::exists(file_in(folder, "roofs.json"))) {
    figures = model::published_figures(roofs_of(folder));
    add_claims(published_claims(folder), figures);
  }
  return figures;
}

void place_memory(const PlaceMemory& arguments) {
  if (!arguments.list) {
    require_recording(arguments.folder);
    require_writable(arguments.folder);
    measure_tiers(arguments);
  }
  const std::string path = arguments.folder + "/tiers.jsonl";
  if (stop_requested() && !std::filesystem::exists(path))
    throw Error::interrupted("interrupted before anything was measured");
  std::vector<model::TierFigure> figures = recorded_figures(arguments.folder);
  if (figures.empty() && !stop_requested())
    throw Error::usage(fmt::format("{}: no memory benchmarks are recorded here", arguments.folder));
  if (!figures.empty()) add_claims(vendor_claims(arguments.vendors), figures);
  std::fputs((arguments.json ? model::tier_figures_to_json(figures) : memory_table(figures)).c_str(), stdout);
  if (stop_requested())
    throw Error::interrupted("interrupted; the finished measurements are kept in " + path +
                             ", and the same command continues");
  const auto is_ok = [](const model::TierFigure& figure) { return figure.status == model::Status::ok; };
  if (!arguments.list && std::ranges::none_of(figures, is_ok))
    throw Error::failed("place --bench memory: no tier has a valid figure; the reasons are above");
}

}  // namespace gable::cli
