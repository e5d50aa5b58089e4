#include "kmaf/live/write_watch.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <thread>
#include <utility>

#include "kmaf/live/clocks.hpp"
#include "kmaf/live/visitor.hpp"

namespace gable::kmaf::live {

namespace {

constexpr double most_at_once = 1024;  // units that are protected in a tick
constexpr double saved_seconds =
    0.1;                             // units that could not be protected may be later, as many as in so long
constexpr std::uint64_t nobody = 0;  // no key of all_
constexpr double places_in_a_tick = 16, most_side_by_side = 64;
constexpr double tries = 4,
                 least_tries = 16,    // for each unit, for much of what is mapped may not be in memory
    most_tries = 512;                 // in a tick
constexpr double looks_share = 0.01,  // of the time, for looks at all processes together
    most_looks = 0.02;                // seconds that are saved for many at once
constexpr double tell_every = 0.1;    // seconds

bool is_userfaultfd(int fd) {
  std::error_code error;
  return std::filesystem::read_symlink("/proc/self/fd/" + std::to_string(fd), error) ==
         "anon_inode:[userfaultfd]";
}

bool holds_list(int fd) {
  struct stat status = {};
  return fstat(fd, &status) == 0 && status.st_size >= static_cast<off_t>(sizeof(gable_threads));
}

}  // namespace

WriteWatch::WriteWatch(int listening, int asked, int told)
    : listening_(listening),
      asked_(asked),
      told_(told),
      ready_(epoll_create1(EPOLL_CLOEXEC)),
      ends_(eventfd(0, EFD_CLOEXEC)),
      credited_(monotonic_seconds()),
      may_look_(most_looks),
      spare_(std::in_place, open("/dev/null", O_RDONLY | O_CLOEXEC)) {
  epoll_event end = {};
  end.events = EPOLLIN;
  end.data.u64 = nobody;
  epoll_ctl(ready_.get(), EPOLL_CTL_ADD, ends_.get(), &end);
}

// As long as one unit takes, but what is protected is released in time.
int WriteWatch::tick_ms() const {
  constexpr double least = 10, most = 50;
  return static_cast<int>(std::clamp(1000 / std::max(wanted_.per_second, 1.0), least, most));
}

void WriteWatch::run() {
  std::thread server([this] { serve(); });
  for (bool goes_on = true; goes_on;) {
    pollfd news[] = {{asked_, POLLIN, 0}, {listening_, POLLIN, 0}};
    poll(news, 2, tick_ms());
    const double now = monotonic_seconds();
    goes_on = hear(now);
    welcome();
    if (!goes_on) break;
    look(now);
    protect_some(now);
    if (now - told_at_ >= tell_every) tell_costs();
  }
  while (!all_.empty()) drop(all_.begin()->first);
  eventfd_write(ends_.get(), 1);
  server.join();
  tell_tallies();
}

// The latest that is asked for; false: nobody is there any more.
bool WriteWatch::hear(double now) {
  const double most = std::clamp(wanted_.per_second * saved_seconds, 1.0, most_at_once);
  credit_ = std::min(credit_ + wanted_.per_second * (now - credited_), most);
  may_look_ = std::min(may_look_ + looks_share * (now - credited_), most_looks);
  credited_ = now;
  for (Asked asked;;) {
    const ssize_t got = recv(asked_, &asked, sizeof asked, MSG_DONTWAIT);
    if (got != static_cast<ssize_t>(sizeof asked)) return got < 0 && (errno == EAGAIN || errno == EINTR);
    wanted_ = asked;
  }
}

void WriteWatch::welcome() {
  for (;;) {
    const Descriptor connection(accept4(listening_, nullptr, nullptr, SOCK_CLOEXEC));
    if (connection.get() >= 0) {
      heed(connection.get());
      continue;
    }
    if (errno != EMFILE && errno != ENFILE) return;
    // Who waits is to be told that nobody listens.
    spare_.reset();
    { const Descriptor turned_away(accept4(listening_, nullptr, nullptr, SOCK_CLOEXEC)); }
    ++unheard_;
    spare_.emplace(open("/dev/null", O_RDONLY | O_CLOEXEC));
    if (spare_->get() < 0) return;
  }
}

void WriteWatch::heed(int connection) {
  auto visitor = hear_visitor(connection);
  if (!visitor) {
    ++unheard_;
  } else if (visitor->stranger) {
    ++strangers_;
    answer_visitor(connection);
  } else if (visitor->hello.word == gable_leaves) {
    left_ += drop_process(visitor->pid);
    answer_visitor(connection);
  } else if (visitor->hello.word == gable_loads) {
    for (const auto& [id, one] : all_) {
      if (one->pid() == visitor->pid) one->hold_still(monotonic_seconds());
    }
    answer_visitor(connection);
  } else if (visitor->hello.word == gable_cannot) {
    ++refused_;
    refusal_ = static_cast<std::uint64_t>(visitor->hello.error);
  } else if (visitor->hello.word == gable_joins) {
    join(visitor->pid, std::move(visitor->descriptors[0]), visitor->descriptors[1]);
  }
}

void WriteWatch::join(pid_t pid, Descriptor userfault, const Descriptor& memory) {
  const bool real = is_userfaultfd(userfault.get()) && holds_list(memory.get());
  Userfault faults(std::move(userfault));
  const int error = real ? faults.begin() : EINVAL;
  void* const list =
      error != 0 ? MAP_FAILED : mmap(nullptr, sizeof(gable_threads), PROT_READ, MAP_SHARED, memory.get(), 0);
  if (list == MAP_FAILED) {
    ++refused_;
    refusal_ = static_cast<std::uint64_t>(error);
    return;
  }
  drop_process(pid);  // it has executed another program
  const auto one = std::make_shared<WatchedProcess>(
      pid, std::move(faults), Mapped({static_cast<std::byte*>(list), sizeof(gable_threads)}),
      monotonic_seconds());
  ++joined_;
  epoll_event ready = {};
  ready.events = EPOLLIN;
  ready.data.u64 = next_;
  const std::lock_guard hold(lock_);
  if (epoll_ctl(ready_.get(), EPOLL_CTL_ADD, one->descriptor(), &ready) == 0) all_.emplace(next_++, one);
}

// When this returns its descriptor is closed, and so nothing of it protected.
void WriteWatch::drop(std::uint64_t id) {
  Shared last;
  {
    const std::lock_guard hold(lock_);
    last = std::move(all_.extract(id).mapped());
  }
  while (last.use_count() > 1) std::this_thread::yield();  // it is being served
}

std::size_t WriteWatch::drop_process(pid_t pid) {
  std::vector<std::uint64_t> ids;
  for (const auto& [id, one] : all_) {
    if (one->pid() == pid) ids.push_back(id);
  }
  for (const std::uint64_t id : ids) drop(id);
  return ids.size();
}

// Whose look is due longest comes first, as far as the time for all of them goes.
void WriteWatch::look(double now) {
  std::vector<std::pair<double, std::uint64_t>> due;
  std::vector<std::uint64_t> gone;
  const double began = thread_seconds();
  for (const auto& [id, one] : all_) {
    one->release_old(now);
    if (one->standing() == WatchedProcess::Standing::left_alone) {
      ++left_;
      gone.push_back(id);
    } else if (now >= one->next_look()) {
      due.emplace_back(one->next_look(), id);
    }
  }
  std::sort(due.begin(), due.end());
  const double ready = thread_seconds();
  double before = ready;
  for (const auto& [since, id] : due) {
    if (may_look_ <= 0) break;
    const WatchedProcess::Standing standing = all_.at(id)->look(now);
    if (standing != WatchedProcess::Standing::watched) gone.push_back(id);
    if (standing == WatchedProcess::Standing::left_alone) ++left_;
    const double after = thread_seconds();
    may_look_ -= after - before;
    before = after;
  }
  looked_ += before - ready;
  hiding_ += ready - began;
  for (const std::uint64_t id : gone) drop(id);
}

// By lot, of all that may be protected; of many, several side by side.
void WriteWatch::protect_some(double now) {
  const double began = thread_seconds();
  std::vector<WatchedProcess*> parts;
  std::vector<std::uint64_t> ends;  // bytes up to the end of each
  for (const auto& [id, one] : all_) {
    const std::uint64_t part = one->protectable_bytes(now);
    if (part == 0) continue;
    parts.push_back(one.get());
    ends.push_back(part + (ends.empty() ? 0 : ends.back()));
  }
  if (ends.empty()) return;
  const double side_by_side = std::clamp(credit_ / places_in_a_tick, 1.0, most_side_by_side);
  const double units = wanted_.per_second * 1e-3 * tick_ms();
  for (double left = std::min(least_tries + tries * units, most_tries); credit_ >= 1 && left > 0; --left) {
    const std::uint64_t at = random_() % ends.back();
    const auto place =
        static_cast<std::size_t>(std::upper_bound(ends.begin(), ends.end(), at) - ends.begin());
    const auto count = static_cast<std::size_t>(std::min(side_by_side, credit_));
    const std::uint64_t before = place == 0 ? 0 : ends[place - 1];
    const std::size_t done = parts[place]->protect(at - before, wanted_.unit_bytes, count, now);
    credit_ -= static_cast<double>(done);
    hidden_ += done;
  }
  hiding_ += thread_seconds() - began;
}

void WriteWatch::serve() {
  constexpr int most = 64;
  epoll_event ready[most];
  for (;;) {
    const int count = epoll_wait(ready_.get(), ready, most, -1);
    for (int i = 0; i < count; ++i) {
      if (ready[i].data.u64 == nobody) return;
      Shared one;
      {
        const std::lock_guard hold(lock_);
        const auto found = all_.find(ready[i].data.u64);
        if (found != all_.end()) one = found->second;
      }
      if (one) serve(*one);
    }
  }
}

void WriteWatch::serve(WatchedProcess& one) {
  while (const auto served = one.serve()) {
    if (!served->write) continue;
    const double now = monotonic_seconds();
    const pid_t tid = served->write->tid;
    // Neither a child of vfork(2), which has its parent's memory, nor one that has ended meanwhile.
    if (!served->pu) continue;
    tell({Told::What::written, *served->pu, one.pid(), tid, served->write->address, 1, now});
  }
}

void WriteWatch::tell(const Told& told) {
  if (write(told_, &told, sizeof told) != static_cast<ssize_t>(sizeof told)) ++lost_;
}

// What does not come through now comes with the next.
void WriteWatch::tell_costs() {
  told_at_ = credited_;
  for (const Told& told : {Told{Told::What::looked, 0, 0, 0, 0, 0, looked_},
                           Told{Told::What::hidden, 0, 0, 0, 0, hidden_, hiding_}})
    static_cast<void>(write(told_, &told, sizeof told) < 0);
}

void WriteWatch::tell_tallies() {
  fcntl(told_, F_SETFL, fcntl(told_, F_GETFL) & ~O_NONBLOCK);
  tell_costs();
  tell({Told::What::joined, 0, 0, 0, 0, joined_, 0});
  tell({Told::What::refused, 0, 0, 0, refusal_, refused_, 0});
  tell({Told::What::strangers, 0, 0, 0, 0, strangers_, 0});
  tell({Told::What::left, 0, 0, 0, 0, left_, 0});
  tell({Told::What::unheard, 0, 0, 0, 0, unheard_, 0});
  tell({Told::What::lost, 0, 0, 0, 0, lost_, 0});
  timespec spent = {};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &spent);
  tell({Told::What::spent, 0, 0, 0, 0, 0,
        static_cast<double>(spent.tv_sec) + 1e-9 * static_cast<double>(spent.tv_nsec)});
}

}  // namespace gable::kmaf::live
