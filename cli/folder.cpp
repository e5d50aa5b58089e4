#include "cli/folder.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <system_error>

#include "cli/errors.hpp"
#include "cli/shell_words.hpp"
#include "model/json/fields.hpp"
#include "model/json/format.hpp"
#include "model/json/hybrid.hpp"

namespace gable::cli {

namespace fs = std::filesystem;

std::string file_in(const std::string& folder, const std::string& name) {
  if (!fs::exists(folder))
    throw UsageError(folder + ": no such folder; `gable measure " + shell_quoted(folder) + "` makes it");
  if (!fs::is_directory(folder))
    throw UsageError(folder + ": not a folder; name the folder of a recorded machine");
  return fs::path(folder) / name;
}

std::string named_file(const std::string& path) {
  try {
    return model::read_whole(path);
  } catch (const std::system_error& error) {
    throw UsageError(fmt::format("{}: {}", path, error.code().message()));
  }
}

void refuse_cluster(const std::string& asked, const std::string& folder, const std::set<int>& known) {
  throw UsageError(fmt::format("--cluster {}: {} has the cluster{} {}", asked, folder,
                               known.size() == 1 ? "" : "s", fmt::join(known, ", ")));
}

std::vector<model::Sample> samples_of(const std::string& folder) {
  const std::string path = file_in(folder, "samples.jsonl");
  std::vector<model::Sample> samples = model::read_samples(path);
  if (samples.empty())
    throw UsageError(path + ": no samples; run `gable measure " + shell_quoted(folder) + "` first");
  return samples;
}

model::Roofs roofs_of(const std::string& folder) {
  const std::string path = file_in(folder, "roofs.json");
  if (!fs::exists(path))
    throw UsageError(path + ": no such file; run `gable fit " + shell_quoted(folder) + "` first");
  model::Roofs roofs = model::roofs_from_json(model::read_whole(path), path);
  if (const auto machine = machine_json_of(folder); machine && machine->contains("clusters"))
    roofs.machine_clusters = static_cast<int>(machine->at("clusters").size());
  return roofs;
}

model::Hybrid hybrid_of(const std::string& folder) {
  const std::string path = file_in(folder, "hybrid.json");
  if (!fs::exists(path))
    throw UsageError(path + ": no such file; run `gable fit " + shell_quoted(folder) +
                     "` first, on samples of a machine with two memories");
  return model::hybrid_from_json(model::read_whole(path), path);
}

std::string machine_json_cure(const std::string& folder) {
  const fs::path path(folder);
  return fmt::format("write it anew: `gable machine --xml {} --json > {}`",
                     shell_quoted(path / "topology.xml"), shell_quoted(path / "machine.json"));
}

std::optional<nlohmann::json> machine_json_of(const std::string& folder) {
  const std::string path = file_in(folder, "machine.json");
  if (!fs::exists(path)) return std::nullopt;
  nlohmann::json root = model::parse_json(model::read_whole(path), path, machine_json_cure(folder));
  if (root.contains("schema")) model::Fields(root, path + ":1").schema();
  return root;
}

std::vector<model::CacheClaim> cache_claims_of(const std::string& folder) {
  std::vector<model::CacheClaim> claims;
  const std::optional<nlohmann::json> root = machine_json_of(folder);
  if (!root) return claims;
  const std::string path = file_in(folder, "machine.json"), what_to_do = machine_json_cure(folder);
  const model::Fields machine(*root, path + ":1");
  machine.schema();
  if (!machine.at("caches").is_array()) machine.fail("\"caches\" must be an array; " + what_to_do);
  for (const nlohmann::json& cache : machine.at("caches")) {
    const model::Fields fields(cache, path + ":1: caches[" + std::to_string(claims.size()) + "]");
    claims.push_back({fields.integer("level", 1, 9), fields.bytes("bytes")});
  }
  return claims;
}

bool is_emulated(const std::string& folder) {
  const std::optional<nlohmann::json> root = machine_json_of(folder);
  if (!root) return false;
  const auto emulated = root->find("emulated");
  return emulated != root->end() && emulated->is_boolean() && emulated->get<bool>();
}

}  // namespace gable::cli
