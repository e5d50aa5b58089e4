#pragma once

// Merges reasons that differ only in their numbers: "kept 0.4 to 1.9 CPUs busy", "no HBM in cluster 0 or 1".

#include <set>
#include <string>
#include <vector>

namespace gable::cli {

class Reason {
 public:
  /// The reason without its numbers; reasons with the same pattern can be merged.
  static std::string pattern(const std::string& reason);

  /// Adds a reason of the same pattern as those before.
  void add(const std::string& reason);

  /// The reason, with the range of each amount that varies, and with all numbers of clusters, nodes and CPUs.
  std::string text() const;

 private:
  struct Less {
    bool operator()(const std::string& a, const std::string& b) const;
  };
  std::string pattern_;
  std::vector<std::set<std::string, Less>> numbers_;
};

}  // namespace gable::cli
