#include "model/virt/scale.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/sorting.hpp"
#include "model/virt/random.hpp"

namespace gable::model {
namespace {

int rounds_of_collective(int nodes) {
  int rounds = 0;
  while ((std::int64_t{1} << rounds) < nodes) ++rounds;
  return rounds;
}

// A collective that all nodes enter at once.
double collective_seconds(const ScaleOptions& options, int nodes) {
  const double hop = 2 * options.overhead + options.latency;
  return hop * rounds_of_collective(nodes) * (options.tree ? 2 : 1);
}

// What the processor does in a step: the work, and its part of the messages.
double work_of(const ScaleOptions& options, int nodes) {
  const double own = options.strong ? options.compute / nodes : options.compute;
  return own + 2 * options.overhead * rounds_of_collective(nodes) * (options.tree ? 2 : 1);
}

double quiet_step(const ScaleOptions& options, int nodes) {
  const double own = options.strong ? options.compute / nodes : options.compute;
  return own + collective_seconds(options, nodes);
}

// A random place in the records, each second of which is as likely.
class Places {
 public:
  explicit Places(const std::vector<NoiseTrace>& traces) : traces_(traces) {
    for (const NoiseTrace& trace : traces)
      ends_.push_back((ends_.empty() ? 0 : ends_.back()) + trace.seconds());
  }
  double seconds() const { return ends_.back(); }
  // `at` from 0 to seconds(): the trace, and the time in it.
  std::pair<const NoiseTrace*, double> at(double time) const {
    const auto found = std::ranges::upper_bound(ends_, time);
    const auto index =
        std::min<std::size_t>(static_cast<std::size_t>(found - ends_.begin()), ends_.size() - 1);
    return {&traces_[index], time - (index == 0 ? 0 : ends_[index - 1])};
  }

 private:
  const std::vector<NoiseTrace>& traces_;
  std::vector<double> ends_;
};

// Nodes that each walk through the records, and jump elsewhere after blocks of random length: the stationary
// bootstrap (Politis and Romano 1994), which keeps how detours follow each other.
class Nodes {
 public:
  Nodes(const Places& places, const ScaleOptions& options, int nodes, std::uint64_t seed)
      : places_(places),
        options_(options),
        nodes_(nodes),
        random_(seed),
        times_(index_of(nodes), 0),
        waited_(index_of(nodes), 0) {
    block_ = std::max(20 * options.compute, std::min(0.25, places.seconds() / 4));
    for (int i = 0; i < nodes; ++i) ways_.push_back(jump(0, 0));
  }

  double run() {
    const double work = work_of(options_, nodes_);
    const double own = options_.strong ? options_.compute / nodes_ : options_.compute;
    for (int step = 0; step < options_.steps; ++step) {
      for (std::size_t i = 0; i < times_.size(); ++i) times_[i] += own + delay(i, work);
      const std::vector<double> done = times_;
      options_.tree ? reduce_and_broadcast() : disseminate();
      for (std::size_t i = 0; i < times_.size(); ++i) waited_[i] = times_[i] - done[i];
    }
    return std::ranges::max(times_);
  }

 private:
  struct Way {
    const NoiseTrace* trace;
    double offset;  // in the trace, of the node's time 0
    double until;   // the node's time at which it jumps
  };
  static std::size_t index_of(int number) { return static_cast<std::size_t>(number); }

  // A node is in a detour when a step begins only if that began while the node waited.
  Way jump(double now, double waited) {
    constexpr int most_tries = 1000;
    for (int tries = 1;; ++tries) {
      const auto [trace, at] = places_.at(random_.uniform() * places_.seconds());
      if (trace->age(at) <= waited || tries == most_tries)
        return {trace, at - now, now + random_.exponential(block_)};
    }
  }

  double delay(std::size_t node, double work) {
    Way& way = ways_[node];
    const double now = times_[node];
    if (now >= way.until) way = jump(now, waited_[node]);
    const double turns = (way.offset + now) / way.trace->seconds();
    return way.trace->delay((turns - std::floor(turns)) * way.trace->seconds(), work);
  }

  void disseminate() {
    std::vector<double> before;
    for (int distance = 1; distance < nodes_; distance *= 2) {
      before = times_;
      for (int i = 0; i < nodes_; ++i) {
        const double other = before[index_of((i - distance % nodes_ + nodes_) % nodes_)];
        times_[index_of(i)] = std::max(before[index_of(i)], other + options_.latency) + 2 * options_.overhead;
      }
    }
  }

  void reduce_and_broadcast() {
    const double hop = 2 * options_.overhead + options_.latency;
    const double last = std::ranges::max(times_);
    std::ranges::fill(times_, last + 2 * rounds_of_collective(nodes_) * hop);
  }

