#pragma once

// Builds Knowledge from sampled accesses, with bounded memory however long the program runs.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>

#include "kmaf/engine/affinity_table.hpp"
#include "kmaf/engine/knowledge.hpp"

namespace gable::kmaf {

class Learning {
 public:
  struct Limits {
    std::size_t tasks = 1024;           ///< the matrix grows with their square
    std::size_t pages = 1u << 20;       ///< each with `uses` tasks at most
    std::size_t sub_blocks = 1u << 21;  ///< in which sharing is seen
    std::size_t uses = 4;
  };

  /// Pages are counted in units of `unit_bytes`, sharing in sub-blocks of `sub_block_bytes`.
  Learning(unsigned unit_bytes, unsigned sub_block_bytes, Limits limits);

  /// Assigns a number to a task; empty if there are too many tasks.
  std::optional<int> add_task(const KnownProgram& program, int number);
  /// Reports that the task has ended.
  void ended() { --alive_; }

  /// `task` accessed the byte `offset` of an object, which lies at `address` in its program.
  void sample(int task, std::uint64_t object, std::uint64_t offset, std::uint64_t address);

  /// An access by an unknown task.
  void leave_out() { ++known_.samples_left_out; }

  /// The result.
  Knowledge knowledge() const;

 private:
  void share(int task, const Page& sub_block);
  void use(KnownPage& page, int task) const;

  unsigned unit_bytes_, sub_block_bytes_;
  Limits limits_;
  int alive_ = 0;
  Knowledge known_;
  std::map<std::string, int> programs_;
  std::unordered_map<Page, std::size_t, PageHash> pages_;  // place in known_.pages
  std::unordered_map<Page, int, PageHash> last_;           // task of each sub-block
  std::map<std::pair<int, int>, std::uint64_t> sharing_;
};

}  // namespace gable::kmaf
