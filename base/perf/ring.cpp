#include "base/perf/ring.hpp"

#include <sys/mman.h>
#include <sys/syscall.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <charconv>
#include <fstream>
#include <string>
#include <system_error>

namespace gable {
namespace {

Mapped map_ring(int event, std::size_t pages) {
  constexpr std::size_t fewest = 4;
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  for (; pages >= fewest; pages /= 2) {
    const std::size_t bytes = (pages + 1) * page;
    if (Mapped memory(mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, event, 0), bytes); memory)
      return memory;
    if (errno != EPERM && errno != ENOMEM) break;
  }
  throw std::system_error(errno, std::generic_category(), "cannot map a buffer of perf");
}

}  // namespace

int open_perf_event(perf_event_attr attr, pid_t process, int cpu, int group) {
  return static_cast<int>(syscall(SYS_perf_event_open, &attr, process, cpu, group, PERF_FLAG_FD_CLOEXEC));
}

int last_cpu() {
  std::ifstream file("/sys/devices/system/cpu/present");
  std::string list;
  std::getline(file, list);
  const std::size_t begin = list.find_last_of(",-") + 1;
  int last = static_cast<int>(sysconf(_SC_NPROCESSORS_CONF)) - 1;
  std::from_chars(list.data() + begin, list.data() + list.size(), last);
  return last;
}

PerfRing::PerfRing(int event, std::size_t pages) : memory_(map_ring(event, pages)) {}

void PerfRing::read(std::vector<std::byte>& records) {
  records.clear();
  auto* const page = reinterpret_cast<perf_event_mmap_page*>(memory_.get().data());
  const std::uint64_t head = std::atomic_ref(page->data_head).load(std::memory_order_acquire);
  const std::uint64_t tail = page->data_tail;
  const auto data = memory_.get().subspan(page->data_offset, page->data_size);
  const std::size_t from = tail % data.size(), bytes = head - tail;
  const std::size_t first = std::min<std::size_t>(bytes, data.size() - from);
  records.assign(data.begin() + static_cast<std::ptrdiff_t>(from),
                 data.begin() + static_cast<std::ptrdiff_t>(from + first));
  records.insert(records.end(), data.begin(), data.begin() + static_cast<std::ptrdiff_t>(bytes - first));
  std::atomic_ref(page->data_tail).store(head, std::memory_order_release);
}

}  // namespace gable
