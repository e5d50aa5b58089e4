#include "cli/folder.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>
#include <system_error>

#include "base/whole_file.hpp"
#include "base/words.hpp"
#include "cli/errors.hpp"
#include "cli/recorded_machine.hpp"
#include "cli/shell_words.hpp"
#include "model/json/fields.hpp"
#include "model/json/hybrid.hpp"
#include "model/json/samples.hpp"

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
    return read_whole(path);
  } catch (const std::system_error& error) {
    throw UsageError(fmt::format("{}: {}", path, error.code().message()));
  }
}

void refuse_cluster(const std::string& asked, const std::string& folder, const std::set<int>& known) {
  throw UsageError(fmt::format("--cluster {}: {} has the {} {}", asked, folder,
                               plural(std::ssize(known), "cluster"), fmt::join(known, ", ")));
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
  model::Roofs roofs = model::roofs_from_json(read_whole(path), path);
  if (const auto machine = recorded_machine(folder))
    roofs.machine_clusters = static_cast<int>(machine->clusters.size());
  return roofs;
}

model::Hybrid hybrid_of(const std::string& folder) {
  const std::string path = file_in(folder, "hybrid.json");
  if (!fs::exists(path))
    throw UsageError(path + ": no such file; run `gable fit " + shell_quoted(folder) +
                     "` first, on samples of a machine with two memories");
  return model::hybrid_from_json(read_whole(path), path);
}

}  // namespace gable::cli
