#include "model/points/needs/advice.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/words.hpp"
#include "model/points/binding.hpp"
#include "model/points/needs/stalls/contention.hpp"

namespace gable::model {
namespace {

// The share of what is written back in the bytes that the memory transfers.
double written_share(const Point& point) {
  const LevelBytes& memory = point.levels.back();
  const double all = memory.read + memory.written;
  return all > 0 ? (memory.written - memory.streamed) / all : 0;
}

// Whether conflicts in the cache before the level cause at least half of its bytes.
bool mostly_conflicts(const LevelBytes& bytes) {
  return bytes.conflicts >= 0.5 * (bytes.read + bytes.written);
}

bool mostly_conflicts(const Point& point, const Level& level) {
  const auto found = std::ranges::find(point.levels, level, &LevelBytes::level);
  return found != point.levels.end() && mostly_conflicts(*found);
}

// Rows and columns in the wrong order, rather than addresses that nobody can foresee.
bool mostly_strided(const Point& point) {
  const LevelBytes& memory = point.levels.back();
  return memory.strided >= 0.5 * memory.irregular;
}

std::string path_advice(const Need& need) {
  if (need.slowest == LatencyClass::load) return "follow several chains at once";
  if (need.slowest == LatencyClass::forward)
    return "keep in a register what is stored and loaded again at once";
  if (is_integer_division(need.slowest))
    return "avoid divisions of integers: divide by constants or powers of two, compare and subtract, or "
           "multiply by a reciprocal that is computed once";
  if (need.slowest == LatencyClass::atomic)
    return "let each thread collect results without atomic operations, and combine them seldom";
  if (need.slowest == LatencyClass::integer || need.slowest == LatencyClass::integer_mul)
    return "work on several independent inputs at once, side by side or in vectors";
  return "compute several results at once (several sums, vectors), or let the compiler change the order "
         "(-fassociative-math)";
}

constexpr const char* exchange_loops =
    "let the innermost loop use lines in order (exchange loops, or work in blocks): most of these lines are "
    "at constant distances of more than 2 KiB";

constexpr const char* pad =
    "pad rows or arrays by a line, so that they do not crowd in few sets of the cache before it";

constexpr const char* vectorize = "let the compiler vectorize it: most flops are scalar";

// Where few instructions compute with floating-point numbers, vectors of these gain nothing.
bool is_mostly_scalar(const Point& point) {
  constexpr double few = 0.1;
  return point.scalar_flops_percent.value_or(0) >= 50 && point.flops >= few * point.instructions.executed;
}

std::string contention_advice(const Point& point) {
  constexpr double most = 0.5;
  const double apart = apart_share(point);
  return apart >= most
             ? fmt::format(
                   "let the data of each thread have cache lines of their own: {} of these accesses "
                   "are to other bytes of the line than the other thread uses (false sharing)",
                   percent_text(100 * apart))
             : "let each thread collect results of its own, and combine them seldom; lock less often";
}

std::string branches_advice(const Need& need, const Instructions& counts) {
  if (2 * counts.mispredicted_jumps > counts.mispredicted)
    return "sort the data by what the indirect jumps and calls decide, as objects with virtual functions by "
           "their type";
  return fmt::format(
      "select without branches (conditional moves){}, or sort the data by what the branches decide",
      need.besides.hi < need.hi / 2 ? " where no address depends on the choice" : "");
}

std::string irregular_advice(const Need& need, const Point& point) {
  constexpr double nearly_all = 90;  // percent
  if (mostly_strided(point)) return exchange_loops;
  if (need.room == Need::Room::stores)
    return "store to fewer places in turns: partition in several passes, or collect the lines in a buffer";
  const bool is_on_small = point.huge_pages_percent.value_or(0) < nearly_all;
  std::string ways = "sort or partition the accesses";
  if (!need.is_sooner) ways += is_on_small ? ", prefetch" : ", or prefetch";
  return ways + (is_on_small ? ", or use 2 MiB pages" : "");
}

}  // namespace

std::string instructions_advice(const Point& point) {
  return is_mostly_scalar(point)
             ? vectorize
             : "fewer instructions are needed: let the compiler vectorize it, or compute addresses once";
}

std::string conflicts_advice(const Point& point) {
  constexpr double worth_a_word = 0.1;  // of the bytes that instructions use
  for (const LevelBytes& bytes : point.levels) {
    const bool is_much = bytes.read + bytes.written >= worth_a_word * (point.load_bytes + point.store_bytes);
    if (is_much && mostly_conflicts(bytes))
      return fmt::format(
          "pad rows or arrays by a line: {} of the bytes from {} are conflicts, because its lines crowd in "
          "few sets of the cache before it",
          percent_text(100 * bytes.conflicts / (bytes.read + bytes.written)), bytes.level.name());
  }
  return {};
}

std::string need_advice(const Need& need, const Point& point) {
  constexpr double much_written = 0.2, worth_huge_pages = 0.9, worth_wider_vectors = 1.5;
  const Limit& limit = need.limit;
  switch (limit.kind) {
    case Limit::Kind::chain:
      return "follow several chains at once, or prefetch";
    case Limit::Kind::irregular:
      return irregular_advice(need, point);
    case Limit::Kind::branches:
      return branches_advice(need, point.instructions);
    case Limit::Kind::path:
      return path_advice(need);
    case Limit::Kind::walks:
      return need.on_huge_pages > 0 && need.on_huge_pages <= worth_huge_pages * need.hi
                 ? fmt::format("use huge pages, with which this takes at most {}",
                               percent_text(100 * need.on_huge_pages))
                 : "use huge pages, or each page more often while the TLB holds it";
    case Limit::Kind::integer:
      return instructions_advice(point);
    case Limit::Kind::loads:
      return is_mostly_scalar(point) ? vectorize : "use each value more often while it is in a register";
    case Limit::Kind::iterations:
      return "let the compiler vectorize or unroll its loops, as with -O3 -funroll-loops";
    case Limit::Kind::contention:
      return contention_advice(point);
    case Limit::Kind::flops:
      if (is_division(limit.op))
        return "multiply by reciprocals, or divide in vectors or in single precision";
      if (is_mostly_scalar(point)) return vectorize;
      return limit.times_in_wider >= worth_wider_vectors
                 ? fmt::format("use wider vectors, for which this peak is {:.2g} times as high",
                               limit.times_in_wider)
                 : "fewer or cheaper operations are needed";
    case Limit::Kind::cache:
      if (is_first_cache(limit.level)) return "keep more in registers";
      return mostly_conflicts(point, limit.level)
                 ? pad
                 : "use each line more often while it is in the cache before it";
    case Limit::Kind::memory:
      if (need.on_huge_pages > 0 && need.on_huge_pages <= worth_huge_pages * need.share)
        return fmt::format("use huge pages, with which this takes {} instead",
                           percent_text(100 * need.on_huge_pages));
      if (mostly_conflicts(point, Level::memory())) return pad;
      if (!need.place_known) break;
      if (limit.pattern == Pattern::remote) return "place its data on the node of its threads";
      if (limit.pattern == Pattern::contended || limit.pattern == Pattern::congested)
        return "let each thread first touch the data that it uses";
      break;
    case Limit::Kind::hybrid:
    case Limit::Kind::side_cache:
      break;
  }
  return written_share(point) >= much_written
             ? "use each line more often while it is in a cache, or store past the caches"
             : "use each line more often while it is in a cache";
}

bool has_uncertain_writes(const LevelBytes& bytes) {
  constexpr double worth_a_word = 0.1;
  return bytes.written_more > worth_a_word * (bytes.read + bytes.written);
}

std::string write_back_remark(const Need& need, const Point& point) {
  const auto found = std::ranges::find(point.levels, limited_level(need.limit), &LevelBytes::level);
  if (found == point.levels.end() || !has_uncertain_writes(*found)) return {};
  const Note note(NoteCode::written_at_least, {found->level.name(), found->written_more});
  return capitalized(sentence(note)) + ".";
}

}  // namespace gable::model
