#include "kmaf/live/write_watch.hpp"
#include "kmaf/live/clocks.hpp"

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
#include <cstdlib>
#include <filesystem>
#include <string_view>
#include <thread>

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
                 least_tries = 16;  // for each unit, for much of what is mapped may not be in memory

bool is_userfaultfd(int fd) {
  std::error_code error;
  return std::filesystem::read_symlink("/proc/self/fd/" + std::to_string(fd), error) ==
         "anon_inode:[userfaultfd]";
}

bool holds_list(int fd) {
  struct stat status = {};
  return fstat(fd, &status) == 0 && status.st_size >= static_cast<off_t>(sizeof(gable_threads));
}

// Where the thread last ran, as it did when it wrote; empty where it is no thread of the process.
std::optional<unsigned> processor_of(pid_t pid, pid_t tid) {
  constexpr int place = 39;  // in /proc/PID/task/TID/stat, proc(5)
  const std::string path = "/proc/" + std::to_string(pid) + "/task/" + std::to_string(tid) + "/stat";
  const Descriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  char buffer[1024];
  const ssize_t got = read(file.get(), buffer, sizeof buffer);
  if (got <= 0) return {};
  std::string_view text(buffer, static_cast<std::size_t>(got));
  text.remove_prefix(std::min(text.size(), text.rfind(')') + 1));  // the name may hold anything
  for (int number = 2; number < place - 1; ++number)
    text.remove_prefix(std::min(text.size(), text.find(' ', 1)));
  if (text.empty()) return {};
  return static_cast<unsigned>(std::strtoul(text.data(), nullptr, 10));
}

}  // namespace

WriteWatch::WriteWatch(int listening, int asked, int told)
    : listening_(listening),
      asked_(asked),
      told_(told),
      ready_(epoll_create1(EPOLL_CLOEXEC)),
      ends_(eventfd(0, EFD_CLOEXEC)),
      credited_(monotonic_seconds()) {
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
    if (connection.get() < 0) return;
    auto visitor = hear_visitor(connection.get());
    if (!visitor) continue;
    if (visitor->stranger) {
      ++strangers_;
    } else if (visitor->hello.word == gable_leaves) {
      left_ += drop_process(visitor->pid);
    } else if (visitor->hello.word == gable_cannot) {
      ++refused_;
      refusal_ = static_cast<std::uint64_t>(visitor->hello.error);
    } else if (visitor->hello.word == gable_joins && visitor->descriptors.size() == 2) {
      join(visitor->pid, std::move(visitor->descriptors[0]), visitor->descriptors[1]);
    }
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

void WriteWatch::look(double now) {
  std::vector<std::uint64_t> gone;
  for (const auto& [id, one] : all_) {
    one->release_old(now);
    const WatchedProcess::Standing standing = one->look(now);
    if (standing != WatchedProcess::Standing::watched) gone.push_back(id);
    if (standing == WatchedProcess::Standing::left_alone) ++left_;
  }
  for (const std::uint64_t id : gone) drop(id);
}

// By lot, of all that may be protected; of many, several side by side.
void WriteWatch::protect_some(double now) {
  std::vector<std::pair<WatchedProcess*, std::uint64_t>> parts;
  std::uint64_t bytes = 0;
  for (const auto& [id, one] : all_) {
    const std::uint64_t part = one->protectable_bytes();
    if (part > 0) parts.emplace_back(one.get(), part);
    bytes += part;
  }
  if (bytes == 0) return;
  const double side_by_side = std::clamp(credit_ / places_in_a_tick, 1.0, most_side_by_side);
  const double units = wanted_.per_second * 1e-3 * tick_ms();
  for (double left = least_tries + tries * units; credit_ >= 1 && left > 0; --left) {
    std::uint64_t at = random_() % bytes;
    auto part = parts.begin();
    for (; at >= part->second; ++part) at -= part->second;
    const auto count = static_cast<std::size_t>(std::min(side_by_side, credit_));
    credit_ -= static_cast<double>(part->first->protect(at, wanted_.unit_bytes, count, now));
  }
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
    const auto pu = processor_of(one.pid(), tid);
    if (pu) tell({Told::What::written, *pu, one.pid(), tid, served->write->address, 1, now});
  }
}

void WriteWatch::tell(const Told& told) {
  if (write(told_, &told, sizeof told) != static_cast<ssize_t>(sizeof told)) ++lost_;
}

void WriteWatch::tell_tallies() {
  fcntl(told_, F_SETFL, fcntl(told_, F_GETFL) & ~O_NONBLOCK);
  tell({Told::What::joined, 0, 0, 0, 0, joined_, 0});
  tell({Told::What::refused, 0, 0, 0, refusal_, refused_, 0});
  tell({Told::What::strangers, 0, 0, 0, 0, strangers_, 0});
  tell({Told::What::left, 0, 0, 0, 0, left_, 0});
  tell({Told::What::lost, 0, 0, 0, 0, lost_, 0});
  timespec spent = {};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &spent);
  tell({Told::What::spent, 0, 0, 0, 0, 0,
        static_cast<double>(spent.tv_sec) + 1e-9 * static_cast<double>(spent.tv_nsec)});
}

}  // namespace gable::kmaf::live
