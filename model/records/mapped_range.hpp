#pragma once

// A part of a process's address space, and where its pages lie. No file has it.

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace gable::model {

/// statics: of the program and its libraries; allocated: anonymous memory, the C library's heap included.
enum class RangeKind { allocated, statics, stack, file };

struct MappedRange {
  std::uint64_t begin = 0;  ///< its first address
  RangeKind kind = RangeKind::allocated;
  std::string file;                         ///< of a mapped file
  std::uint64_t bytes = 0;                  ///< of its addresses
  std::map<int, std::uint64_t> node_bytes;  ///< resident, by the node's os index
  std::vector<int> nodes;  ///< of a page in each of equal parts, ascending; -1: none there; empty: not looked
};

}  // namespace gable::model
