#pragma once

// Everything that a recorded folder has, as gable show needs it.

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "cli/fit/fit.hpp"
#include "cli/points_file.hpp"
#include "cli/recorded_machine.hpp"
#include "model/c2c/classes.hpp"
#include "model/hybrid/hybrid.hpp"
#include "model/records/placed.hpp"
#include "model/records/point.hpp"
#include "model/roofs/roofs.hpp"
#include "model/tiers/tiers.hpp"
#include "plots/charts/recorded.hpp"

namespace gable::cli {

struct ShownFolder {
  std::string folder;
  std::string name;  ///< of the machine; where nothing tells it, of the folder
  std::string when;  ///< its Samples were measured, for people; empty: it has none
  std::optional<RecordedMachine> machine;
  model::Roofs roofs;
  model::Hybrid hybrid;
  std::vector<Missing> missing;  ///< of roofs and hybrid
  std::vector<model::Point> points;
  std::vector<model::Reading> readings;
  std::vector<model::Placed> placed;
  std::vector<model::TierFigure> tiers;
  std::vector<model::C2cFigure> c2c;
  std::string replay;                ///< what replay.json says, in a sentence; empty where there is none
  std::vector<std::string> remarks;  ///< what a reader must know of the figures, a sentence each
};

/// Fits the samples where there is no roofs.json, with a remark if the reader `keeps` such figures. Throws
/// Error::usage where nothing is recorded, Error::format for a broken file.
ShownFolder read_folder(const std::string& folder, bool keeps = true);

/// What the samples tell by themselves, whatever was fitted before. Throws Error::format for a broken file.
ShownFolder read_samples_alone(const std::string& folder);

/// The kinds of the cores of each cluster: "P", "E"; empty where the machine has one kind.
using CoreKinds = std::map<int, std::string>;
CoreKinds core_kinds(const std::optional<RecordedMachine>& machine);

/// Name, CPU and caveat of the machine recorded in the folder, as charts take them.
charts::Recorded machine_for_charts(const std::string& folder, const std::optional<RecordedMachine>& machine);

/// The same with its roofs and the figures between its cores.
charts::Recorded roofs_for_charts(const ShownFolder& shown);

}  // namespace gable::cli
