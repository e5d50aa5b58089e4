#pragma once

// How a program would use a machine: its threads, its data, its pages.

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "cli/points_file.hpp"
#include "cli/profile/caches.hpp"
#include "cli/recorded_machine.hpp"
#include "model/predict/forecast.hpp"
#include "model/records/point.hpp"
#include "model/records/profile.hpp"

namespace gable::cli {

/// What the user says of how the program would run. What is not said is as where it was timed, or as the
/// system does it.
struct ProgramUse {
  int threads = 0;                     ///< 0: as many as in the profile, or as the point had
  std::map<std::string, int> objects;  ///< memory nodes of single objects, by their names
  std::string memory;               ///< "node:1", "HBM", "interleave", "3:1", "0=60,1=40"; empty: first touch
  std::string option = "--memory";  ///< that named it
  std::string pages;                ///< "4k", "2m", ...; empty: as the system gives them
  bool needs_caches = true;         ///< the bytes of each level follow from the sizes of caches
  std::optional<double> huge_pages_percent;  ///< of its data, instead of `pages`
  int cluster = -1;  ///< on whose cores it runs; -1: the first one, or all if its cores do not suffice
};

/// A recorded machine with what a prediction reads of it.
struct PredictMachine {
  std::string folder, name;
  RecordedMachine recorded;
  Background background;
  double clock_ghz = 0;      ///< 0: not known
  std::string architecture;  ///< "x86-64", "AArch64"; empty: not known
  /// Caches for a cluster, threads, and a share of huge pages, as far as they have been computed.
  using CachesFor = std::map<std::tuple<int, int, std::optional<double>>, ProfileMachine>;
  std::shared_ptr<CachesFor> hierarchies = std::make_shared<CachesFor>();
};

/// Throws Error::usage for a folder without machine.json, Error::format for a broken file.
PredictMachine predict_machine(const std::string& folder);

/// The same under these roofs; of a folder without machine.json what the roofs tell.
PredictMachine predict_machine(const std::string& folder, Background background);

/// The setting of a program there. `like` is the Point that was timed, or one without a time of which only
/// the threads are known. With `is_here` its cluster, data and pages count. Throws Error::unavailable for
/// threads, memories or caches that the machine lacks, and Error::usage for words that say nothing.
model::Setting setting_on(const PredictMachine& machine, const model::Point& like, const ProgramUse& use,
                          bool is_here);

/// "2 threads of cluster 0", "data on node 1", "small pages".
std::vector<std::string> words_of(const model::Setting& setting);

/// Sets the nodes and the policy of the Point's data by `use.memory`. Throws Error::usage for words that say
/// no place, and Error::unavailable for memories that the machine does not have.
void place_data(const PredictMachine& machine, const ProgramUse& use, model::Point& like);

/// Throws Error::unavailable if the machine is known to have no such node. The option names it.
void require_memory_node(const PredictMachine& machine, int node, const std::string& option);

/// Whether the text is such a place, "fast" or "slow", and no folder.
bool is_memory_text(const std::string& text);

/// Sets the place of the data ("node:1", "HBM", ...) and the nodes of single objects ("a=node:1"), as the
/// values of --memory say. Throws Error::usage for an object or other data with two places.
void take_memory(const std::vector<std::string>& texts, ProgramUse& use);

/// The objects with these names: as `gable profile show` prints them, or without the brackets behind them.
/// Throws Error::usage, with the names that there are, for a name of no object or of several.
std::vector<model::PlacedObject> placed_objects(const model::Profile& profile,
                                                const std::map<std::string, int>& nodes);

}  // namespace gable::cli
