#include "kmaf/live/policies/known_pages.hpp"

#include <unistd.h>

#include <algorithm>
#include <cmath>

#include "kmaf/live/program/processes.hpp"

namespace gable::kmaf::live {

namespace {

constexpr std::size_t pages_of_a_call = 4096;
constexpr int most_orders = 20;                       // of one page: another program may keep moving it away
constexpr double least_pause = 0.01, most_pause = 1;  // seconds

}  // namespace

KnownPages::KnownPages(const Knowledge& knowledge, const std::vector<int>& nodes,
                       const std::vector<unsigned>& managed, Kernel& kernel)
    : kernel_(kernel),
      unit_bytes_(knowledge.unit_bytes),
      mover_(kernel, knowledge.unit_bytes, managed),
      programs_(knowledge.programs),
      wanted_(knowledge.programs.size()) {
  for (std::size_t i = 0; i < knowledge.pages.size(); ++i) {
    const KnownPage& page = knowledge.pages[i];
    wanted_[static_cast<std::size_t>(page.program)].push_back({page.address, nodes[i]});
  }
}

std::vector<KnownPages::Wanted>* KnownPages::pages_of(pid_t pid, Names& names) {
  Run& run = runs_[pid];
  const std::uint64_t instance = names.instance(pid) + 1;  // 0: not queried yet
  if (run.instance == instance) return run.pages;
  const auto program = names.program(pid);
  run = {instance, nullptr};
  const auto known = program ? std::ranges::find(programs_, *program) : programs_.end();
  if (known != programs_.end()) run.pages = &wanted_[static_cast<std::size_t>(known - programs_.begin())];
  return run.pages;
}

void KnownPages::work(const std::vector<pid_t>& processes, Names& names, double now) {
  if (round_.empty()) {
    if (now < next_round_) return;
    round_ = processes;
    resident_ = 0;
    known_resident_ = 0;
    changed_ = false;
  }
  for (std::size_t queried = 0; queried < pages_of_a_call && !round_.empty();) {
    const pid_t pid = round_.back();
    std::vector<Wanted>* const pages = pages_of(pid, names);
    const std::size_t all = pages != nullptr ? pages->size() : 0;
    const std::size_t end = std::min(all, next_ + pages_of_a_call - queried);
    if (end > next_) look(pid, *pages, next_, end, now);
    queried += end > next_ ? end - next_ : 0;
    next_ = end;
    if (end < all) break;
    resident_ += resident_pages(pid);
    round_.pop_back();
    next_ = 0;
  }
  move();
  if (round_.empty()) finish_round(now);
}

void KnownPages::look(pid_t pid, std::vector<Wanted>& pages, std::size_t begin, std::size_t end, double now) {
  std::vector<std::uint64_t> addresses;
  for (std::size_t i = begin; i < end; ++i) addresses.push_back(pages[i].address);
  const std::vector<int> nodes = kernel_.nodes_of(pid, addresses);
  for (std::size_t i = begin; i < end; ++i) {
    const int node = nodes[i - begin];
    Wanted& page = pages[i];
    if (node < 0) continue;
    ++known_resident_;
    const State state = node == page.node ? State::in_place : State::elsewhere;
    changed_ = changed_ || state != page.state;
    page.state = state;
    page.seen_on = node;
    if (state == State::in_place || page.orders >= most_orders) continue;
    changed_ = true;
    if (now < page.again) continue;
    page.again = now + std::min(most_pause, std::ldexp(least_pause, page.orders++));
    const auto place = spaces_.place(pid, page.address, now);
    if (!place) continue;
    ordered_.emplace_back(pid, &page);
    mover_.order({place->object, place->offset / unit_bytes_}, node, page.node);
  }
}

// Moves pages and checks where they are.
void KnownPages::move() {
  mover_.work(spaces_, true);
  std::map<pid_t, std::vector<std::uint64_t>> addresses;
  for (const auto& [pid, page] : ordered_) addresses[pid].push_back(page->address);
  for (const auto& [pid, list] : addresses) {
    const std::vector<int> nodes = kernel_.nodes_of(pid, list);
    auto node = nodes.begin();
    for (const auto& [owner, page] : ordered_) {
      if (owner != pid || *node++ != page->node) continue;
      page->state = State::in_place;
      page->seen_on = page->node;
    }
  }
  ordered_.clear();
}

void KnownPages::finish_round(double now) {
  const auto system_page = static_cast<double>(sysconf(_SC_PAGESIZE));
  const double known = static_cast<double>(known_resident_) * unit_bytes_;
  const double unknown = std::max(0.0, resident_ * system_page - known);
  unknown_bytes_ = std::max(unknown_bytes_, static_cast<std::uint64_t>(unknown));
  pause_ = changed_ ? least_pause : std::min(most_pause, std::max(least_pause, 2 * pause_));
  next_round_ = now + pause_;
}

std::vector<int> KnownPages::seen_on(const Knowledge& knowledge) const {
  std::vector<std::size_t> next(wanted_.size());
  std::vector<int> nodes;
  for (const KnownPage& page : knowledge.pages) {
    const auto program = static_cast<std::size_t>(page.program);
    nodes.push_back(wanted_[program][next[program]++].seen_on);
  }
  return nodes;
}

std::uint64_t KnownPages::count(State state) const {
  std::uint64_t count = 0;
  for (const auto& pages : wanted_) {
    count += static_cast<std::uint64_t>(std::ranges::count(pages, state, &Wanted::state));
  }
  return count;
}

}  // namespace gable::kmaf::live
