#include "tests/model/simulator.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <deque>
#include <queue>

namespace gable::model {
namespace {

constexpr int lines_of_page = 64;
constexpr int most_writes_waiting = 24;  // then a channel writes them even if reads wait

std::uint32_t scrambled(std::uint32_t value) {
  value = (value ^ (value >> 16)) * 0x7feb352dU;
  value = (value ^ (value >> 15)) * 0x846ca68bU;
  return value ^ (value >> 16);
}

// The memory, 0 slow or 1 fast, of every page of a buffer.
std::vector<int> layout(int slow, int fast, PageOrder order) {
  std::vector<int> pages;
  for (int page = 0; page < slow + fast; ++page) {
    const int both = 2 * std::min(slow, fast);
    int memory = fast > slow ? 1 : 0;
    const int round = order.slow + order.fast;
    if (round > 0) {
      memory = page % round < order.slow ? 0 : 1;
    } else if (page < both) {
      memory = page % 2;
    }
    pages.push_back(memory);
  }
  return pages;
}

struct Request {
  int core;
  bool store;
};

struct Channel {
  std::deque<Request> reads, writes;
  bool busy = false, writing = false, draining = false;
  int written = 0;  // since it switched to writes
};

// A core's walk through a buffer: `ahead` + 1 pages at once, line by line in turn.
struct Stream {
  std::vector<int> pages;
  int width = 1;
  long next = 0;

  bool done() const { return next == static_cast<long>(pages.size()) * lines_of_page; }
  // The page of the next line; groups of `width` pages are traversed together.
  int page() const {
    const long group = next / (width * lines_of_page);
    const long in_group = next - group * width * lines_of_page;
    const long members = std::min<long>(width, static_cast<long>(pages.size()) - group * width);
    return static_cast<int>(group * width + in_group % members);
  }
  int line() const {
    const long group = next / (width * lines_of_page);
    const long members = std::min<long>(width, static_cast<long>(pages.size()) - group * width);
    return static_cast<int>((next - group * width * lines_of_page) / members);
  }
};

struct Core {
  Stream load, store;
  int loading = 0, storing = 0;
  bool sleeping = false;  // until it may issue again
};

struct Event {
  enum class Kind { issue, served, returned } kind;
  double when;
  int memory, index;  // index: of the core or channel
  bool store;

  bool operator<(const Event& other) const { return when > other.when; }
};

class Simulation {
 public:
  Simulation(const SimulatedMachine& machine, const SimulatedPages& pages, PageOrder order);
  double run();

 private:
  void issue(int index, double now);
  void serve(int memory, int index, double now);
  void begin(int memory, int index, std::deque<Request>& queue, bool write, double now);
  const SimulatedMemory& memory(int index) const { return index == 0 ? machine_.slow : machine_.fast; }

