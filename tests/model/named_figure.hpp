#pragma once

#include <string>

#include "model/compare/compare.hpp"

namespace gable::model {

inline Figure figure_named(int number) {
  Figure figure;
  figure.section = "bandwidth";
  figure.question = figure.name = "figure " + std::to_string(number);
  figure.unit = "GB/s";
  figure.drift_group = number % 2 == 0 ? "cores" : "memory";
  return figure;
}

}  // namespace gable::model
