#include "kmaf/live/movers/page_mover.hpp"

#include <unistd.h>
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <numeric>
#include <utility>

#include "base/clocks.hpp"

namespace gable::kmaf::live {

namespace {

constexpr double policies_rest = 20;  // pause after a reading, as a multiple of its duration
constexpr double kept_seconds = 1;    // so long a page counts as kept without another reading

constexpr std::size_t worth_a_call =
    64;                       // pages; every call first makes all hardware threads drain their lists
constexpr int patience = 25;  // calls of work() that an order waits for a full batch
constexpr int most_attempts = 4;
constexpr std::size_t most_pages = 4096;  // per system call, so that each is short

// A page hidden for a hint fault cannot be found until it is accessed; a page that is locked or being
// migrated by the kernel cannot be moved. Both are temporary.
bool passes(int answer) {
  return answer == -ENOENT || answer == -EBUSY || answer == -EAGAIN;
}

}  // namespace

const MemoryPolicy* PagePolicies::Process::of_page(std::uint64_t address) const {
  const auto after = std::ranges::upper_bound(mappings, address, {}, &MappingPolicy::begin);
  return after == mappings.begin() ? nullptr : &std::prev(after)->policy;
}

bool PagePolicies::may_read() const {
  return monotonic_seconds() >= pauses_until_;
}

void PagePolicies::read(pid_t pid) {
  Process& process = processes_[pid];
  const double before = thread_seconds();
  process.read_at = monotonic_seconds();
  process.mappings = kernel_.policies(pid);
  process.threads.clear();
  pauses_until_ = std::max(pauses_until_, process.read_at) + policies_rest * (thread_seconds() - before);
}

std::optional<bool> PagePolicies::let(pid_t pid, pid_t tid, std::uint64_t address, int node) {
  Process& process = processes_[pid];
  const MemoryPolicy* const policy = process.of_page(address);
  if (policy == nullptr) return {};
  if (policy->binds || tid == 0 || tid == pid) return policy->lets(node);
  auto thread = process.threads.find(tid);
  if (thread == process.threads.end())
    thread = process.threads.emplace(tid, kernel_.policy_of_thread(pid, tid)).first;
  // A thread that has ended has no policy any more.
  return !thread->second || thread->second->lets(node);
}

bool PagePolicies::keep(pid_t pid, std::uint64_t address) const {
  const auto process = processes_.find(pid);
  if (process == processes_.end()) return false;
  if (monotonic_seconds() > std::max(pauses_until_, process->second.read_at + kept_seconds)) return false;
  const MemoryPolicy* const policy = process->second.of_page(address);
  return policy != nullptr && policy->binds && policy->nodes.empty();
}

std::uint64_t Moves::failures() const {
  return std::accumulate(failed.begin(), failed.end(), std::uint64_t{0},
                         [](std::uint64_t sum, const auto& each) { return sum + each.second; });
}

std::string reason_of(int error) {
  switch (-error) {
    case ENOENT:
      return "the page was hidden or unmapped";
    case EBUSY:
    case EAGAIN:
      return "the page was in use by the kernel";
    case EACCES:
      return "other processes map the page, and moving it needs CAP_SYS_NICE";
    case EFAULT:
      return "nothing is mapped there any more, or only the zero page";
    case ENOMEM:
      return "the node has no free memory";
    case ENODEV:
      return "the node is not online or not allowed";
    case EPERM:
      return "the process belongs to another user";
    case ESRCH:
    case EINVAL:  // it has ended and is a zombie
      return "the process has ended";
    default:
      return std::strerror(-error);
  }
}

struct PageMover::Batch {
  std::vector<Order> orders;
  std::vector<std::uint64_t> addresses;  // of the units
};

// The state of a page of the system after an attempt to move it.
struct PageMover::State {
  int answer = -ENOENT;        // of the kernel: its node or a negative errno
  int seen = -ENOENT;          // its node afterwards, or a negative errno
  const char* kept = nullptr;  // why it was to stay
};

PageMover::PageMover(Kernel& kernel, std::uint64_t unit_bytes, const std::vector<unsigned>& nodes)
    : kernel_(kernel),
      unit_bytes_(unit_bytes),
      pages_of_unit_(
          std::max<std::uint64_t>(1, unit_bytes / static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE)))),
      nodes_(nodes.begin(), nodes.end()),
      policies_(kernel) {}

void PageMover::order(const Page& page, int from, int to, std::optional<AddressSpaces::Location> seen,
                      pid_t thread) {
  // A newer order for a page replaces the older one.
  const auto [found, is_new] = orders_.try_emplace(page, Order{page, from, to, 0, seen, thread});
  if (is_new) return;
  found->second.to = to;
  if (!seen) return;
  found->second.seen = seen;
  found->second.thread = thread;
}

