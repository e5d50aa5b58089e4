#include "kmaf/live/watched_process.hpp"

#include <fcntl.h>
#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>

#include "kmaf/live/processes.hpp"

namespace gable::kmaf::live {

namespace fs = std::filesystem;

namespace {

constexpr double first_rest = 0.02, most_rest = 1;  // seconds between two looks
constexpr double reliable = 1.2;                    // and how long one is relied on
constexpr double loading = 1;                       // seconds from what is loaded to what it opens

std::string folder_of(pid_t pid) {
  return "/proc/" + std::to_string(pid);
}

bool gives_memory_away(pid_t pid) {
  std::error_code error;
  fs::directory_iterator each(folder_of(pid) + "/fd", error);
  if (error) return true;  // nobody may know
  for (; !error && each != fs::directory_iterator(); each.increment(error)) {
    constexpr int standard = 2;  // input, output and error may be any device
    if (std::atoi(each->path().filename().c_str()) <= standard) continue;
    std::error_code closed;
    if (takes_memory(fs::read_symlink(each->path(), closed).string())) return true;
  }
  return false;
}

// One that spins while it waits for somebody who waits for us keeps us from running.
bool has_priority(pid_t pid) {
  for (const pid_t tid : threads_of(pid)) {
    const int policy = sched_getscheduler(tid) & ~SCHED_RESET_ON_FORK;
    if (policy == SCHED_FIFO || policy == SCHED_RR || policy == SCHED_DEADLINE) return true;
  }
  return false;
}

std::string maps_of(pid_t pid) {
  std::ostringstream text;
  text << std::ifstream(folder_of(pid) + "/maps").rdbuf();
  return text.str();
}

}  // namespace

WatchedProcess::WatchedProcess(pid_t pid, Userfault faults, Mapped list, double now)
    : pid_(pid),
      faults_(std::move(faults)),
      list_(std::move(list)),
      pagemap_(open((folder_of(pid) + "/pagemap").c_str(), O_RDONLY | O_CLOEXEC)),
      page_bytes_(static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE))),
      next_look_(now + first_rest),
      rest_(first_rest) {}

WatchedProcess::Standing WatchedProcess::standing() const {
  const bool left = __atomic_load_n(&threads().left, __ATOMIC_ACQUIRE) != 0;
  return left ? Standing::left_alone : Standing::watched;
}

// Mappings that are watched already are so again without harm. What comes to lie in their place later is not
// watched, so that nothing of it can be protected before it was looked at.
WatchedProcess::Standing WatchedProcess::look(double now) {
  const std::string text = maps_of(pid_);
  const std::vector<MappedRange> maps = parse_maps(text);
  if (maps.empty()) return Standing::gone;
  // Somewhere the kernel would accept: below vm.mmap_min_addr it says nothing of the process.
  const std::uint64_t somewhere = maps.front().begin;
  if (faults_.release(somewhere, somewhere + page_bytes_) == ESRCH) return Standing::gone;
  if (loads_device(text) || gives_memory_away(pid_) || has_priority(pid_)) return Standing::left_alone;
  watched_.clear();
  for (const AddressRange& range : watchable(maps)) {
    const int error = faults_.watch(range.begin, range.end);
    if (error == ESRCH) return Standing::gone;
    if (error == 0) watched_.push_back(range);
  }
  threads_seen_ = 0;
  rest_ = std::min(2 * rest_, most_rest);
  looked_ = now;
  next_look_ = now + rest_;
  return Standing::watched;
}

void WatchedProcess::hold_still(double now) {
  looked_.reset();
  next_look_ = now + loading;
  release_old(now, 0);
}

