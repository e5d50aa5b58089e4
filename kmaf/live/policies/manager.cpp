#include "kmaf/live/policies/manager.hpp"

#include <unistd.h>

#include <algorithm>
#include <unordered_set>
#include <utility>

#include "base/clocks.hpp"
#include "kmaf/live/program/processes.hpp"

namespace gable::kmaf::live {

namespace {

constexpr double adapt_every = 0.1;  // seconds
constexpr double cpu_times_every = 0.5;
constexpr double least_share = 0.2;             // of the samples that the budget affords
constexpr std::size_t batch_for_nodes = 16384;  // addresses of one system call

}  // namespace

Manager::Manager(const Setup& setup, Hierarchy hierarchy, Sampler& sampler, Kernel& kernel, Binder& binder)
    : setup_(setup),
      engine_(setup.config, std::move(hierarchy)),
      rate_({10, 1e5, setup.budget, consequences * setup.fault_seconds},
            static_cast<double>(sysconf(_SC_NPROCESSORS_ONLN))),
      sampler_(sampler),
      kernel_(kernel),
      binder_(binder),
      mover_(kernel, setup.config.page_bytes, engine_.hierarchy().nodes),
      wanted_(rate_.per_second()),
      allowance_(wanted_),
      adapted_at_(setup.began),
      last_(setup.began),
      accounted_(thread_seconds()) {
  const Hierarchy& known = engine_.hierarchy();
  for (std::size_t node = 0; node < known.nodes.size(); ++node)
    node_index_.try_emplace(known.nodes[node], static_cast<int>(node));
  for (const Leaf& leaf : known.leaves) node_of_pu_[leaf.pu] = leaf.node;
  process_of_[setup.program] = setup.program;
  if (setup.learns) learner_.emplace(setup.program, setup.config.page_bytes, setup.config.sub_block_bytes);
  sampler_.set_rate(rate_.per_second(), resident_pages(setup.program));
  if (!sampler_.shared_objects()) return;
  spaces_.on_read(
      [this](pid_t pid, const std::vector<MappedRange>& mappings) { sampler_.mapped(pid, mappings); });
}

void Manager::take(const Events& events, double now) {
  interval_.fixed_seconds += thread_seconds() - accounted_;
  spaces_.refresh(now);
  std::vector<Seen> seen = look_at(events, now);
  auto next = seen.begin();
  const double sampled = thread_seconds();
  engine_.advance(now);
  const double mapped = thread_seconds();
  for (const Event& event : events) {
    if (event.kind != Event::Kind::access) {
      follow(event);
    } else if (next != seen.end() && next->event == &event) {
      sample(*next++);
    }
  }
  note_memory();
  for (const std::uint64_t object : std::exchange(gone_, {})) engine_.gone(object);
  const double tabled = thread_seconds();
  carry_out();
  seen_at_.clear();
  const double moved = thread_seconds();
  spent_.tables += (sampled - accounted_) + (tabled - mapped);
  spent_.mapping += mapped - sampled;
  spent_.moving += moved - tabled;
  accounted_ = moved;
  if (now - adapted_at_ >= adapt_every) adapt(now);
  last_ = now;
}

std::vector<Manager::Seen> Manager::look_at(const Events& events, double now) {
  const auto accesses =
      static_cast<std::size_t>(std::ranges::count(events, Event::Kind::access, &Event::kind));
  spent_.faults += setup_.fault_seconds * static_cast<double>(accesses);
  interval_.samples += accesses;
  allowance_.pass(now - last_, wanted_);
  const std::size_t stride = setup_.learns ? 1 : allowance_.stride(accesses);
  if (!setup_.learns && allowance_.is_flood(accesses)) sampler_.pause();
  allowance_.looked_at(accesses / stride);
  std::vector<Seen> seen;
  std::size_t number = 0;
  for (const Event& event : events) {
    if (event.kind != Event::Kind::access) {
      follow_memory(event);
      continue;
    }
    if (number++ % stride != 0) {
      ++passed_over_;
      continue;
    }
    ++interval_.looked_at;
    if (const auto place = spaces_.place(event.pid, event.address, event.seconds)) {
      seen.push_back({&event, *place, -1});
    } else {
      ++not_memory_;
    }
  }
  find_nodes(seen);
  return seen;
}

void Manager::find_nodes(std::vector<Seen>& seen) {
  std::map<pid_t, std::vector<Seen*>> by_process;
  for (Seen& one : seen) by_process[one.event->pid].push_back(&one);
  for (const auto& [pid, list] : by_process) {
    for (std::size_t begin = 0; begin < list.size(); begin += batch_for_nodes) {
      const std::size_t end = std::min(begin + batch_for_nodes, list.size());
      std::vector<std::uint64_t> addresses;
      for (std::size_t i = begin; i < end; ++i) addresses.push_back(list[i]->event->address);
      const std::vector<int> nodes = kernel_.nodes_of(pid, addresses);
      for (std::size_t i = begin; i < end; ++i) {
        const auto found = nodes[i - begin] < 0 ? node_index_.end()
                                                : node_index_.find(static_cast<unsigned>(nodes[i - begin]));
        if (found != node_index_.end()) list[i]->node = found->second;
        list[i]->movable = (nodes[i - begin] < 0 || found != node_index_.end()) &&
                           !mover_.is_kept({pid, addresses[i - begin]});
      }
    }
  }
}

void Manager::sample(const Seen& seen) {
  const Event& event = *seen.event;
  ++samples_;
  process_of_[event.tid] = event.pid;
  binder_.accessed(event.pid, event.seconds);
  // Its location before it was bound no longer matters.
  const unsigned pu = binder_.bound_to(event.tid).value_or(event.pu);
  count_locality(seen, pu);
  if (learner_) learner_->sample(event, seen.place);
  const std::uint64_t in_page = seen.place.offset % setup_.config.page_bytes;
  seen_at_[{seen.place.object, seen.place.offset / setup_.config.page_bytes}] = {
      {event.pid, event.address - in_page}, event.tid};
  engine_.sample(
      {event.tid, seen.place.object, seen.place.offset, pu, event.seconds, seen.node, seen.movable});
}

// Uses the page's node before this access: the kernel may have moved the page because of the access.
void Manager::count_locality(const Seen& seen, unsigned pu) {
  const auto entry = engine_.table().find({seen.place.object, seen.place.offset / setup_.config.page_bytes});
  const auto node = node_of_pu_.find(pu);
  if (!entry || node == node_of_pu_.end() || engine_.table().home(*entry) < 0) return;
  const int memory = memory_of(engine_.table().home(*entry));
  const bool local = memory_of(node->second) == memory;
  if (tallies_.empty() || seen.event->seconds - tallies_.back().seconds >= adapt_every)
    tallies_.push_back({seen.event->seconds, {}, {}});
  (local ? tallies_.back().locality.local : tallies_.back().locality.remote) += 1;
  const int cluster = engine_.hierarchy().clusters[static_cast<std::size_t>(node->second)];
  AccessWeight& weight = tallies_.back().access[{cluster, memory}];
  ++weight.all;
  if (seen.event->is_store) ++weight.stores;
  if (!acted_) (local ? before_.local : before_.remote) += 1;
  interval_.remote += local ? 0 : 1;
}

void Manager::follow(const Event& event) {
  if (learner_) learner_->follow(event);
  switch (event.kind) {
    case Event::Kind::started:
      process_of_[event.tid] = event.pid;
      binder_.started(event);
      break;
    case Event::Kind::ended:
      binder_.ended(event);
      engine_.ended(event.tid);
      process_of_.erase(event.tid);
      break;
    case Event::Kind::replaced:  // it queries the number of hardware threads again
      binder_.release(event.tid);
      engine_.postpone(event.tid);
      break;
    case Event::Kind::access:
      break;
  }
}

// Later accesses are to new memory. Earlier ones are still entered into the tables and then
// removed.
void Manager::follow_memory(const Event& event) {
  const bool ends = event.kind == Event::Kind::ended && event.tid == event.pid;
  const bool begins = event.kind == Event::Kind::started && event.tid == event.pid;
  if (ends || event.kind == Event::Kind::replaced) {
    const std::vector<std::uint64_t> unused = spaces_.forget(event.pid);
    mover_.forget(event.pid);
    gone_.insert(gone_.end(), unused.begin(), unused.end());
  }
  if (begins || event.kind == Event::Kind::replaced) spaces_.expect(event.pid, event.seconds);
}

// Os index; -1: not known.
int Manager::memory_of(int node) const {
  return node < 0 ? -1 : static_cast<int>(engine_.hierarchy().nodes[static_cast<std::size_t>(node)]);
}

void Manager::carry_out() {
  for (const Action& action : engine_.take_actions()) {
    const auto* const page = std::get_if<MovePage>(&action);
    // Clusters without local memory use another's: such a page is already in place.
    if (page != nullptr && memory_of(page->from) == memory_of(page->to)) continue;
    if (page != nullptr) {
      ++interval_.moves;
      acted_ = true;
      const auto seen = seen_at_.find(page->page);
      const bool known = seen != seen_at_.end();
      mover_.order(page->page, memory_of(page->from), memory_of(page->to),
                   known ? std::optional(seen->second.at) : std::nullopt, known ? seen->second.thread : 0);
    } else {
      const auto& task = std::get<MoveTask>(action);
      const auto tid = static_cast<pid_t>(task.task);
      const auto process = process_of_.find(tid);
      if (process == process_of_.end()) continue;
      if (binder_.bind(process->second, tid, task.pu)) {
        ++interval_.moves;
      } else if (binder_.waits(process->second)) {
        engine_.postpone(tid);
      } else {
        engine_.refused(tid);
      }
    }
  }
  if (engine_.counts().tasks_moved > 0) acted_ = true;
  for (const PageMover::Failure& failure : mover_.work(spaces_)) {
    const auto found =
        failure.node < 0 ? node_index_.end() : node_index_.find(static_cast<unsigned>(failure.node));
    engine_.correct(failure.page, found == node_index_.end() ? -1 : found->second);
  }
}

void Manager::note_cpu_times() {
  std::map<pid_t, double> times;
  for (const auto& [tid, pid] : process_of_) {
    const double seconds = times[tid] = thread_cpu_seconds(pid, tid);
    const auto before = cpu_times_.find(tid);
    if (before != cpu_times_.end()) engine_.ran(tid, std::max(0.0, seconds - before->second));
  }
  cpu_times_ = std::move(times);
}

// A time in which threads moved tells nothing of their places.
void Manager::note_progress(double now) {
  if (!setup_.progress) return;
  const std::optional<double> before = std::exchange(progress_, setup_.progress());
  const double since = std::exchange(progress_at_, now);
  const std::uint64_t moved = std::exchange(tasks_moved_seen_, engine_.counts().tasks_moved);
  if (before && progress_ && moved == tasks_moved_seen_)
    engine_.progressed(*progress_ - *before, now - since);
}

void Manager::adapt(double now) {
  const double cpu = sampler_.cpu_seconds().value_or(0);
  interval_.seconds = now - adapted_at_;
  interval_.cpu_seconds = std::max(0.0, cpu - cpu_seen_);
  interval_.spent_seconds = spent_.sum() - spent_seen_;
  rate_.observe(interval_);
  cpu_seen_ = cpu;
  spent_seen_ = spent_.sum();
  adapted_at_ = now;
  interval_ = {};
  double resident = 0;
  std::unordered_set<pid_t> processes;
  for (const auto& [tid, pid] : process_of_) {
    if (processes.insert(pid).second) resident += resident_pages(pid);
  }
  if (now - cpu_times_at_ >= cpu_times_every) {
    cpu_times_at_ = now;
    note_cpu_times();
  }
  note_progress(now);
  engine_.resident(resident * static_cast<double>(sysconf(_SC_PAGESIZE)));
  // The kernel waits out the scan period that it last had for a process, however long. So the rate is not
  // lowered much for a calm phase or an exceeded budget; in the latter, the faults are not sampled.
  const double affordable =
      setup_.budget * cpu_seen_ / (now - setup_.began) / (consequences * setup_.fault_seconds);
  wanted_ = std::max(rate_.per_second(), setup_.fault_seconds > 0 ? least_share * affordable : 0);
  sampler_.set_rate(wanted_, resident);
  rate_.per_second() > 0 || setup_.learns ? sampler_.resume() : sampler_.pause();
}

}  // namespace gable::kmaf::live
