#include "kmaf/live/samplers/perf_events.hpp"

#include <linux/perf_event.h>
#include <sys/ioctl.h>
#include <unistd.h>
#include <algorithm>
#include <cerrno>
#include <utility>

#include "base/clocks.hpp"
#include "base/error.hpp"
#include "base/lists.hpp"
#include "base/perf/ring.hpp"
#include "base/sorting.hpp"

namespace gable::kmaf::live {

namespace {

// The bodies behind the header, for PERF_SAMPLE_TID | TIME | ADDR | CPU | DATA_SRC.
struct SampleBody {
  std::uint32_t pid, tid;
  std::uint64_t time, address;
  std::uint32_t cpu, reserved;
  std::uint64_t source;  // perf_mem_data_src
};

struct TaskBody {  // of fork and exit
  std::uint32_t pid, parent_pid, tid, parent_tid;
  std::uint64_t time;
};

struct NameBody {  // of comm, before the name
  std::uint32_t pid, tid;
};

struct Trailer {  // sample_id_all, at the end of records that are not samples
  std::uint32_t pid, tid;
  std::uint64_t time;
  std::uint32_t cpu, reserved;
};

struct LostBody {
  std::uint64_t id, lost;
};

double seconds(std::uint64_t ns) {
  return static_cast<double>(ns) * 1e-9;
}

pid_t id(std::uint32_t number) {
  return static_cast<pid_t>(number);
}

bool is_store(std::uint64_t source) {
  return (source >> PERF_MEM_OP_SHIFT & PERF_MEM_OP_STORE) != 0;
}

void parse_sample(std::span<const std::byte> body, PerfRecords& into) {
  if (const auto sample = body_at<SampleBody>(body)) {
    into.events.push_back({Event::Kind::access, id(sample->pid), id(sample->tid), 0, 0, sample->address,
                           sample->cpu, seconds(sample->time), is_store(sample->source)});
  }
}

void parse_task(std::span<const std::byte> body, Event::Kind kind, PerfRecords& into) {
  if (const auto task = body_at<TaskBody>(body)) {
    into.events.push_back({kind, id(task->pid), id(task->tid), id(task->parent_pid), id(task->parent_tid), 0,
                           0, seconds(task->time)});
  }
}

void parse_name(std::span<const std::byte> body, PerfRecords& into) {
  const auto name = body_at<NameBody>(body);
  if (!name || body.size() < sizeof(NameBody) + sizeof(Trailer)) return;
  const auto trailer = body_at<Trailer>(body.last(sizeof(Trailer)));
  into.events.push_back(
      {Event::Kind::replaced, id(name->pid), id(name->tid), 0, 0, 0, 0, seconds(trailer->time)});
}

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
  int fd = open_perf_event(attr, pid, cpu, group);
  if (fd < 0 && (errno == EACCES || errno == EPERM)) {
    attr.exclude_kernel = 1;
    fd = open_perf_event(attr, pid, cpu, group);
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

}  // namespace

void parse_records(std::span<const std::byte> bytes, PerfRecords& into) {
  for_each_record(bytes, [&](const perf_event_header& header, std::span<const std::byte> body) {
    switch (header.type) {
      case PERF_RECORD_SAMPLE:
        parse_sample(body, into);
        break;
      case PERF_RECORD_FORK:
        parse_task(body, Event::Kind::started, into);
        break;
      case PERF_RECORD_EXIT:
        parse_task(body, Event::Kind::ended, into);
        break;
      case PERF_RECORD_COMM:
        if (header.misc & PERF_RECORD_MISC_COMM_EXEC) parse_name(body, into);
        break;
      case PERF_RECORD_LOST:
        if (const auto lost = body_at<LostBody>(body)) into.lost += lost->lost;
        break;
      default:
        break;
    }
  });
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
    fail("perf_event_open");
  }
  // Unprivileged users are allowed 512 KiB plus one control page per hardware thread (perf_event_mlock_kb).
  constexpr std::size_t pages = 128;
  PerfRing buffer(event.get(), pages);
  rings_.push_back({std::move(leader), std::move(event), std::move(buffer), std::nullopt, cpu});
}

// Writes into the buffers of the task events, which continue while these pause.
void PerfEvents::add_faults(pid_t program) {
  perf_event_attr attr = attributes(software(PERF_COUNT_SW_PAGE_FAULTS));
  attr.task = attr.comm = attr.comm_exec = 0;
  for (Ring& ring : rings_) {
    Descriptor faults(open_event(attr, program, ring.cpu));
    if (faults.get() < 0 || ioctl(faults.get(), PERF_EVENT_IOC_SET_OUTPUT, ring.event.get()) != 0)
      fail("perf_event_open");
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
      if (fd >= 0 && ioctl(fd, request, 0) != 0) fail("an event of perf");
    }
  }
}

void PerfEvents::for_each_pausing(unsigned long request) {
  for (const Ring& ring : rings_) {
    if (ring.also && ioctl(ring.also->get(), request, 0) != 0) fail("an event of perf");
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
  for (Ring& ring : rings_) {
    ring.buffer.read(unwound_);
    parse_records(unwound_, records);
  }
  lost_ += records.lost;
  sort_by(records.events, &Event::seconds);
  const auto newer =
      std::ranges::find_if(records.events, [&](const Event& event) { return event.seconds > until; });
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
  return each_of(rings_, [](const Ring& ring) { return ring.event.get(); });
}

}  // namespace gable::kmaf::live
