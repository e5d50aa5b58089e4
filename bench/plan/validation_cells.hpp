#pragma once

// The cells that validate the roofs (LARM paper, section 4.2.1): loads with an increasing number of
// floating-point operations per load, in every cache and memory.

#include <cstddef>
#include <string>
#include <string_view>

#include "bench/plan/cell_maker.hpp"

namespace gable::bench {

class ValidationCells : public CellMaker {
 public:
  using CellMaker::CellMaker;
  void make();

 private:
  // In the caches from `first`, an index into cluster.caches, outwards.
  void add_caches(const machines::Cluster& cluster, std::string_view op, const std::string& isa,
                  std::size_t first);
  void add_memory(std::string_view op, const std::string& isa);
  // There are many points, which support each other.
  double visit_seconds() const { return options_.preset->visit_seconds * 2 / 3; }
};

}  // namespace gable::bench
