#pragma once

// Records in perf_event_open(2)'s buffers, as events with PERF_SAMPLE_IP, TID and TIME write them.

#include <sys/types.h>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "model/records/note.hpp"

namespace gable::points {

// Where the instructions lie that a program executed at equal steps of its CPU time.

struct CodeSamples {
  double all = 0;      ///< of all threads, in the kernel too; 0: none
  double seconds = 0;  ///< CPU time for each sample, in seconds
  double kernel = 0;   ///< in the kernel
  /// In mapped files, by path and offset in the file.
  std::map<std::string, std::map<std::uint64_t, double>> in_files;
  std::map<std::string, double> spinning;     ///< of `in_files`: in loops that wait (SpinLoops), by path
  double without_file = 0;                    ///< in generated code and the vDSO
  std::map<std::string, std::string> builds;  ///< code_identity() of these files when the program had ended
  model::Note missing;                        ///< why there are none; empty: there are

  /// Adds the samples of another run. If either has none, the sum has none.
  CodeSamples& operator+=(const CodeSamples& more);
};

struct CodeEvent {
  enum class Kind {
    sample,   ///< `pid` executed the instruction at `address`
    mapped,   ///< `pid` has mapped `bytes` from `offset` on of a file at `address`
    forked,   ///< `pid` begins as a copy of `parent`
    replaced  ///< `pid` executes another program: all its memory is new
  };
  Kind kind = Kind::sample;
  pid_t pid = 0, parent = 0;
  std::uint64_t address = 0, bytes = 0, offset = 0;
  std::string file;        ///< of `mapped`
  std::uint64_t time = 0;  ///< nanoseconds
};

struct CodePlace {
  std::string file;
  std::uint64_t offset = 0;  ///< in the file
};

class MappedCode {
 public:
  /// Follows the mappings. The event must not be a sample.
  void take(const CodeEvent& event);
  /// The place of an instruction; nothing if it lies in no file.
  std::optional<CodePlace> place_of(pid_t pid, std::uint64_t address) const;

 private:
  struct Mapping {
    std::uint64_t end = 0, offset = 0;
    std::string file;
  };
  std::map<pid_t, std::map<std::uint64_t, Mapping>> mappings_;  // by address
};

struct CodeRecords {
  std::vector<CodeEvent> events;
  std::uint64_t lost = 0;  ///< samples that the kernel dropped
};

/// Parses consecutive records. Skips records of other kinds, and a truncated one at the end.
void parse_code_records(std::span<const std::byte> bytes, CodeRecords& into);

}  // namespace gable::points