// Every thread is in the list unless it is being made, and so is every place where one has been: a page that
// is not in it now holds no control block, and will hold none for as long as it is the same mapping.
std::uint64_t WatchedProcess::protectable_bytes(double now) {
  if (!looked_ || now - *looked_ > reliable) return 0;
  if (__atomic_load_n(&threads().creating, __ATOMIC_ACQUIRE) != 0) return 0;
  const std::uint32_t count = __atomic_load_n(&threads().count, __ATOMIC_ACQUIRE);
  if (count > gable_most_threads) return 0;
  if (count == threads_seen_) return protectable_.bytes();
  std::vector<std::uint64_t> places;
  for (std::uint32_t i = 0; i < count; ++i)
    places.push_back(__atomic_load_n(&threads().thread_pointer[i], __ATOMIC_ACQUIRE));
  if (std::find(places.begin(), places.end(), 0) != places.end()) return 0;
  protectable_ = Stretch(protectable(watched_, std::move(places), page_bytes_));
  threads_seen_ = count;
  return protectable_.bytes();
}

// The highest bit of a page's entry; where nobody may know it is tried.
bool WatchedProcess::in_memory(std::uint64_t address) const {
  std::uint64_t entry = 0;
  const auto at = static_cast<off_t>(address / page_bytes_ * sizeof entry);
  return pread(pagemap_.get(), &entry, sizeof entry, at) != sizeof entry || entry >> 63 != 0;
}

std::size_t WatchedProcess::protect(std::uint64_t at, std::uint64_t unit_bytes, std::size_t count,
                                    double now) {
  const std::vector<AddressRange> units = protectable_.units_at(at, unit_bytes, count);
  if (units.empty() || !in_memory(units.front().begin)) return 0;
  {
    const std::lock_guard hold(lock_);
    for (const AddressRange& unit : units) hidden_.try_emplace(unit.begin, Hidden{unit, now});
  }
  if (faults_.protect(units.front().begin, units.back().end) == 0) return units.size();
  next_look_ = std::min(next_look_, now + first_rest);  // it has other mappings by now
  return 0;  // released as whatever is old, for some of it may be protected
}

// Takes the unit with the byte out of what is protected.
std::optional<AddressRange> WatchedProcess::uncover(std::uint64_t address) {
  const std::lock_guard hold(lock_);
  const auto found = hidden_.upper_bound(address);
  if (found == hidden_.begin()) return {};
  const auto last = std::prev(found);
  const AddressRange range = last->second.range;
  if (address >= range.end) return {};
  hidden_.erase(last);
  return range;
}

void WatchedProcess::release_old(double now, double seconds) {
  std::vector<AddressRange> old;  // what is side by side as one
  {
    const std::lock_guard hold(lock_);
    for (auto each = hidden_.begin(); each != hidden_.end();) {
      const Hidden& hidden = each->second;
      const bool is_old = now - hidden.since >= seconds;
      if (is_old && !old.empty() && old.back().end == hidden.range.begin)
        old.back().end = hidden.range.end;
      else if (is_old)
        old.push_back(hidden.range);
      each = is_old ? hidden_.erase(each) : std::next(each);
    }
  }
  for (const AddressRange& range : old) release(range);
}

// A unit whose mapping has been cut since is released page by page; a page that is not there any more, or
// somewhere else, is not protected, but somebody may still wait for it.
void WatchedProcess::release(const AddressRange& range) {
  if (faults_.release(range.begin, range.end) == 0) return;
  for (std::uint64_t page = range.begin; page < range.end; page += page_bytes_)
    faults_.release(page, page + page_bytes_);
  faults_.wake(range.begin, range.end);
}

std::optional<WatchedProcess::Served> WatchedProcess::serve() {
  const auto fault = faults_.read();
  if (!fault) return {};
  const auto pu = processor_of(pid_, fault->tid);  // it may go on elsewhere
  const auto unit = uncover(fault->address);
  const std::uint64_t page = fault->address / page_bytes_ * page_bytes_;
  release(unit.value_or(AddressRange{page, page + page_bytes_}));
  // More than one may wait for a unit, and one that was interrupted by a signal asks again: that is one
  // write.
  if (!unit) return Served{};
  return Served{fault, pu};
}

}  // namespace gable::kmaf::live
