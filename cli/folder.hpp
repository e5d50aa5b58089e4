#pragma once

// The folder of a recorded machine, as the commands that read one find it.

#include <set>
#include <string>
#include <vector>

#include "model/hybrid/hybrid.hpp"
#include "model/records/records.hpp"
#include "model/roofs/roofs.hpp"

namespace gable::cli {

struct RecordedMachine;

/// The folder that a command reads and writes nothing into: `named` where there is such a path; else, for
/// "joe0", "machines/joe0", "zen4" or "machines/measured/zen4", the machine of that name that comes with the
/// program, published or measured (base/installation.hpp). Throws Error::usage that names similar folders
/// where there is neither.
std::string machine_folder(const std::string& named);

/// The folder that a command reads, and writes into unless its --output names another place. Throws
/// Error::usage as machine_folder(), and for a machine that comes with the program; std::runtime_error where
/// nothing can be written. `takes`: "FOLDER takes the charts".
std::string folder_with_output(const std::string& named, const std::string& output, const std::string& takes);

/// "`gable measure DIR --only c2c` on that machine adds them"; what to do instead where DIR is of a machine
/// that comes with the program.
std::string measuring_advice(const std::string& folder, const std::string& only);

/// Whether the folder is of a machine that comes with the program.
bool comes_with_gable(const std::string& folder);

/// The names of the machines that came with the program: "joe0", ...
std::vector<std::string> machine_names();

/// DIR/name. Throws Error::usage when DIR is not a folder; where there is none it names similar ones.
std::string file_in(const std::string& folder, const std::string& name);

/// Throws Error::usage for a folder that holds other files and no recording: it was named by mistake. An
/// empty one was made for this.
void require_recording(const std::string& folder);

/// The whole file that the user named. Throws Error::usage where it cannot be read.
std::string named_file(const std::string& path);

/// Throws Error::usage for `--cluster named`, which is none of those that DIR has.
[[noreturn]] void refuse_cluster(const std::string& named, const std::string& folder,
                                 const std::set<int>& known);

/// The Samples of DIR/samples.jsonl. Throws Error::usage when there are none, Error::format for a broken
/// file.
std::vector<model::Sample> samples_of(const std::string& folder);

/// The content of DIR/roofs.json. Throws Error::usage when it is absent, Error::format for a broken file.
model::Roofs roofs_of(const std::string& folder);

/// What the models need of the topology: the number of clusters, the tiers of the nodes.
void add_topology(const RecordedMachine& machine, model::Roofs& roofs);

/// The content of DIR/hybrid.json. Throws Error::usage when it is absent, Error::format for a broken file.
model::Hybrid hybrid_of(const std::string& folder);

/// The folder's own name, without those above it.
std::string name_of_folder(const std::string& folder);

}  // namespace gable::cli
