#pragma once

// The figures of virt.jsonl: costs with intervals, page walks, noise.

#include <map>
#include <string>
#include <vector>

#include "model/profile/levels.hpp"
#include "model/records/virt.hpp"
#include "model/statistics/statistics.hpp"
#include "model/virt/noise.hpp"
#include "model/virt/walks.hpp"

namespace gable::model {

/// "3 of 6 visits: other processes kept 0.6 to 1.9 CPUs busy; measure again on an idle machine.": the notes
/// of the ok visits of a kind. Those that differ in their numbers alone are one.
std::vector<std::string> notes_of(const std::vector<VirtSample>& samples, VirtKind kind);

/// The result of all visits to one VirtCase but noise.
struct VirtFigure {
  VirtCase spec;
  std::string unit;  ///< "ns", "us" (calls), "GB/s", "GFlop/s", "GUPS" (1e9 updates a second)
  bool lower_is_better = true;
  Estimate estimate;   ///< empty unless ok
  int visits = 0;      ///< ok ones
  double seconds = 0;  ///< program: of a whole run, median
  Status status = Status::ok;
  Note reason;           ///< why it is not ok
  std::string verified;  ///< program: how the result was checked
};

/// The page-walk ladder of one page size.
struct WalkLadder {
  VirtPages pages = VirtPages::small;
  std::vector<WalkPoint> points;
  std::vector<VirtFigure> latencies, bandwidths;
  VirtPages packed_pages = VirtPages::none;  ///< in which the packed accesses lie that are taken off
  WalkFit fit;
};

struct VirtSummary {
  std::map<std::string, std::string> facts;  ///< of the environment; empty: not recorded
  std::vector<VirtFigure> figures;           ///< map and program, in order of appearance
  std::vector<WalkLadder> ladders;
  std::vector<Noise> noises;
  std::vector<VirtFigure> skipped;                     ///< whatever is not ok
  std::map<VirtKind, std::vector<std::string>> notes;  ///< by kind; kinds without any are left out
  Hypervisor hypervisor = Hypervisor::unknown;

  bool emulated() const { return hypervisor == Hypervisor::emulates; }

  bool empty() const {
    return facts.empty() && figures.empty() && ladders.empty() && noises.empty() && skipped.empty();
  }
  /// nullptr if there is none that is ok.
  const VirtFigure* figure(VirtKind kind, std::string_view what, VirtPages pages) const;
  const WalkLadder* ladder(VirtPages pages) const;
  /// Mean over the CPUs; nothing recorded: 0.
  double noise_share() const;
};

VirtSummary virt_summary(const std::vector<VirtSample>& samples);

/// The levels that the page walks of both sizes of pages show; empty without a fit.
ProfileTlb tlb_of(const VirtSummary& summary);

}  // namespace gable::model
