#pragma once

// A machine drawn as boxes in boxes.

#include <string>
#include <vector>

namespace gable::html {

/// Equal parts beside each other: 16 cores, or the 8 caches that they share in pairs.
struct Cells {
  std::string title;   ///< "L2"
  std::string detail;  ///< "1 MiB each, shared by 2 cores"
  int count = 0;
};

struct Memory {
  std::string title;   ///< "node 0"
  std::string tier;    ///< "DRAM"
  std::string detail;  ///< "24 GiB"
};

struct Box {
  std::string kind;  ///< "package", "cluster"
  std::string title, detail;
  std::vector<Cells> rows;
  std::vector<Memory> memories;
  std::vector<Box> boxes;  ///< inside
};

std::string boxes_html(const std::vector<Box>& boxes);

}  // namespace gable::html
