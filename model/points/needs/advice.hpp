#pragma once

#include <string>

#include "model/points/needs/needs.hpp"

namespace gable::model {

/// One thing to do about the need that binds the Point, or takes most of its time.
std::string need_advice(const Need& need, const Point& point);

/// The same about the number of instructions.
std::string instructions_advice(const Point& point);

/// What to do if most bytes of a level that transfers much are conflicts; empty if there is none.
std::string conflicts_advice(const Point& point);

/// Whether the level may be written a tenth more of its bytes than is known.
bool has_uncertain_writes(const LevelBytes& bytes);

/// Says so of the need's level, as a sentence after a space; otherwise empty.
std::string write_back_remark(const Need& need, const Point& point);

}  // namespace gable::model