  const SimulatedMachine& machine_;
  std::vector<Core> cores_;
  std::vector<Channel> channels_[2];
  std::vector<Request> in_service_[2];
  std::priority_queue<Event> events_;
};

Simulation::Simulation(const SimulatedMachine& machine, const SimulatedPages& pages, PageOrder order)
    : machine_(machine) {
  for (const int memory : {0, 1}) {
    channels_[memory].resize(static_cast<std::size_t>(this->memory(memory).channels));
    in_service_[memory].resize(channels_[memory].size());
  }
  cores_.resize(static_cast<std::size_t>(machine.cores.count));
  for (std::size_t i = 0; i < cores_.size(); ++i) {
    cores_[i].load = {layout(pages.load_slow, pages.load_fast, order), machine.cores.ahead + 1};
    cores_[i].store = {layout(pages.store_slow, pages.store_fast, order), machine.cores.ahead + 1};
    cores_[i].sleeping = true;  // threads never start at the same instant
    events_.push({Event::Kind::issue, 7.3 * static_cast<double>(i), 0, static_cast<int>(i), false});
  }
}

// Issues the next line if the core has room for it.
void Simulation::issue(int index, double now) {
  Core& core = cores_[static_cast<std::size_t>(index)];
  if (core.sleeping || (core.load.done() && core.store.done())) return;
  const double loads = static_cast<double>(core.load.pages.size()),
               stores = static_cast<double>(core.store.pages.size());
  const bool store =
      core.load.done() || (!core.store.done() && static_cast<double>(core.store.next) * loads <
                                                     static_cast<double>(core.load.next) * stores);
  if (store ? core.storing == machine_.cores.stores : core.loading == machine_.cores.loads) return;
  Stream& stream = store ? core.store : core.load;
  const int page = stream.page();
  const int to = stream.pages[static_cast<std::size_t>(page)];
  const auto identity = static_cast<std::uint32_t>((index * 2 + store) * 65536 + page);
  const auto at = (scrambled(identity) + static_cast<std::uint32_t>(stream.line())) % channels_[to].size();
  ++stream.next;
  ++(store ? core.storing : core.loading);
  Channel& channel = channels_[to][at];
  const bool own_queue = store && !memory(to).in_order;
  (own_queue ? channel.writes : channel.reads).push_back({index, store});
  serve(to, static_cast<int>(at), now);
  core.sleeping = true;
  events_.push({Event::Kind::issue, now + machine_.cores.issue_ns, 0, index, false});
}

// Lets an idle channel start the next request: reads first, unless too many writes wait.
void Simulation::serve(int memory, int index, double now) {
  Channel& channel = channels_[memory][static_cast<std::size_t>(index)];
  if (channel.busy || (channel.reads.empty() && channel.writes.empty())) return;
  const SimulatedMemory& timing = this->memory(memory);
  if (channel.writes.size() >= most_writes_waiting) channel.draining = true;
  if (channel.writes.empty()) channel.draining = false;
  if (timing.in_order) return begin(memory, index, channel.reads, channel.reads.front().store, now);
  const bool goes_on = channel.writing && channel.written < timing.batch;
  const bool write = !channel.writes.empty() && (channel.draining || goes_on || channel.reads.empty());
  std::deque<Request>& queue = write ? channel.writes : channel.reads;
  channel.written = write && channel.writing ? channel.written + 1 : 1;
  begin(memory, index, queue, write, now);
}

// The first of the queue, after the channel has turned round if it has to.
void Simulation::begin(int memory, int index, std::deque<Request>& queue, bool write, double now) {
  Channel& channel = channels_[memory][static_cast<std::size_t>(index)];
  const SimulatedMemory& timing = this->memory(memory);
  const double pause = write == channel.writing ? 0 : timing.turnaround_ns;
  channel.writing = write;
  channel.busy = true;
  in_service_[memory][static_cast<std::size_t>(index)] = queue.front();
  queue.pop_front();
  const double service = write ? timing.write_ns : timing.read_ns;
  events_.push({Event::Kind::served, now + pause + service, memory, index, write});
}

double Simulation::run() {
  double now = 0;
  while (!events_.empty()) {
    const Event event = events_.top();
    events_.pop();
    now = event.when;
    if (event.kind == Event::Kind::served) {
      const Request request = in_service_[event.memory][static_cast<std::size_t>(event.index)];
      channels_[event.memory][static_cast<std::size_t>(event.index)].busy = false;
      events_.push(
          {Event::Kind::returned, now + memory(event.memory).latency_ns, 0, request.core, request.store});
      serve(event.memory, event.index, now);
      continue;
    }
    Core& core = cores_[static_cast<std::size_t>(event.index)];
    if (event.kind == Event::Kind::issue) core.sleeping = false;
    if (event.kind == Event::Kind::returned) --(event.store ? core.storing : core.loading);
    issue(event.index, now);
  }
  return now * 1e-9;
}

}  // namespace

double simulated_seconds(const SimulatedMachine& machine, const SimulatedPages& pages, PageOrder order) {
  return Simulation(machine, pages, order).run();
}

namespace {

Cell cell_of(const SimulatedMachine& machine, const SimulatedPages& split, PageOrder order) {
  const double seconds = simulated_seconds(machine, split, order);
  const double bytes_of_page = 64.0 * lines_of_page * machine.cores.count;
  return {{{split.load_slow * bytes_of_page, split.store_slow * bytes_of_page,
            split.load_fast * bytes_of_page, split.store_fast * bytes_of_page}},
          {seconds, seconds, seconds, 1}};
}

int part(int whole, double share) {
  return static_cast<int>(std::lround(whole * share));
}

}  // namespace

Cell simulated_cell(const SimulatedMachine& machine, double load_share, double fast_share, int pages) {
  const int loads = part(pages, load_share), stores = pages - loads;
  const int load_fast = part(loads, fast_share), store_fast = part(stores, fast_share);
  return cell_of(machine, {loads - load_fast, stores - store_fast, load_fast, store_fast}, {});
}

Cell simulated_interleave(const SimulatedMachine& machine, double load_share, int slow, int fast, int pages) {
  const int round = slow + fast;
  const auto rounds = [&](double share) { return share > 0 ? std::max(1, part(pages, share / round)) : 0; };
  const int loads = rounds(load_share), stores = rounds(1 - load_share);
  return cell_of(machine, {loads * slow, stores * slow, loads * fast, stores * fast}, {slow, fast});
}

std::vector<Cell> simulated_grid(const SimulatedMachine& machine, const std::vector<double>& load_shares,
                                 int steps, int pages) {
  std::vector<Cell> cells;
  for (const double load_share : load_shares) {
    for (int i = 0; i <= steps; ++i)
      cells.push_back(simulated_cell(machine, load_share, 1.0 * i / steps, pages));
  }
  return cells;
}

}  // namespace gable::model
