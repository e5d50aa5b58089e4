#include "kmaf/live/movers/page_mover.hpp"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <numeric>
#include <utility>

namespace gable::kmaf::live {

namespace {

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

PageMover::PageMover(Kernel& kernel, std::uint64_t unit_bytes) : kernel_(kernel), unit_bytes_(unit_bytes) {}

void PageMover::order(const Page& page, int from, int to, std::optional<AddressSpaces::Location> seen) {
  // A newer order for a page replaces the older one.
  const auto [found, is_new] = orders_.try_emplace(page, Order{page, from, to, 0, seen});
  if (is_new) return;
  found->second.to = to;
  if (seen) found->second.seen = seen;
}

std::vector<PageMover::Failure> PageMover::work(const AddressSpaces& spaces, bool all) {
  std::vector<Failure> failures;
  if (orders_.empty()) return failures;
  if (!all && orders_.size() < worth_a_call && ++calls_waited_ < patience) return failures;
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
  for (auto& [pid, batch] : batches) carry_out(pid, batch, failures);
  return failures;
}

// All system pages of a unit move; the first one present represents it.
void PageMover::carry_out(pid_t pid, Batch& batch, std::vector<Failure>& failures) {
  const auto page_bytes = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  const std::size_t pages = std::max<std::uint64_t>(1, unit_bytes_ / page_bytes);
  const std::size_t units = std::max<std::size_t>(1, most_pages / pages);
  for (std::size_t begin = 0; begin < batch.orders.size(); begin += units) {
    const std::size_t end = std::min(begin + units, batch.orders.size());
    std::vector<std::uint64_t> addresses;
    std::vector<int> nodes;
    for (std::size_t i = begin; i < end; ++i) {
      for (std::size_t page = 0; page < pages; ++page) {
        addresses.push_back(batch.addresses[i] + page * page_bytes);
        nodes.push_back(batch.orders[i].to);
      }
    }
    const std::vector<int> answers = kernel_.move_pages(pid, addresses, nodes);
    const std::vector<int> seen = kernel_.nodes_of(pid, addresses);
    for (std::size_t i = begin; i < end; ++i) {
      std::size_t speaks = (i - begin) * pages;
      const std::size_t last = speaks + pages - 1;
      while (speaks < last && answers[speaks] < 0 && seen[speaks] < 0) ++speaks;
      settle(batch.orders[i], answers[speaks], seen[speaks], failures);
    }
  }
}

void PageMover::settle(const Order& order, int answer, int seen, std::vector<Failure>& failures) {
  // A page that is hidden again at the check is on the node that move_pages returned.
  const int node = seen >= 0 ? seen : answer;
  if (node == order.to) {
    ++moves_.done;
    return;
  }
  // The process has ended; others may map the page.
  if ((answer == -ESRCH || answer == -EINVAL) && order.seen) {
    orders_.emplace(order.page, Order{order.page, order.from, order.to, order.attempts, {}});
    return;
  }
  if ((passes(answer) || (answer == order.to && seen >= 0)) && order.attempts + 1 < most_attempts) {
    orders_.emplace(order.page, Order{order.page, order.from, order.to, order.attempts + 1, order.seen});
    return;
  }
  ++moves_.failed[answer < 0 ? reason_of(answer) : "another program moved the page"];
  failures.push_back({order.page, node >= 0 ? node : order.from});
}

}  // namespace gable::kmaf::live
