#pragma once

// Which figures of two folders answer the same question.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/domain/status.hpp"
#include "model/records/note.hpp"
#include "model/statistics/statistics.hpp"

namespace gable::model {

enum class Better { higher, lower, neither };

struct Figure {
  std::string section;      ///< "bandwidth", "peak", "latency", "loaded latency", "ladder", "hybrid", ...
  std::string question;     ///< figures with the same question have the same meaning, and only those
  std::string topic;        ///< the question without its threads; empty: no other threads can be meant
  std::string threads;      ///< those of the question, in words: "all cores", "1 thread"
  std::string name;         ///< the question for people: "cluster 0, DRAM node 1, remote: load"
  std::string overhead;     ///< of virtualization: its name among the overheads; empty: another figure
  std::string cluster;      ///< how the name begins, before ", " or ": "; empty: with no cluster
  std::string variant;      ///< how it was asked: "load_avx512, 4k pages"; empty if that is not known
  std::uint64_t bytes = 0;  ///< working set of each thread; 0: none
  std::string unit;         ///< "GB/s", "GFlop/s", "ns", "MTEPS"; empty for a share
  Better better = Better::higher;
  bool is_step = false;      ///< of a ladder: the last of those with this name stands for all
  bool is_share = false;     ///< compared by the difference of the values, all others by their ratio
  std::string drift_group;   ///< figures of a group drift together from run to run
  Estimate estimate;         ///< empty unless ok
  int visits = 0;            ///< rounds behind it; 0: not known, `published`: of a publication
  bool other_state = false;  ///< as of a Roof: not measured in the state of the machine that others are of
  Status status = Status::ok;
  Note reason;                 ///< why not ok
  Note no_partner;             ///< why no figure of the other machine means the same; empty: one may
  bool at_small_load = false;  ///< an idle latency of which only that at a small load is known

  static constexpr int published = -1;
};

/// Two figures, both ok, by their indices.
struct Matched {
  std::size_t first = 0, other = 0;
  std::string note;  ///< what was asked differently: kernel, pages, working set; empty if nothing
};

/// A figure without a counterpart; of a figure that is ok in neither folder both indices are set.
struct Lone {
  std::optional<std::size_t> first, other;
  Note reason;  ///< why the other folder, or both, have no figure for it
  Status there =
      Status::ok;  ///< why it has none: skipped or invalid there, for this reason; ok: another reason
};

struct Matching {
  std::vector<Matched> matched;  ///< in the order of the first folder's figures
  std::vector<Lone> lone;        ///< those of the first folder, then those of the other one
};

/// Figures are matched by their question; among those with the same question by variant and working set, then
/// by variant alone if there is only one on each side. If a question has no such pair, the best figures are
/// matched, because a roof is the best over kernels and page sizes. Every figure that is ok is in the result,
/// once; one that is not ok is there only if the other folder has asked the same.
Matching match_figures(const std::vector<Figure>& first, const std::vector<Figure>& other);

}  // namespace gable::model
