#include "model/points/verdict_words.hpp"

#include <fmt/format.h>

#include "base/words.hpp"
#include "model/points/function_time.hpp"
#include "model/points/kernel_time.hpp"
#include "model/points/limits/mix_limits.hpp"
#include "model/points/needs/thread_wait.hpp"

namespace gable::model {
namespace {

// Below this percentage of the roof, the text mentions what programs reach.
constexpr double told_below_percent = 97;

std::string tier_word(const Limit& limit) {
  return limit.kind == Limit::Kind::cache ? limit.level.name() : name_of(limit.tier);
}

bool is_alone(const Limit& limit) {
  return !busy_everywhere(limit.pattern);
}

// Tells the interval of a roof; other sentences tell that of a mix without a fitted model.
std::string interval_words(const Limit& limit) {
  if (!limit.fitted || limit.lo >= limit.hi) return {};
  return fmt::format(", whose interval is {:.1f} to {:.1f} {}", limit.lo, limit.hi,
                     limit.kind == Limit::Kind::flops ? "GFlop/s" : "GB/s");
}

// Whether the interval explains the distance between the Point and its roof.
bool is_told_by_interval(const Reading& reading) {
  const double percent = 100 * reading.reached_percent / reading.attainable_percent;
  const bool is_at = percent >= told_below_percent && percent <= 100 * stands_at;
  return !is_at && reading.headroom_lo <= 0;
}

bool is_beside_unknown_memory(const Reading& reading, const Surroundings& around) {
  return !around.memory_known && !reading.in_cache && reading.limit.kind != Limit::Kind::flops;
}

Verdict head(const Point& point, const Reading& reading, const Surroundings& around) {
  const std::string roof = roof_words(point, reading, around.cores), what = culprit(reading.limit);
  const double percent = 100 * reading.reached_percent / reading.attainable_percent;
  const Bound bound = bound_by(reading, reading.limit, reading.attainable_percent);
  std::string reaches = fmt::format("reaches {} of {}", percent_text(reading.reached_percent), roof);
  if (reading.attainable_percent < told_below_percent)
    reaches +=
        fmt::format(" (at its intensity validation programs reach {:.0f} %)", reading.attainable_percent);
  const std::string above = !around.above_memory ? ""
                            : around.shares.empty()
                                ? "is faster than every memory whose roof is known, so caches serve it; it "
                                : "is faster than the memory that holds its data, so caches serve it; it ";
  // A cache may be near by chance if the roof of the memory is not known.
  const bool is_sure = has_like_mix(reading.limit, point) && reading.limit.estimate.empty() &&
                       around.higher.name().empty() && !is_beside_unknown_memory(reading, around);
  if (bound == Bound::yes)
    return {fmt::format("{} {} it: it {}{}{}", what, is_sure ? "binds" : "may bind", above, reaches,
                        is_told_by_interval(reading) ? interval_words(reading.limit) : "")};
  if (bound == Bound::maybe)
    return {fmt::format("{} may bind it: it {}{}{}", what, above, reaches, interval_words(reading.limit))};
  if (!reading.headroom_known) return {fmt::format("{}{}, the nearest roof", above, reaches)};
  if (reading.limit.kind == Limit::Kind::side_cache && !around.behind.name().empty()) {
    return {fmt::format(
        "is between {} ({:.1f} GB/s) and {}, of which it reaches {}: the cache holds a part of its data",
        around.behind.name(), around.behind.value, roof, percent_text(reading.reached_percent))};
  }
  const bool in_kernel = is_much_in_kernel(point);
  if (percent >= far_below_percent)
    return {fmt::format(
        "{} is its nearest roof, but {}: it {}{}", what,
        in_kernel ? "much of its time is spent in the kernel" : "something else limits it as well", above,
        reaches)};
  const std::string nearest = fmt::format("{}{}, the nearest roof", above, reaches);
  if (others_took_time(point)) return {nearest + ", but it did not have the machine to itself"};
  if (in_kernel && percent >= far_below_percent * user_share(point))
    return {nearest + ", but much of its time is spent in the kernel"};
  return {nearest + ": no bandwidth or peak explains it",
          fmt::format("look for {}waiting (latency, synchronization), serial parts, scalar code",
                      in_kernel ? "time in the kernel, " : "")};
}

std::string mix_text(double load_share) {
  if (load_share >= 1) return "loads alone";
  return load_share <= 0 ? "stores alone" : percent_text(100 * load_share) + " loads";
}

// "1 thread", "up to 4 threads"
std::string at_most_text(int threads) {
  return threads == 1 ? "1 thread" : fmt::format("up to {} threads", threads);
}

// Tells that threads were bound to fewer cores.
std::string sharing_words(const Point& point) {
  if (point.cores == 0) return {};
  return fmt::format("Its {} share {}: each has a part of a core.", count_text(point.threads, "thread"),
                     count_text(point.cores, "core"));
}

// Tells that a roof was measured with more threads.
std::string thread_words(const Point& point, const Reading& reading, const Surroundings& around) {
  const int threads = reading.limit.threads;
  if (around.more_threads && point.threads == 0) {
    return fmt::format(
        "How many cores of cluster {} it used is not known; the roof was measured with {}, and fewer may "
        "not "
        "reach it.",
        reading.cluster, count_text(threads, "thread"));
  }
  if (around.more_threads) {
    return fmt::format(
        "It used {} of cluster {}; the roof was measured with {}, and what {} could reach is not known{}.",
        count_text(around.cores_used, "core"), reading.cluster, count_text(threads, "thread"),
        around.cores_used == 1 ? "one thread" : fmt::format("{} threads", around.cores_used),
        reading.headroom_known ? ""
                               : fmt::format("; `gable measure DIR --threads {}` and `gable fit DIR` add it",
                                             around.cores_used));
  }
  if (point.threads == 0 || point.cluster < 0 || point.threads >= threads) return {};
  return fmt::format("It ran {}; the roof was measured with {}.", count_text(point.threads, "thread"),
                     threads);
}

std::string mix_unknown(const Limit& limit) {
  const std::string text = "No roof was measured for this mix";
  return limit.reason.empty() ? text
                              : text + ", and the hybrid model cannot estimate it (" + limit.reason + ")";
}

// Tells what the mix of a roof of several memories is that of.
std::string mix_origin(const Point& point, const Limit& limit, const std::string& shares) {
  const bool pages = point.access.empty();
  const char* of = pages ? "pages" : "accesses";
  return (limit.detail == shares ? fmt::format("The mix is that of its {}", of)
                                 : fmt::format("Mix by its {}: {}", of, shares)) +
         (pages ? "; how often each is used is not known." : fmt::format(", {}.", access_source_text(point)));
}

void add_remarks(const Point& point, const Reading& reading, const Surroundings& around, Verdict& verdict) {
  const Limit& limit = reading.limit;
  if (is_grid(limit.pattern) || limit.kind == Limit::Kind::hybrid) {
    verdict.add(mix_origin(point, limit, shares_text(around.shares)));
    if (!limit.estimate.empty()) {
      verdict.add(fmt::format("The roof is an estimate, {}.", limit.estimate));
    } else if (!limit.fitted) {
      verdict.add(fmt::format(
          "{}: the roof lies between {:.1f} GB/s (nothing overlaps) and {:.1f} GB/s (everything does).",
          limit.kind != Limit::Kind::hybrid
              ? "No roof of " + limit.level.name() + " was measured for this mix of nodes"
          : !is_grid(limit.pattern) ? mix_unknown(limit)
          : limit.reason.empty()    ? "No hybrid model was fitted for these nodes"
                                 : "The hybrid model of these nodes cannot predict it (" + limit.reason + ")",
          limit.lo, limit.hi));
    } else if (!limit.interval) {
      verdict.add("The uncertainty of the roof is not known: the error of its model is missing.");
    }
  }
  if (limit.kind == Limit::Kind::memory && around.shares.empty())
    verdict.add("Where its data lies is not known: this is the lowest memory roof above it.");
  if (limit.kind == Limit::Kind::side_cache && around.shares.empty())
    verdict.add("Where its data lies is not known: another node's cache may serve it.");
  if (!around.shares.empty() && !around.higher.name().empty())
    verdict.add(fmt::format(
        "Where the data of each cluster lies is not known: its roof may also be {} ({:.1f} GB/s).",
        around.higher.name(), around.higher.value));
  if (!around.shares.empty() && !around.memory_known)
    verdict.add(
        fmt::format("No roof was measured for where its data lies ({}).", shares_text(around.shares)));
  if (!has_like_mix(limit, point))
    verdict.add(fmt::format("The roof is of {}; {} of the program's bytes are loads.",
                            mix_text(*limit.load_share), percent_text(100 * load_share(point))));
  if (reading.in_cache && around.fitting_cache.empty())
    verdict.add("In the replay caches served all its accesses.");
  else if (reading.in_cache)
    verdict.add(fmt::format("Its data ({}) fits in {} and is used many times, so memory does not limit it.",
                            bytes_text(around.data_bytes), around.fitting_cache));
  else if (limit.kind == Limit::Kind::memory && !around.fitting_cache.empty())
    verdict.add(fmt::format("Its data ({}) fits in {}, but is used few times.", bytes_text(around.data_bytes),
                            around.fitting_cache));
  if (point.scalar_flops_percent >= 50.0 && limit.kind != Limit::Kind::memory) {
    verdict.add(fmt::format("{:.0f} % of its flops are scalar.", *point.scalar_flops_percent));
  }
  if (around.peak_beyond) {
    verdict.add(fmt::format(
        "That is the peak of additions and multiplications; it reaches {1} of the {0} peak. Which of "
        "these operations it executes is not "
        "known.",
        around.peak_beyond->name(), percent_text(100 * reading.gflop_per_s / around.peak_beyond->value)));
  }
  verdict.add(kernel_remark(point));
  verdict.add(wait_remark(point));
  verdict.add(competitors_remark(point));
  if (around.no_peak) {
    verdict.add(fmt::format(
        "No {}peak of cluster {} is known, so arithmetic may bind it instead.",
        is_known(point.precision) ? fmt::format("{} ", row_of(point.precision).words) : "", reading.cluster));
  }
  verdict.add(sharing_words(point));
  verdict.add(thread_words(point, reading, around));
  if (around.fewer_threads > 0)
    verdict.add(fmt::format("Roofs of {} do not count, because it {} {}.", at_most_text(around.fewer_threads),
                            point.threads > 0 ? "used" : "may have used",
                            count_text(around.cores_used, "core")));
}

}  // namespace

std::string roof_words(const Point& point, const Reading& reading, int cores) {
  const Limit& limit = reading.limit;
  std::string cluster = fmt::format("cluster {}", reading.cluster);
  if (limit.threads > 0 && limit.threads < cores)
    cluster = fmt::format("{} of {}", count_text(limit.threads, "thread"), cluster);
  if (limit.kind == Limit::Kind::cache)
    return fmt::format("the bandwidth of {} from its {}", cluster, tier_word(limit));
  if (limit.kind == Limit::Kind::flops) return fmt::format("the {} peak of {}", limit.name(), cluster);
  if (limit.kind == Limit::Kind::hybrid)
    return fmt::format("the bandwidth of {} from this mix of {}{}", cluster,
                       is_grid(limit.pattern) ? "nodes"
                       : limit.tier.empty()   ? "tiers"
                                              : "local and other accesses",
                       is_alone(limit) ? "" : " while all clusters do the same");
  if (limit.kind == Limit::Kind::side_cache)
    return fmt::format("the bandwidth of {} from the memory-side cache {}{}{}", cluster, limit.level.name(),
                       limit.node < 0 ? "" : fmt::format(" of node {}", limit.node),
                       is_alone(limit) ? "" : " while all clusters do the same");
  const std::string node = fmt::format("node {} ({})", limit.node, tier_word(limit));
  if (limit.pattern == Pattern::contended && point.cluster < 0)
    return fmt::format("an even share of the bandwidth of {} while all clusters take their data there", node);
  if (limit.pattern == Pattern::contended)
    return fmt::format("the bandwidth of {} from {} while all clusters take their data there", cluster, node);
  if (limit.pattern == Pattern::congested)
    return fmt::format("the bandwidth of {} while all clusters take their data from all {} nodes", cluster,
                       tier_word(limit));
  if (limit.pattern == Pattern::local_all)
    return fmt::format("the bandwidth of {} from its own {} while all clusters do the same", cluster, node);
  if (limit.pattern == Pattern::local)
    return fmt::format("the bandwidth of {} from its local {}", cluster, node);
  return fmt::format("the bandwidth of {} from {}", cluster, node);
}

std::string culprit(const Limit& limit) {
  if (limit.kind == Limit::Kind::cache || limit.kind == Limit::Kind::side_cache) return limit.level.name();
  if (limit.kind == Limit::Kind::flops) return is_division(limit.op) ? "the divider" : "arithmetic";
  if (limit.kind == Limit::Kind::irregular)
    return fmt::format("irregular access to {}", is_cache(limit.level) ? limit.level.name() : "memory");
  if (limit.kind == Limit::Kind::chain) return "the latency of loads that wait for each other";
  if (limit.kind == Limit::Kind::walks) return "address translation";
  if (limit.kind == Limit::Kind::branches) return "waiting at mispredicted branches";
  if (limit.kind == Limit::Kind::path) return "the latency of operations that wait for each other";
  if (limit.kind == Limit::Kind::integer) return "integer arithmetic";
  if (limit.kind == Limit::Kind::loads) return "the number of vector loads";
  if (limit.kind == Limit::Kind::iterations) return "the number of iterations";
  if (limit.kind == Limit::Kind::contention) return "contention for cache lines";
  if (limit.kind == Limit::Kind::hybrid)
    return limit.tier.empty() ? "the mix of memories (hybrid)" : "the mix of local and other accesses";
  if (limit.pattern == Pattern::contended) return fmt::format("contention for node {}", limit.node);
  if (limit.pattern == Pattern::congested) return "congestion between the nodes";
  return limit.pattern == Pattern::remote ? "remote memory" : "local memory";
}

std::string short_culprit(const Limit& limit) {
  if (limit.kind == Limit::Kind::chain) return "dependent loads";
  if (limit.kind == Limit::Kind::branches) return "mispredicted branches";
  return limit.kind == Limit::Kind::path ? "dependent operations" : culprit(limit);
}

std::string competitors_remark(const Point& point) {
  if (point.other_cpus <= 0) return {};
  return fmt::format(
      "Other processes or guests had {:.1f} CPUs while it was timed: time it again when the machine is idle.",
      point.other_cpus);
}

Verdict verdict(const Point& point, const Reading& reading, const Surroundings& around) {
  if (reading.roof.empty()) return {};
  Verdict verdict = head(point, reading, around);
  add_remarks(point, reading, around, verdict);
  return verdict;
}

}  // namespace gable::model
