#include "model/points/needs/words.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/lists.hpp"
#include "base/words.hpp"
#include "model/points/cause.hpp"
#include "model/points/kernel_time.hpp"
#include "model/points/threads.hpp"

namespace gable::model {
namespace {

std::string share_text(const Need& need) {
  if (need.is_range) return fmt::format("{} to {}", percent_text(100 * need.lo), percent_text(100 * need.hi));
  return percent_text(100 * need.share);
}

// The written share of the bytes that the memory transfers.
double written_share(const Point& point) {
  const LevelBytes& memory = point.levels.back();
  const double all = memory.read + memory.written;
  return all > 0 ? memory.written / all : 0;
}

// The rate of random loads is what one loop reaches, and no bound.
bool is_sure(const Need& need) {
  return need.lo >= bound_from_percent / 100 && need.limit.kind != Limit::Kind::irregular;
}

std::string rest_text(const Reading& reading, const Point& point) {
  if (is_much_in_kernel(point)) return "time in the kernel";
  return reading.limit.kind == Limit::Kind::flops ? "waiting and other instructions"
                                                  : "waiting, instructions, or transfers that do not overlap";
}

}  // namespace

NeedWords::NeedWords(const Roofs& roofs, const Point& point, const Reading& reading)
    : roofs_(roofs), point_(point), reading_(reading), cores_(cores_of(roofs, reading.cluster)) {}

std::string NeedWords::roof_of(const Need& need) const {
  if (need.limit.kind == Limit::Kind::chain) return "the measured latencies, one line after the other";
  if (need.limit.kind == Limit::Kind::irregular)
    return need.is_range ? "the measured latencies" : "the measured rate of random loads";
  Reading with = reading_;
  with.limit = need.limit;
  return roof_words(point_, with, cores_);
}

std::string NeedWords::amount_of(const Need& need) const {
  const auto bytes = bytes_text(static_cast<std::uint64_t>(need.bytes));
  if (need.limit.kind == Limit::Kind::flops) return fmt::format("{:.3g} GFlop", need.bytes / 1e9);
  if (need.limit.kind == Limit::Kind::chain || need.limit.kind == Limit::Kind::irregular)
    return fmt::format("{:.3g} million lines", need.bytes / 64e6);
  return bytes;
}

std::string NeedWords::others(const std::vector<Need>& needs, std::size_t from) const {
  constexpr double worth_a_word = 0.05;
  std::vector<std::string> texts;
  for (std::size_t i = from; i < needs.size() && texts.size() < 3; ++i) {
    if (needs[i].hi >= worth_a_word)
      texts.push_back(fmt::format("{} {}", culprit(needs[i].limit), share_text(needs[i])));
  }
  return texts.empty() ? "" : " Next: " + joined(texts, [](const auto& text) { return text; }) + ".";
}

std::string NeedWords::advice(const Need& need) const {
  constexpr double much_written = 0.2, worth_huge_pages = 0.9;
  const Limit& limit = need.limit;
  switch (limit.kind) {
    case Limit::Kind::chain:
      return "follow several chains at once, or prefetch";
    case Limit::Kind::irregular:
      return "sort or partition the accesses, prefetch, or use 2 MiB pages";
    case Limit::Kind::flops:
      if (is_division(limit.op))
        return "multiply by reciprocals, or divide in vectors or in single precision";
      return point_.scalar_flops_percent.value_or(0) >= 50
                 ? "let the compiler vectorize it: most flops are scalar"
                 : "fewer or cheaper operations are needed";
    case Limit::Kind::cache:
      return is_first_cache(limit.level) ? "keep more in registers"
                                         : "use each line more often while it is in the cache before it";
    case Limit::Kind::memory:
      if (need.on_huge_pages > 0 && need.on_huge_pages <= worth_huge_pages * need.share)
        return fmt::format("use huge pages, with which this takes {} instead",
                           percent_text(100 * need.on_huge_pages));
      if (!need.place_known) break;
      if (limit.pattern == Pattern::remote) return "place its data on the node of its threads";
      if (limit.pattern == Pattern::contended || limit.pattern == Pattern::congested)
        return "let each thread first touch the data that it uses";
      break;
    case Limit::Kind::hybrid:
    case Limit::Kind::side_cache:
      break;
  }
  return written_share(point_) >= much_written
             ? "use each line more often while it is in a cache, or store past the caches"
             : "use each line more often while it is in a cache";
}

std::string NeedWords::too_much(const Need& need) const {
  return fmt::format(
      "would take {} of its time for {} at {}: its counts, its time and the roofs are not from the same "
      "machine and threads, or the roof is out of date",
      percent_text(100 * need.share), amount_of(need), roof_of(need));
}

std::string NeedWords::cause(const std::vector<Need>& needs, const std::vector<Need>& candidates,
                             const Reading& reading) const {
  const Need& first = needs.front();
  const std::string figures =
      fmt::format("needs {} of its time for {} at {}", share_text(first), amount_of(first), roof_of(first));
  std::string text;
  if (candidates.size() > 1) {
    std::vector<std::string> names;
    for (const Need& each : candidates)
      names.push_back(fmt::format("{} ({})", culprit(each.limit), share_text(each)));
    text = fmt::format("is undecided: {} may bind it; it {}.{}",
                       joined(
                           names, [](const auto& name) { return name; }, " or "),
                       figures, others(needs, candidates.size()));
  } else if (first.lo >= bound_from_percent / 100 || first.share >= bound_from_percent / 100) {
    text = fmt::format("{}: {} {} it; {}.{}", figures, culprit(first.limit),
                       is_sure(first) ? "binds" : "probably binds", advice(first), others(needs, 1));
  } else if (first.share >= far_below_percent / 100) {
    text = fmt::format("{}: {} takes most, and the rest goes to {}; {}.{}", figures, culprit(first.limit),
                       rest_text(reading, point_), advice(first), others(needs, 1));
  } else {
    text = fmt::format(
        "is bound by none of its transfers, nor by arithmetic: the largest, {}, would take {} of its time; "
        "look for {}waiting, synchronization, mispredicted branches, scalar or serial code.{}",
        culprit(first.limit), share_text(first), is_much_in_kernel(point_) ? "time in the kernel, " : "",
        others(needs, 1));
  }
  if (!first.place_known)
    text += " Where its data lies is not known: among the memories this is the slowest that can be as fast.";
  return text + kernel_remark(point_) + competitors_remark(point_);
}

}  // namespace gable::model
