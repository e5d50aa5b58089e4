#include "cli/folder.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>

#include "base/error.hpp"
#include "base/files.hpp"
#include "base/installation.hpp"
#include "base/lists.hpp"
#include "base/words.hpp"
#include "cli/recorded_machine.hpp"
#include "cli/text/arguments.hpp"
#include "model/json/hybrid.hpp"
#include "model/json/lines.hpp"
#include "model/records/records.hpp"

namespace gable::cli {

namespace fs = std::filesystem;

namespace {

bool is_folder(const fs::path& path) {
  std::error_code ignored;
  return fs::is_directory(path, ignored);
}

// Whether a command could read it: the folder of a recorded machine has one of these.
bool is_recorded(const fs::path& folder) {
  constexpr std::array files = {"machine.json", "roofs.json",  "samples.jsonl",
                                "hybrid.json",  "points.json", "placements.jsonl",
                                "tiers.jsonl",  "virt.jsonl",  "c2c.jsonl"};
  std::error_code ignored;
  return std::ranges::any_of(files, [&](const char* file) { return fs::exists(folder / file, ignored); });
}

// "joe" and "Joe0" are similar to "joe0", "knl" to "knl-snc4-flat".
bool is_similar(const std::string& named, const std::string& name) {
  constexpr std::size_t least_part = 3;
  const std::string a = lower_case(named), b = lower_case(name);
  if (std::min(a.size(), b.size()) >= least_part &&
      (b.find(a) != std::string::npos || a.find(b) != std::string::npos))
    return true;
  return edit_distance(a, b) <= std::clamp<std::size_t>(a.size() / 3, 1, 3);
}

fs::path without_slash(const std::string& named) {
  const fs::path path = fs::path(named).lexically_normal();
  return path.has_filename() ? path : path.parent_path();
}

// The folders with the machines that come with the program: the published ones, and those that were measured.
std::vector<fs::path> installed_folders() {
  const fs::path machines = installed_machines();
  return machines.empty() ? std::vector<fs::path>() : std::vector{machines, machines / "measured"};
}

// What may follow "machines/" in the path of a machine that comes with the program: "joe0" of "joe0" and of
// "machines/joe0", "measured/zen4" of both forms; empty for other paths.
fs::path short_name(const fs::path& path) {
  if (path.empty()) return {};
  const fs::path name = *path.begin() == "machines" ? path.lexically_relative("machines") : path;
  const bool short_enough = name.parent_path().empty() || name.parent_path() == "measured";
  return name.has_filename() && short_enough ? name : fs::path();
}

// The recorded folders beside the one that was asked for, and the machines that come with the program.
std::vector<std::string> similar_folders(const std::string& named) {
  constexpr std::size_t most = 8;
  const fs::path path = without_slash(named);
  std::vector<std::string> found;
  const auto look_in = [&](const fs::path& parent, const fs::path& shown) {
    const fs::path folder = parent.empty() ? "." : parent;
    for (const std::string& name : names_in(folder)) {
      const std::string full = shown.empty() ? name : (shown / name).string();
      if (is_similar(path.filename(), name) && is_recorded(folder / name) && !is_among(found, full))
        found.push_back(full);
    }
  };
  look_in(path.parent_path(), path.parent_path());
  if (!short_name(path).empty()) {
    for (const fs::path& folder : installed_folders()) look_in(folder, path.parent_path());
  }
  std::ranges::sort(found);
  if (found.size() > most) found.resize(most);
  return found;
}

// The machine that comes with the program and has this name; empty if there is none.
std::string installed_folder(const std::string& named) {
  const fs::path name = short_name(without_slash(named));
  if (name.empty()) return {};
  for (const fs::path& parent : installed_folders()) {
    const fs::path folder = parent / name;
    if (is_folder(folder) && is_recorded(folder)) return folder.string();
  }
  return {};
}

[[noreturn]] void refuse_absent(const std::string& named) {
  if (named.empty()) throw Error::usage("the name of the folder is empty");
  if (!installed_folder(named).empty()) {
    throw Error::usage(named +
                       ": a machine that comes with Gable; this needs a folder of your own, which `gable "
                       "measure DIR` makes");
  }
  if (!is_folder(installed_machines()))
    throw Error::usage(named +
                       ": no such folder, and the machines that come with Gable were not found beside it");
  std::vector<std::string> similar = similar_folders(named);
  for (std::string& name : similar) name = shell_quoted(name);
  throw Error::usage(
      fmt::format("{}: no such folder;{} `gable measure {}` makes it", named,
                  similar.empty() ? "" : fmt::format(" did you mean {}?", fmt::join(similar, " or ")),
                  shell_quoted(named)));
}

}  // namespace

std::string machine_folder(const std::string& named) {
  std::error_code ignored;
  if (fs::status(named, ignored).type() != fs::file_type::not_found) return named;
  std::string installed = installed_folder(named);
  if (installed.empty()) refuse_absent(named);
  return installed;
}

std::string folder_with_output(const std::string& named, const std::string& output,
                               const std::string& takes) {
  std::string folder = machine_folder(named);
  if (!output.empty()) return folder;
  if (folder != named)
    throw Error::usage(fmt::format(
        "{}: a machine that comes with Gable, where nothing is written; --output {}", named, takes));
  if (fs::is_directory(folder) && access(folder.c_str(), W_OK) != 0)
    throw Error::failed(fmt::format("{}: nothing can be written there: {}; --output {}", folder,
                                    std::strerror(errno), takes));
  return folder;
}

std::string measuring_advice(const std::string& folder, const std::string& only) {
  if (!comes_with_gable(folder))
    return fmt::format("`gable measure {} --only {}` on that machine adds them", shell_quoted(folder), only);
  return fmt::format(
      "this machine comes with Gable, and nothing is written there; `gable measure DIR --only {}` measures "
      "those of your own machine",
      only);
}

bool comes_with_gable(const std::string& folder) {
  std::error_code ignored;
  const fs::path parent = without_slash(fs::weakly_canonical(folder, ignored)).parent_path();
  return std::ranges::any_of(installed_folders(), [&](const fs::path& installed) {
    return parent == fs::weakly_canonical(installed, ignored);
  });
}

std::vector<std::string> machine_names() {
  std::set<std::string> names;
  for (const fs::path& folder : installed_folders()) {
    for (const std::string& name : names_in(folder)) {
      if (is_recorded(folder / name)) names.insert(name);
    }
  }
  return {names.begin(), names.end()};
}

std::string file_in(const std::string& folder, const std::string& name) {
  if (!fs::exists(folder)) refuse_absent(folder);
  if (!fs::is_directory(folder))
    throw Error::usage(folder + ": not a folder; name the folder of a recorded machine");
  return fs::path(folder) / name;
}

void require_recording(const std::string& folder) {
  if (is_recorded(folder) || fs::is_empty(file_in(folder, ""))) return;
  throw Error::usage(fmt::format("{}: no recording of a machine; `gable measure {}` makes one", folder,
                                 shell_quoted(folder)));
}

std::string named_file(const std::string& path) {
  try {
    return read_whole(path);
  } catch (const std::system_error& error) {
    throw Error::usage(fmt::format("{}: {}", path, error.code().message()));
  }
}

void refuse_cluster(const std::string& named, const std::string& folder, const std::set<int>& known) {
  throw Error::usage(fmt::format("--cluster {}: {} has the {} {}", named, folder,
                                 plural(std::ssize(known), "cluster"), fmt::join(known, ", ")));
}

std::vector<model::Sample> samples_of(const std::string& folder) {
  const std::string path = file_in(folder, "samples.jsonl");
  std::vector<model::Sample> samples = model::read_lines<model::Sample>(path);
  if (samples.empty()) {
    const std::string cure = fs::exists(file_in(folder, "roofs.json"))
                                 ? "`gable show {}` prints the roofs that are there"
                                 : "run `gable measure {}` first";
    throw Error::usage(path + ": no samples; " + fmt::format(fmt::runtime(cure), shell_quoted(folder)));
  }
  return samples;
}

void add_topology(const RecordedMachine& machine, model::Roofs& roofs) {
  for (const machines::Cluster& cluster : machine.clusters) {
    roofs.machine_cores[cluster.index] = static_cast<int>(cluster.cores.size());
    if (!cluster.cores.empty())
      roofs.machine_nodes[cluster.index].insert(cluster.nodes.begin(), cluster.nodes.end());
    if (!cluster.kind.empty()) roofs.machine_kinds[cluster.index] = cluster.kind;
  }
  roofs.machine_clock_ghz = machine.clock_ghz;
  for (const machines::Node& node : machine.nodes) roofs.machine_tiers[node.os_index] = node.tier;
}

model::Roofs roofs_of(const std::string& folder) {
  const std::string path = file_in(folder, "roofs.json");
  if (!fs::exists(path))
    throw Error::usage(fmt::format("{}: no such file; run {}`gable fit {}` first", path,
                                   fs::exists(file_in(folder, "samples.jsonl"))
                                       ? ""
                                       : fmt::format("`gable measure {}` and ", shell_quoted(folder)),
                                   shell_quoted(folder)));
  model::Roofs roofs = model::roofs_from_json(read_whole(path), path);
  if (const auto machine = recorded_machine(folder)) add_topology(*machine, roofs);
  return roofs;
}

namespace {

// Why there is no hybrid.json, and what makes it.
std::string why_no_hybrid(const std::string& folder) {
  const std::string quoted = shell_quoted(folder);
  const std::vector<model::Sample> samples =
      model::read_lines<model::Sample>(file_in(folder, "samples.jsonl"));
  const bool measured =
      std::ranges::any_of(samples, [](const model::Sample& sample) { return is_grid(sample.spec.pattern); });
  if (measured) return fmt::format("no such file; run `gable fit {}` first", quoted);
  const auto machine = recorded_machine(folder);
  if (machine && machine->nodes.size() == 1)
    return "no such file; this machine has one memory, and nothing to mix";
  if (samples.empty() && fs::exists(file_in(folder, "roofs.json")))
    return "no such file: no mixes of two memories were measured on this machine";
  return fmt::format(
      "no such file: no hybrid cells were measured; `gable measure {0} --only hybrid` measures them, then "
      "run "
      "`gable fit {0}`",
      quoted);
}

}  // namespace

model::Hybrid hybrid_of(const std::string& folder) {
  const std::string path = file_in(folder, "hybrid.json");
  if (!fs::exists(path)) throw Error::usage(path + ": " + why_no_hybrid(folder));
  return model::hybrid_from_json(read_whole(path), path);
}

std::string name_of_folder(const std::string& folder) {
  const fs::path path = fs::absolute(folder).lexically_normal();
  return path.has_filename() ? path.filename() : path.parent_path().filename();
}

}  // namespace gable::cli
