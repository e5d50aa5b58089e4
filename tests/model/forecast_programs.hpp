#pragma once

// Invented functions that each need one thing most.

#include "tests/model/forecast_machines.hpp"

namespace gable::model::invented {

inline constexpr double memory_lines = 40e9 / 64;  // a second of the memory of speed 1
inline constexpr double far = 1 << 30;             // bytes: more than every cache

inline const Uses stream = {far, memory_lines};
inline const Uses in_l2 = {200e3, 400e9 / 64};
inline const Uses compute = {1024, 1e6, AccessOrder::sequential, 100e9};
inline const Uses scattered = {far, 200e6, AccessOrder::independent};
inline const Uses chained = {far, 4 * 1e7, AccessOrder::chained};

/// Its time on these roofs, without a time that was measured elsewhere.
inline Forecast alone(const Profile& of, const Roofs& on, double cache_factor = 1) {
  return forecast(program(of), setting(on, "there", cache_factor), nullptr);
}

}  // namespace gable::model::invented
