#pragma once

// Runs a program and says how it ended.

#include <string>
#include <vector>

namespace gable::points {

/// The file that a shell would run. Throws ProgramError: status 127 where there is none, 126 where it cannot
/// be executed.
std::string find_program(const std::string& name);

/// What gives the program more rights than its caller has: "is setuid or setgid", "has file capabilities"; or
/// empty. The kernel keeps tools and counters away from such a program.
std::string privileges_of(const std::string& file);

struct Ending {
  int pid = 0;
  int status = 0;      ///< as a shell says it: exit status, or 128 + signal
  int signal = 0;      ///< that killed it; 0: none
  double seconds = 0;  ///< wall clock, from before its start to after its end
};

/// Runs `command` (its first word is found as by a shell) and waits for its end. It inherits descriptors and
/// directory; `environment` ("NAME=value") stands beside or instead of what is inherited. Ctrl-C reaches the
/// program and not the caller meanwhile; SIGTERM and SIGHUP to the caller are passed on to the program.
/// Throws ProgramError where it cannot be started.
Ending run(const std::vector<std::string>& command, const std::vector<std::string>& environment);

/// "ended with exit status 3", "was killed by signal 11 (Segmentation fault)"
std::string in_words(const Ending& ending);

/// Throws ProgramError unless the program ended with 0.
void require_success(const std::string& program, const Ending& ending);

}  // namespace gable::points
