#pragma once

// A figure of a recorded folder as it is compared with the same figure of another one.

#include <cstdint>
#include <string>

#include "model/records/records.hpp"
#include "model/statistics/statistics.hpp"

namespace gable::model {

enum class Better { higher, lower, neither };

struct Figure {
  std::string section;      ///< "bandwidth", "peak", "latency", "loaded latency", "ladder", "hybrid", ...
  std::string question;     ///< figures with the same question have the same meaning, and only those
  std::string topic;        ///< the question without its threads; empty: no other threads can be meant
  std::string threads;      ///< those of the question, in words: "all cores", "1 thread"
  std::string name;         ///< the question for people: "cluster 0, DRAM node 1, remote: load"
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
  Note reason;      ///< why not ok
  Note no_partner;  ///< why no figure of the other machine means the same; empty: one may

  static constexpr int published = -1;
};

}  // namespace gable::model
