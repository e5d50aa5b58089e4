#pragma once

// Shared by the tests of the Valgrind counter: programs with known work, and access to their
// counts.

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/error.hpp"
#include "model/records/add_profile.hpp"
#include "points/counters/valgrind.hpp"
#include "points/profile/record.hpp"

namespace gable::points::tests {

using Op = Flops::Operation;
using Precision = Flops::Precision;

/// A built program of tests/points/programs.
inline std::string program(const std::string& name) {
  return std::string(GABLE_PROGRAMS) + "/" + name;
}

inline Counts count(std::vector<std::string> command, bool functions = false) {
  return count_with_valgrind({std::move(command), functions});
}

/// The work of a function without the return address that its `ret` loads in each of its `calls`.
inline Work body_of(const Counts& counts, const std::string& function, std::uint64_t calls = 1) {
  Work found{{}, 0, 0};
  for (const FunctionCounts& each : counts.functions) {
    if (each.function == function) found += each.work;
  }
  EXPECT_GE(*found.load_bytes, 8 * calls) << function << " was not called";
  *found.load_bytes -= 8 * calls;
  return found;
}

inline std::string in_words(const Work& work) {
  std::string text =
      "loads " + std::to_string(*work.load_bytes) + " stores " + std::to_string(*work.store_bytes);
  for (const Flops& sort : work.flops) {
    text += " " + std::string(name(sort.operation)) + "/" + std::string(name(sort.precision)) + "/" +
            std::to_string(sort.vector_bits) + " " + std::to_string(sort.count);
  }
  return text;
}

// Runs it, checks the status and returns the error message.
inline std::string refusal(const std::vector<std::string>& command, int status) {
  try {
    count(command);
  } catch (const Error& error) {
    EXPECT_EQ(error.status, status) << error.what();
    return error.what();
  }
  ADD_FAILURE() << "it was counted";
  return {};
}

inline bool says(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

inline model::Profile profile_of(const std::vector<std::string>& command) {
  const ProfileRun run = record_profile({command, true}, false);
  EXPECT_EQ(run.status, 0);
  EXPECT_EQ(run.note, "");
  return run.profile;
}

// What a function did, its loops included.
inline model::FunctionWork work_of(const model::Profile& profile, const std::string& function) {
  model::FunctionWork sum{function, ""};
  for (const model::FunctionWork& part : profile.functions) {
    if (part.function == function) add_work(sum, part);
  }
  EXPECT_GT(sum.instructions.executed, 0) << function << " is not in the profile";
  return sum;
}

// The profile of one of the functions of programs/profiled.c.
inline model::Profile profile_of(const std::string& name, int n, int times) {
  return profile_of({program("profiled"), name, std::to_string(n), std::to_string(times)});
}

}  // namespace gable::points::tests

namespace gable::points {

inline void PrintTo(const Work& work, std::ostream* out) {
  *out << tests::in_words(work);
}

}  // namespace gable::points

/// Without the tool there is nothing to test.
#define SKIP_WITHOUT_VALGRIND() \
  if (const std::string why = gable::points::valgrind_unavailable(); !why.empty()) GTEST_SKIP() << why
