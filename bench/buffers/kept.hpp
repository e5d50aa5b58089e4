#pragma once

// Memory that is mapped for a whole plan, touched only as far as runs have needed it, and kept for later
// runs.

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "bench/buffers/buffer.hpp"
#include "bench/buffers/mixed.hpp"
#include "bench/threads/team.hpp"

namespace gable::bench {

struct KeptBuffer {
  KeptBuffer(std::uint64_t bytes, const std::vector<unsigned>& nodes_of, model::Pages pages)
      : nodes(nodes_of), buffer(bytes, nodes_of, pages, notes) {}

  std::vector<unsigned> nodes;
  model::Notes notes;  ///< of the mapping; declared before the buffer, which adds to them
  Buffer buffer;
  std::uint64_t touched = 0;      ///< bytes from its begin
  std::uint64_t checked = 0;      ///< of these, those whose huge pages were checked
  std::uint64_t chase_lines = 0;  ///< of the chase that is linked in it; 0: there is none
  std::uint64_t chase_begin = 0;  ///< where this chase begins
  std::uint64_t chase_at = 0;     ///< the line where the next walk starts, in bytes from there
  std::uint64_t links_begin = 0;  ///< from here to before `links_end`, links lie among the numbers
  std::uint64_t links_end = 0;
  int round = 0;            ///< of the last visit that used it
  std::uint64_t visit = 0;  ///< this visit, counted from 1
  model::Note fault;        ///< why its pages cannot be used; empty if they can
};

class KeptBuffers {
 public:
  /// Tells that a visit of `round` begins.
  void begin_visit(int round);

  /// The buffer of that name with at least `room` bytes; maps it if it is not there or too small. Throws
  /// Error::unavailable.
  KeptBuffer& get(const std::string& name, std::uint64_t room, const std::vector<unsigned>& nodes,
                  model::Pages pages);
  const KeptBuffer* find(const std::string& name) const;

  /// Touched bytes, of all buffers or an even share of those on `node`.
  std::uint64_t touched() const;
  std::uint64_t touched_on(unsigned node) const;

  /// Gives back one other buffer, on `node` if it is not negative; returns whether there was any. Rounds
  /// repeat the same visits, so the buffer that was used last is needed again last, unless a whole round did
  /// without one.
  bool drop_one_but(const std::vector<std::string>& names, int node = -1);

  /// Several threads ask this while memory is touched: whether the visit cannot be made any more.
  std::function<bool()> too_late = [] { return false; };

  MixedBuffers mixed;  ///< of the current share of pages

 private:
  std::map<std::string, std::unique_ptr<KeptBuffer>> buffers_;
  int round_ = 0;
  std::uint64_t visits_ = 0;
};

/// What threads shall touch, and link if it is a chase that differs from what is linked. Otherwise it holds
/// numbers afterwards, also where a chase was.
struct Touch {
  KeptBuffer* buffer;
  std::uint64_t begin, bytes;
  bool chase;
  std::vector<unsigned> cpus;  ///< those of two Touches are the same or differ in all
};

/// Several threads share the work on each buffer, and all buffers are touched at once. Throws
/// Error::unavailable if it became too late.
void touch(const std::vector<Touch>& all, Team& team, const std::function<bool()>& too_late);

}  // namespace gable::bench
