#include "kmaf/live/samplers/perf_events.hpp"

#include <linux/perf_event.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <string>
#include <system_error>
#include <utility>

#include "base/clocks.hpp"
#include "kmaf/live/samplers/perf_records.hpp"
#include "machines/files.hpp"

namespace gable::kmaf::live {

namespace {

PerfSource software(std::uint64_t event) {
  PerfSource source;
  source.type = PERF_TYPE_SOFTWARE;
  source.config = event;
  return source;
}

perf_event_attr attributes(const PerfSource& source) {
  perf_event_attr attr = {};
  attr.size = sizeof attr;
  attr.type = source.type;
  attr.config = source.config;
  attr.config1 = source.config1;
  attr.config2 = source.config2;
  attr.freq = source.frequency > 0 ? 1 : 0;
  attr.sample_period = source.frequency > 0 ? source.frequency : source.period;  // a union with sample_freq
  attr.precise_ip = source.precise & 3;
  attr.sample_type =
      PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_ADDR | PERF_SAMPLE_CPU | PERF_SAMPLE_DATA_SRC;
  attr.disabled = 1;
  attr.enable_on_exec = 1;
  attr.inherit = 1;
  attr.task = 1;
  attr.comm = 1;
  attr.comm_exec = 1;
  attr.sample_id_all = 1;
  attr.use_clockid = 1;
  attr.clockid = CLOCK_MONOTONIC;
  attr.watermark = 1;
  return attr;
}

// The kernel's accesses in system calls belong to the program too, but without CAP_PERFMON they cannot be
// sampled if perf_event_paranoid is 2.
int open_event(perf_event_attr attr, pid_t pid, int cpu, int group = -1) {
  const auto attempt = [&] {
    return static_cast<int>(syscall(SYS_perf_event_open, &attr, pid, cpu, group, PERF_FLAG_FD_CLOEXEC));
  };
  int fd = attempt();
  if (fd < 0 && (errno == EACCES || errno == EPERM)) {
    attr.exclude_kernel = 1;
    fd = attempt();
  }
  return fd;
}

// It only counts. All events of a group use one clock.
perf_event_attr counter_attributes(std::uint32_t type, std::uint64_t config) {
  perf_event_attr attr = {};
  attr.size = sizeof attr;
  attr.type = type;
  attr.config = config;
  attr.disabled = 1;
  attr.enable_on_exec = 1;
  attr.inherit = 1;
  attr.use_clockid = 1;
  attr.clockid = CLOCK_MONOTONIC;
  return attr;
}

// perf_event_mlock_kb allows an unprivileged user 512 KiB plus one control page per hardware thread; if less
// is allowed, the buffer is smaller.
Mapped map_ring(int fd) {
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  for (std::size_t pages = 128; pages >= 4; pages /= 2) {
    const std::size_t bytes = (pages + 1) * page;
    void* const memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (memory != MAP_FAILED) return Mapped({static_cast<std::byte*>(memory), bytes});
    if (errno != EPERM && errno != ENOMEM) break;
  }
  throw std::system_error(errno, std::generic_category(), "cannot map a buffer of perf");
}

// The highest number of a hardware thread; numbers may have gaps.
int last_cpu() {
  const std::string list = machines::read_text("/sys/devices/system/cpu/present");
  const auto last = machines::to_number(list.substr(list.find_last_of(",-") + 1));
  return static_cast<int>(last ? static_cast<long>(*last) : sysconf(_SC_NPROCESSORS_CONF) - 1);
}

}  // namespace

Mapped::~Mapped() {
  if (!memory_.empty()) munmap(memory_.data(), memory_.size());
}

int PerfEvents::refusal(What what) {
  const std::uint64_t event_of = what == What::page_faults ? PERF_COUNT_SW_PAGE_FAULTS : PERF_COUNT_SW_DUMMY;
  const Descriptor event(open_event(attributes(software(event_of)), 0, 0));
  return event.get() >= 0 ? 0 : errno;
}

void PerfEvents::add_ring(const PerfSource& source, pid_t program, int cpu) {
  Descriptor leader(source.leader ? open_event(counter_attributes(source.type, *source.leader), program, cpu)
                                  : -1);
  perf_event_attr attr = attributes(source);
  attr.wakeup_watermark = 64 << 10;
  Descriptor event(source.leader && leader.get() < 0 ? -1 : open_event(attr, program, cpu, leader.get()));
  if (event.get() < 0) {
    if (errno == ENODEV) return;  // the hardware thread is offline
    throw std::system_error(errno, std::generic_category(), "perf_event_open");
  }
  Mapped memory = map_ring(event.get());
  rings_.push_back({std::move(leader), std::move(event), std::move(memory), std::nullopt, cpu});
}

// Writes into the buffers of the task events, which continue while these pause.
void PerfEvents::add_faults(pid_t program) {
  perf_event_attr attr = attributes(software(PERF_COUNT_SW_PAGE_FAULTS));
  attr.task = attr.comm = attr.comm_exec = 0;
  for (Ring& ring : rings_) {
    Descriptor faults(open_event(attr, program, ring.cpu));
    if (faults.get() < 0 || ioctl(faults.get(), PERF_EVENT_IOC_SET_OUTPUT, ring.event.get()) != 0)
      throw std::system_error(errno, std::generic_category(), "perf_event_open");
    ring.also.emplace(std::move(faults));
  }
}

PerfEvents::PerfEvents(What what, pid_t program)
    : PerfEvents(std::vector{software(PERF_COUNT_SW_DUMMY)}, program) {
  if (what == What::page_faults) add_faults(program);
}

PerfEvents::PerfEvents(const std::vector<PerfSource>& sources, pid_t program) {
  const int last = last_cpu();
  for (const PerfSource& source : sources) {
    for (const int cpu : source.cpus) add_ring(source, program, cpu);
    for (int cpu = 0; source.cpus.empty() && cpu <= last; ++cpu) add_ring(source, program, cpu);
  }
  clock_.emplace(open_event(counter_attributes(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK), program, -1));
}

void PerfEvents::for_each_event(unsigned long request) {
  for (const Ring& ring : rings_) {
    for (const int fd : {ring.leader.get(), ring.event.get(), ring.also ? ring.also->get() : -1}) {
      if (fd >= 0 && ioctl(fd, request, 0) != 0)
        throw std::system_error(errno, std::generic_category(), "an event of perf");
    }
  }
}

void PerfEvents::for_each_pausing(unsigned long request) {
  for (const Ring& ring : rings_) {
    if (ring.also && ioctl(ring.also->get(), request, 0) != 0)
      throw std::system_error(errno, std::generic_category(), "an event of perf");
  }
}

void PerfEvents::pause() {
  for_each_pausing(PERF_EVENT_IOC_DISABLE);
}

void PerfEvents::resume() {
  for_each_pausing(PERF_EVENT_IOC_ENABLE);
}

void PerfEvents::enable() {
  for_each_event(PERF_EVENT_IOC_ENABLE);
}

void PerfEvents::disable() {
  for_each_event(PERF_EVENT_IOC_DISABLE);
}

// A buffer read early may lack events that are older than some in a buffer read later. So events newer
// than the start of this call wait for the next one.
Events PerfEvents::read() {
  PerfRecords records;
  records.events = std::exchange(newer_, {});
  const double until = monotonic_seconds();
  for (const Ring& ring : rings_) {
    auto* const page = reinterpret_cast<perf_event_mmap_page*>(ring.memory.get().data());
    const std::uint64_t head = std::atomic_ref(page->data_head).load(std::memory_order_acquire);
    const std::uint64_t tail = page->data_tail;
    if (head == tail) continue;
    const auto data = ring.memory.get().subspan(page->data_offset, page->data_size);
    const std::size_t from = tail % data.size(), bytes = head - tail;
    const std::size_t first = std::min<std::size_t>(bytes, data.size() - from);
    unwound_.assign(data.begin() + static_cast<std::ptrdiff_t>(from),
                    data.begin() + static_cast<std::ptrdiff_t>(from + first));
    unwound_.insert(unwound_.end(), data.begin(), data.begin() + static_cast<std::ptrdiff_t>(bytes - first));
    std::atomic_ref(page->data_tail).store(head, std::memory_order_release);
    parse_records(unwound_, records);
  }
  lost_ += records.lost;
  std::stable_sort(records.events.begin(), records.events.end(),
                   [](const Event& a, const Event& b) { return a.seconds < b.seconds; });
  const auto newer = std::find_if(records.events.begin(), records.events.end(),
                                  [&](const Event& event) { return event.seconds > until; });
  newer_.assign(newer, records.events.end());
  records.events.erase(newer, records.events.end());
  return std::move(records.events);
}

double PerfEvents::cpu_seconds() const {
  std::uint64_t ns = 0;
  if (clock_->get() < 0 || ::read(clock_->get(), &ns, sizeof ns) != sizeof ns) return 0;
  return static_cast<double>(ns) * 1e-9;
}

std::vector<int> PerfEvents::descriptors() const {
  std::vector<int> all;
  for (const Ring& ring : rings_) all.push_back(ring.event.get());
  return all;
}

}  // namespace gable::kmaf::live
