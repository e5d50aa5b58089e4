#include "kmaf/live/samplers/perf_records.hpp"

#include "base/perf/ring.hpp"

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

}  // namespace gable::kmaf::live
