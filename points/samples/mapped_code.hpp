#pragma once

// Where files are mapped for execution in the processes of a program, as the kernel reports it.

#include <sys/types.h>

#include <cstdint>
#include <map>
#include <optional>
#include <string>

namespace gable::points {

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

}  // namespace gable::points
