#pragma once

// The records of a prepared trace.

#include <cstdint>

#include "kmaf/traces/trace.hpp"

namespace gable::kmaf {

/// One access to one line, or an event. Accesses that a thread repeats within its turn, to a line that it
/// used last among those of the same cache set, hit the L1 and change nothing: they are counted with the
/// record before them.
struct Record {
  std::uint32_t page = 0;          ///< in order of first touch; of an event that has one: the object
  std::uint32_t instructions = 0;  ///< of the thread since its previous record, with those of the repeats
  std::uint16_t thread = 0;        ///< in order of first appearance
  std::uint16_t repeats = 0;
  std::uint8_t line = 0;  ///< of the page
  bool write = false;
  Event event = Event::access;

  bool operator==(const Record&) const = default;
};
static_assert(sizeof(Record) == 16);

}  // namespace gable::kmaf