  const Places& places_;
  const ScaleOptions& options_;
  int nodes_;
  Random random_;
  double block_ = 0;
  std::vector<double> times_, waited_;  // the latter: since the node had computed the latest step
  std::vector<Way> ways_;
};

void set_spread(ScalePoint& point, double value, const std::vector<double>& slowdowns) {
  constexpr double low = 0.025, high = 0.975;
  point.slowdown = {value, std::min(value, quantile(slowdowns, low)),
                    std::max(value, quantile(slowdowns, high)), static_cast<int>(slowdowns.size())};
}

void simulate_every_node(ScalePoint& point, const Places& places, const ScaleOptions& options) {
  constexpr std::uint64_t runs = 20, first_seed = 1000;
  std::vector<double> slowdowns;
  for (std::uint64_t run = 0; run < runs; ++run)
    slowdowns.push_back(Nodes(places, options, point.nodes, first_seed + run).run() / point.quiet);
  set_spread(point, std::accumulate(slowdowns.begin(), slowdowns.end(), 0.0) / static_cast<double>(runs),
             slowdowns);
}

// The delays of work that begins at evenly spread times of the records, with their blocks of time.
class Windows {
 public:
  Windows(const Places& places, double work) : windows_(count), ages_(count) {
    const double step = places.seconds() / count;
    for (std::size_t i = 0; i < count; ++i) {
      const auto [trace, at] = places.at((static_cast<double>(i) + 0.5) * step);
      windows_[i] = {trace->delay(at, work), trace->age(at), i * blocks / count};
      ages_[i] = windows_[i].age;
    }
    sort_by(windows_, &Window::delay);
    std::ranges::sort(ages_);
  }

  // The share of windows up to each, of the records themselves.
  static std::vector<double> all() {
    std::vector<double> up_to(count);
    for (std::size_t i = 0; i < count; ++i) up_to[i] = static_cast<double>(i + 1) / count;
    return up_to;
  }

  // The same of records whose blocks are drawn anew.
  std::vector<double> drawn_again(Random& random) const {
    std::vector<double> weight(blocks, 0), up_to(count);
    for (std::size_t i = 0; i < blocks; ++i) weight[random.below(blocks)] += 1;
    double sum = 0;
    for (std::size_t i = 0; i < count; ++i) up_to[i] = sum += weight[windows_[i].block];
    for (double& each : up_to) each /= sum;
    return up_to;
  }

  // The largest delay of so many nodes that have waited so long. A detour that is under way began while its
  // node waited: one that began earlier would have made the others wait longer. So nodes are drawn from the
  // one with the largest delay downwards, until one is not in such a detour.
  double largest(Random& random, const std::vector<double>& up_to, int nodes, double waited) const {
    const auto possible = std::ranges::upper_bound(ages_, waited) - ages_.begin();
    double left = nodes * static_cast<double>(count) / std::max(1.0, static_cast<double>(possible));
    for (double share = 1; left >= 1; --left) {
      share *= std::pow(random.uniform(), 1 / left);
      const auto found = std::ranges::lower_bound(up_to, share) - up_to.begin();
      const Window& window = windows_[std::min(count - 1, static_cast<std::size_t>(found))];
      if (window.age <= waited) return window.delay;
    }
    return windows_.front().delay;
  }

 private:
  struct Window {
    double delay = 0, age = 0;  // age: of a detour that is under way at its begin
    std::size_t block = 0;
  };
  static constexpr std::size_t count = 1 << 17, blocks = 64;
  std::vector<Window> windows_;  // by delay
  std::vector<double> ages_;     // ascending
};

// The slowdown of one run, whose steps each last as long as the largest delay lets them.
double slowdown(Random& random, const Windows& windows, const std::vector<double>& up_to,
                const ScalePoint& point, const ScaleOptions& options) {
  constexpr int most_draws = 2000;
  const int draws = std::min(options.steps, most_draws);
  const double idle = point.quiet / options.steps - work_of(options, point.nodes);
  double sum = 0;
  double longest = 0;
  for (int step = 0; step < draws; ++step) {
    longest = windows.largest(random, up_to, point.nodes, std::max(0.0, idle) + longest);
    sum += longest;
  }
  return 1 + sum / draws * options.steps / point.quiet;
}

// Drawing the records again tells how sure the value is. A rare detour is missing in many draws, so their
// mean is too low.
void draw_largest(ScalePoint& point, const Windows& windows, const ScaleOptions& options) {
  constexpr int runs = 60;
  Random random(77);  // the same for any number of nodes
  const std::vector<double> all = Windows::all();
  double sum = 0;
  std::vector<double> slowdowns;
  for (int run = 0; run < runs; ++run) {
    sum += slowdown(random, windows, all, point, options);
    slowdowns.push_back(slowdown(random, windows, windows.drawn_again(random), point, options));
  }
  set_spread(point, sum / runs, slowdowns);
}

}  // namespace

std::vector<ScalePoint> scale(const std::vector<NoiseTrace>& traces, const ScaleOptions& options,
                              const std::vector<int>& nodes) {
  const Places places(traces);
  std::vector<ScalePoint> points;
  std::vector<Windows> windows;  // the last one
  double windows_of = -1;
  for (const int count : nodes) {
    ScalePoint point;
    point.nodes = count;
    point.quiet = options.steps * quiet_step(options, count);
    const double work = work_of(options, count);
    point.beyond_record = places.seconds() < work * count;
    if (count <= exact_nodes) {
      simulate_every_node(point, places, options);
    } else {
      if (std::abs(work / windows_of - 1) > 1e-3) windows = {Windows(places, work)};
      windows_of = work;
      draw_largest(point, windows.front(), options);
    }
    points.push_back(point);
  }
  return points;
}

std::vector<int> doubled_up_to(int most) {
  std::vector<int> nodes;
  for (std::int64_t count = 1; count < most; count *= 2) nodes.push_back(static_cast<int>(count));
  nodes.push_back(most);
  return nodes;
}

}  // namespace gable::model
