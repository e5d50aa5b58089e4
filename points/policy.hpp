#pragma once

// The memory policy of a program: the nodes on which the kernel allocates its pages.

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace gable::points {

struct Policy {
  enum class Kind { first_touch, interleave, bind, preferred, weighted };

  Kind kind = Kind::first_touch;
  std::vector<unsigned> nodes;           ///< os indices, ascending; empty for first_touch
  std::map<unsigned, unsigned> weights;  ///< weighted: consecutive pages on each node; empty: the system's

  bool operator==(const Policy&) const = default;
};

/// "first-touch", "interleave" (over `nodes`), "interleave:0,2", "bind:1", "bind:0,1", "preferred:1",
/// "weighted" (over `nodes`, with the system's weights), "weighted:0=3,1=1". `nodes`: the machine's memory
/// nodes. Throws Error::usage for anything else, and for a missing node.
Policy parse_policy(const std::string& text, const std::vector<unsigned>& nodes);

/// Why the system's weights differ from those of the policy, with the command that sets them; empty if they
/// agree or the policy has none. The weights are system-wide, so they are compared and never changed.
std::string wrong_weights(const Policy& policy, const std::filesystem::path& root = "/");

/// Sets the policy of this thread, and of the programs that it starts, as long as the object lives;
/// afterwards the default applies. Throws Error::usage if the kernel refuses it.
class AppliedPolicy {
 public:
  explicit AppliedPolicy(const Policy& policy);
  ~AppliedPolicy();
  AppliedPolicy(const AppliedPolicy&) = delete;
  AppliedPolicy& operator=(const AppliedPolicy&) = delete;
};

/// Binds this thread, and the programs that it starts, to these hardware threads as long as the object lives.
/// Throws Error::usage.
class AppliedCpus {
 public:
  explicit AppliedCpus(const std::vector<unsigned>& cpus);
  ~AppliedCpus();
  AppliedCpus(const AppliedCpus&) = delete;
  AppliedCpus& operator=(const AppliedCpus&) = delete;

  /// The hardware threads that this thread used before and does not use now; empty if unknown.
  const std::vector<unsigned>& others() const { return others_; }

 private:
  std::vector<unsigned> before_, others_;
};

}  // namespace gable::points
