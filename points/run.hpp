#pragma once

// Runs a program and reports how it ended.

#include <functional>
#include <string>
#include <vector>

#include "base/programs/program.hpp"

namespace gable::points {

/// The file that a shell would run. Throws Error::program: status 127 if there is none, 126 if it is not
/// executable.
std::string find_program(const std::string& name);

/// Why the program gets more rights than its caller: "is setuid or setgid", "has file capabilities"; else
/// empty. The kernel does not let tools and counters observe such a program.
std::string privileges_of(const std::string& file);

/// Runs `command` (its first word is searched as by a shell) and waits for its end. It inherits descriptors
/// and directory; `environment` ("NAME=value") is added to the inherited environment or replaces parts of it.
/// Meanwhile signals reach the program instead of the caller (RunningProgram). Throws Error::program if the
/// program cannot be started.
Ending run(const std::vector<std::string>& command, const std::vector<std::string>& environment);

/// The same, but the program waits for go(). `follow` calls it, waits for the program, and returns how it
/// ended.
Ending run(const std::vector<std::string>& command, const std::vector<std::string>& environment,
           const std::function<Ending(RunningProgram&)>& follow);

/// Throws Error::program unless the program ended with status 0.
void require_success(const std::string& program, const Ending& ending);

}  // namespace gable::points
