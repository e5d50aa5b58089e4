#pragma once

// A tier is anything that holds memory: a node, a file on persistent memory, a kind of memkind. The user
// names it, and its memory reports where it really is.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "machines/machine.hpp"
#include "model/records/note.hpp"

namespace gable::bench {

/// Memory of a tier, freed by the destructor.
class Region {
 public:
  virtual ~Region() = default;
  Region(const Region&) = delete;
  Region& operator=(const Region&) = delete;

  std::span<std::byte> bytes() const { return bytes_; }
  const std::string& how() const { return how_; }       ///< "bound to node 2", ...
  bool persistent() const { return persistent_; }       ///< survives the loss of power
  const model::Notes& notes() const { return notes_; }  ///< differences from the request

  /// Bytes on each memory node after they were touched, according to the kernel. A negative node means that
  /// no node has the memory: a file on a device, or a missing page. With more than `most_pages` pages a
  /// sample is checked.
  virtual std::map<int, std::uint64_t> residence(std::size_t most_pages = 16384) const;
  /// Why the memory is not where it should be; empty if it is.
  virtual model::Note misplaced(std::size_t most_pages = 16384) const = 0;

 protected:
  Region() = default;

  std::span<std::byte> bytes_;
  std::string how_;
  bool persistent_ = false;
  model::Notes notes_;
};

struct Tier {
  std::string name;  ///< as requested
  model::Tier kind = model::plain_tier;
  std::optional<unsigned> node;                                    ///< if the tier is a single node
  std::function<std::optional<std::uint64_t>()> free_bytes;        ///< now, as far as it is known
  std::function<std::unique_ptr<Region>(std::size_t bytes)> take;  ///< throws Error::unavailable
  std::optional<std::uint64_t> file_system = {};  ///< of a file: the device number of its file system
};

/// The tier with this name, for the threads of `cluster`:
///   DRAM, HBM, NVM, CXL   the nearest node of that tier, local ones first
///   node:N                the memory node with that os index
///   FOLDER or NEW FILE    a file there, gone afterwards; a name is a path when it has a slash
///   memkind:KIND          hbw, dax_kmem, highest_capacity, ... (memkind's names in small letters)
/// Throws Error::unavailable.
Tier find_tier(const std::string& name, const machines::Machine& machine, int cluster);

/// Bytes of a tier that must be available together with those of all others.
using Wanted = std::pair<const Tier*, std::uint64_t>;

/// Why the tiers cannot hold all of it at once; empty if they can, as far as is known. Tiers on one node
/// share its free memory, and files share that of their file system.
std::string no_room(const std::vector<Wanted>& wanted);

}  // namespace gable::bench
