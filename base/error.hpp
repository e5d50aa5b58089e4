#pragma once

// What fails, as one type: the message is made where something fails, and main alone turns it into an exit
// status. Failed system calls are std::system_error, missing memory is std::bad_alloc.

#include <cerrno>
#include <stdexcept>
#include <string>
#include <system_error>

namespace gable {

/// what() is "where: what", or "what" without a place; it names the remedy.
class Error : public std::runtime_error {
 public:
  enum class Kind {
    usage,        ///< a wrong call, or input that cannot be used
    format,       ///< a file with invalid content; `where` is its path, and the line after a colon
    unavailable,  ///< this machine or its system does not offer it; what needs it is skipped with this reason
    program,      ///< a program that Gable ran; nothing more is said of it without a message
    interrupted,  ///< by a signal; what() tells what is kept
    failed,       ///< anything else
  };

  static Error usage(const std::string& what) { return usage({}, what); }
  static Error usage(const std::string& where, const std::string& what) {
    return {Kind::usage, where, what, 2};
  }
  static Error format(const std::string& where, const std::string& what) {
    return {Kind::format, where, what, 2};
  }
  template <typename Line>
  static Error format(const std::string& path, Line line, const std::string& what) {
    return format(path + ":" + std::to_string(line), what);
  }
  static Error unavailable(const std::string& what) { return {Kind::unavailable, {}, what, 1}; }
  static Error program(const std::string& what, int status) { return {Kind::program, {}, what, status}; }
  static Error interrupted(const std::string& what) { return {Kind::interrupted, {}, what, 1}; }
  static Error failed(const std::string& what) { return {Kind::failed, {}, what, 1}; }

  /// The message without the place.
  std::string text() const { return what() + (where.empty() ? 0 : where.size() + 2); }

  const Kind kind;
  const std::string where;
  const int status;  ///< that the command ends with

 private:
  Error(Kind kind, const std::string& where, const std::string& what, int status)
      : std::runtime_error(where.empty() ? what : where + ": " + what),
        kind(kind),
        where(where),
        status(status) {}
};

/// Throws std::system_error with `error`, by default errno.
[[noreturn]] inline void fail(const std::string& what, int error = errno) {
  throw std::system_error(error, std::generic_category(), what);
}

}  // namespace gable