std::vector<PageMover::Failure> PageMover::work(const AddressSpaces& spaces, bool all) {
  std::vector<Failure> failures;
  if (orders_.empty()) return failures;
  if (!all && orders_.size() < worth_a_call && ++calls_waited_ < patience) return failures;
  if (!policies_.may_read()) return failures;
  calls_waited_ = 0;
  std::map<pid_t, Batch> batches;
  for (const auto& [page, order] : std::exchange(orders_, {})) {
    const auto where = order.seen ? order.seen : spaces.location(page.object, page.index * unit_bytes_);
    if (!where) {
      ++moves_.failed[reason_of(-ESRCH)];
      continue;
    }
    Batch& batch = batches[where->pid];
    batch.orders.push_back(order);
    batch.addresses.push_back(where->address);
  }
  for (auto& [pid, batch] : batches) {
    policies_.read(pid);  // one may have been set since
    carry_out(pid, batch, failures);
  }
  return failures;
}

// All system pages of a unit move; the first one that is present and may move represents it.
void PageMover::carry_out(pid_t pid, Batch& batch, std::vector<Failure>& failures) {
  const std::size_t units = std::max<std::size_t>(1, most_pages / pages_of_unit_);
  for (std::size_t begin = 0; begin < batch.orders.size(); begin += units) {
    const std::size_t end = std::min(begin + units, batch.orders.size());
    const std::vector<State> states = moved(pid, batch, begin, end);
    for (std::size_t i = begin; i < end; ++i) {
      const auto first = states.begin() + static_cast<std::ptrdiff_t>((i - begin) * pages_of_unit_);
      const auto last = first + static_cast<std::ptrdiff_t>(pages_of_unit_);
      auto speaks = std::find_if(first, last, [](const State& state) {
        return state.kept == nullptr && (state.answer >= 0 || state.seen >= 0);
      });
      if (speaks == last)
        speaks = std::find_if(first, last, [](const State& state) { return state.kept != nullptr; });
      settle(batch.orders[i], speaks == last ? *std::prev(last) : *speaks, failures);
    }
  }
}

// Moves the pages of units `begin` to `end` and returns what became of each page.
std::vector<PageMover::State> PageMover::moved(pid_t pid, const Batch& batch, std::size_t begin,
                                               std::size_t end) {
  const auto page_bytes = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  std::vector<std::uint64_t> addresses;
  for (std::size_t i = begin; i < end; ++i) {
    for (std::size_t page = 0; page < pages_of_unit_; ++page)
      addresses.push_back(batch.addresses[i] + page * page_bytes);
  }
  const std::vector<int> before = kernel_.nodes_of(pid, addresses);
  std::vector<State> states(addresses.size());
  std::vector<std::size_t> movable;
  std::vector<std::uint64_t> movable_addresses;
  std::vector<int> targets;
  for (std::size_t i = 0; i < addresses.size(); ++i) {
    const Order& order = batch.orders[begin + i / pages_of_unit_];
    states[i].answer = states[i].seen = before[i];
    if (before[i] < 0) continue;
    states[i].kept = why_kept(pid, order, addresses[i], before[i]);
    if (states[i].kept != nullptr) continue;
    movable.push_back(i);
    movable_addresses.push_back(addresses[i]);
    targets.push_back(order.to);
  }
  if (movable.empty()) return states;
  const std::vector<int> answers = kernel_.move_pages(pid, movable_addresses, targets);
  const std::vector<int> seen = kernel_.nodes_of(pid, movable_addresses);
  for (std::size_t i = 0; i < movable.size(); ++i) {
    states[movable[i]].answer = answers[i];
    states[movable[i]].seen = seen[i];
  }
  return states;
}

// Null: it may move.
const char* PageMover::why_kept(pid_t pid, const Order& order, std::uint64_t address, int node) {
  if (!nodes_.contains(node)) return "the page is in a memory that is not managed";
  const auto allowed = policies_.let(pid, order.thread, address, order.to);
  if (!allowed) return "its memory policy cannot be read";
  return *allowed ? nullptr : "a memory policy keeps the page where it is";
}

void PageMover::settle(const Order& order, const State& state, std::vector<Failure>& failures) {
  const auto& [answer, seen, kept] = state;
  if (kept != nullptr) {
    ++moves_.failed[kept];
    failures.push_back({order.page, seen});
    return;
  }
  // A page that is hidden again at the check is on the node that move_pages returned.
  const int node = seen >= 0 ? seen : answer;
  if (node == order.to) {
    ++moves_.done;
    return;
  }
  // The process has ended; others may map the page.
  if ((answer == -ESRCH || answer == -EINVAL) && order.seen) {
    orders_.emplace(order.page, Order{order.page, order.from, order.to, order.attempts, {}, 0});
    return;
  }
  if ((passes(answer) || (answer == order.to && seen >= 0)) && order.attempts + 1 < most_attempts) {
    Order again = order;
    ++again.attempts;
    orders_.emplace(order.page, again);
    return;
  }
  ++moves_.failed[answer < 0 ? reason_of(answer) : "another program moved the page"];
  failures.push_back({order.page, node >= 0 ? node : order.from});
}

}  // namespace gable::kmaf::live
