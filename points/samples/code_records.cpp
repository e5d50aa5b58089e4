#include "points/samples/code_records.hpp"

#include <iterator>

#include "base/perf/ring.hpp"

namespace gable::points {

namespace {

struct CodeSampleBody {
  std::uint64_t address;
  std::uint32_t pid, tid;
  std::uint64_t time;
};

struct ForkBody {
  std::uint32_t pid, parent, tid, parent_tid;
  std::uint64_t time;
};

struct CommBody {  // before the name
  std::uint32_t pid, tid;
};

struct MapBody {  // of PERF_RECORD_MMAP2, before the file
  std::uint32_t pid, tid;
  std::uint64_t address, bytes, offset;
  std::uint32_t build_or_device[2];
  std::uint64_t inode, generation;
  std::uint32_t protection, flags;
};

struct CodeTrailer {  // sample_id_all, at the end of records that are not samples
  std::uint32_t pid, tid;
  std::uint64_t time;
};

struct DroppedBody {
  std::uint64_t id, lost;
};

pid_t process(std::uint32_t number) {
  return static_cast<pid_t>(number);
}

void take_map(std::span<const std::byte> body, CodeRecords& into) {
  const auto map = body_at<MapBody>(body);
  if (!map || body.size() < sizeof(MapBody) + sizeof(CodeTrailer)) return;
  const auto trailer = body_at<CodeTrailer>(body.last(sizeof(CodeTrailer)));
  const auto name = body.subspan(sizeof(MapBody), body.size() - sizeof(MapBody) - sizeof(CodeTrailer));
  const auto* const text = reinterpret_cast<const char*>(name.data());
  into.events.push_back({CodeEvent::Kind::mapped, process(map->pid), 0, map->address, map->bytes, map->offset,
                         std::string(text, strnlen(text, name.size())), trailer->time});
}

void take_comm(std::span<const std::byte> body, CodeRecords& into) {
  const auto comm = body_at<CommBody>(body);
  if (!comm || body.size() < sizeof(CommBody) + sizeof(CodeTrailer)) return;
  const auto trailer = body_at<CodeTrailer>(body.last(sizeof(CodeTrailer)));
  into.events.push_back({CodeEvent::Kind::replaced, process(comm->pid), 0, 0, 0, 0, "", trailer->time});
}

}  // namespace

void MappedCode::take(const CodeEvent& event) {
  if (event.kind == CodeEvent::Kind::forked && event.pid != event.parent) {
    const auto parent = mappings_.find(event.parent);
    if (parent != mappings_.end()) mappings_[event.pid] = parent->second;
  } else if (event.kind == CodeEvent::Kind::replaced) {
    mappings_.erase(event.pid);
  } else if (event.kind == CodeEvent::Kind::mapped) {
    auto& own = mappings_[event.pid];
    const std::uint64_t end = event.address + event.bytes;
    own.erase(own.lower_bound(event.address), own.lower_bound(end));
    own[event.address] = {end, event.offset, event.file};
  }
}

std::optional<CodePlace> MappedCode::place_of(pid_t pid, std::uint64_t address) const {
  const auto process = mappings_.find(pid);
  if (process == mappings_.end()) return std::nullopt;
  const auto next = process->second.upper_bound(address);
  if (next == process->second.begin()) return std::nullopt;
  const auto& [begin, mapping] = *std::prev(next);
  const bool is_file = mapping.file.starts_with("/");  // not [vdso], //anon
  if (address >= mapping.end || !is_file || mapping.file.starts_with("//")) return std::nullopt;
  return CodePlace{mapping.file, address - begin + mapping.offset};
}

void parse_code_records(std::span<const std::byte> bytes, CodeRecords& into) {
  for_each_record(bytes, [&](const perf_event_header& header, std::span<const std::byte> body) {
    if (header.type == PERF_RECORD_SAMPLE) {
      if (const auto sample = body_at<CodeSampleBody>(body))
        into.events.push_back(
            {CodeEvent::Kind::sample, process(sample->pid), 0, sample->address, 0, 0, "", sample->time});
    } else if (header.type == PERF_RECORD_MMAP2) {
      take_map(body, into);
    } else if (header.type == PERF_RECORD_FORK) {
      if (const auto fork = body_at<ForkBody>(body))
        into.events.push_back(
            {CodeEvent::Kind::forked, process(fork->pid), process(fork->parent), 0, 0, 0, "", fork->time});
    } else if (header.type == PERF_RECORD_COMM && (header.misc & PERF_RECORD_MISC_COMM_EXEC)) {
      take_comm(body, into);
    } else if (header.type == PERF_RECORD_LOST) {
      if (const auto dropped = body_at<DroppedBody>(body)) into.lost += dropped->lost;
    }
  });
}

}  // namespace gable::points
