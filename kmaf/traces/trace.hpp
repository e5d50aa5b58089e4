#pragma once

// Traces of memory accesses: the accesses of a program, in order. They are read and written block by block,
// never as a whole. docs/formats/traces.md describes the formats: CSV for exchange, binary for speed.

#include <cstdint>
#include <cstdio>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace gable::kmaf {

/// What else a thread does. Barriers wait and wake all; condition variables wait for a signal, which does not
/// hold up the thread that gives it.
enum class Event : std::uint8_t {
  access,
  work,      ///< `address` instructions without an access
  wait,      ///< for a wake of `address`: a barrier or a lock
  wait_for,  ///< likewise: a condition, or the end of a thread
  wake_one,
  wake_all,
  end,     ///< of the thread
  lock,    ///< it asks for the lock `address`; a wait that follows is for it
  unlock,  ///< it gives the lock back
};

/// Instructions that an access stands for, itself included, where the trace does not tell.
inline constexpr std::uint32_t usual_instructions = 3;

struct Access {
  std::uint64_t address = 0;
  std::uint32_t tid = 0;
  std::uint32_t bytes = 0;  ///< 1 to 1 MiB; address + bytes does not overflow; 0: not an access
  bool write = false;
  std::uint32_t instructions = usual_instructions;  ///< of the thread since its previous access; below 1024
  Event event = Event::access;

  bool operator==(const Access&) const = default;
};

struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, CloseFile>;

class TraceReader {
 public:
  /// Opens a trace; its first bytes determine whether it is binary. Throws Error::format if the file does not
  /// exist. Events other than accesses are left out unless `with_events` is set.
  explicit TraceReader(const std::string& path, bool with_events = false);

  /// The next accesses, valid until the next call; empty at the end. Throws Error::format.
  std::span<const Access> next();

 private:
  void read_binary();
  void read_csv();
  void parse_record(const char* record);
  void parse_line(const char* begin, const char* end);
  [[noreturn]] void refuse(const std::string& what) const;

  void take(const Access& access) {
    if (with_events_ || access.event == Event::access) block_.push_back(access);
  }

  std::string path_;
  File file_;
  bool with_events_;
  int binary_ = 0;  // the version of the binary form; 0: CSV
  std::vector<char> buffer_;
  std::size_t kept_ = 0;  // bytes at the start of the buffer that belong to an unfinished line of text
  std::uint64_t line_ = 0;
  std::vector<Access> block_;
};

enum class TraceFormat { csv, binary };
/// Chosen by the file name: ".trace" is binary, everything else CSV.
TraceFormat trace_format(const std::string& path);

class TraceWriter {
 public:
  /// Replaces `path`. Throws std::system_error.
  TraceWriter(const std::string& path, TraceFormat format);
  /// Writes to a file that is already open.
  TraceWriter(File file, std::string name, TraceFormat format);

  void write(const Access& access);
  /// Writes buffered data and releases the file. Throws std::system_error if the disk is full. A writer that
  /// is destroyed without this call leaves an incomplete file.
  File finish();

 private:
  void flush();

  std::string path_;
  File file_;
  TraceFormat format_;
  std::vector<char> buffer_;
};

}  // namespace gable::kmaf
