#include "tests/kernels/checked_call.hpp"

#include <csetjmp>
#include <csignal>
#include <cstdint>
#include <cstring>

#include "tests/kernels/reference.hpp"
#include "tests/kernels/watched.hpp"

namespace gable::tests {
namespace {

using kernels::Arguments;
using kernels::Kernel;
using kernels::Kind;

sigjmp_buf after_fault;

void on_fault(int) {
  siglongjmp(after_fault, 1);
}

// Calls the kernel; its faults are one only if it touched forbidden memory.
Faults call(const Kernel& kernel, Arguments& arguments) {
  struct sigaction action = {}, before = {};
  action.sa_handler = on_fault;
  sigaction(SIGSEGV, &action, &before);
  Faults found = {"it touches memory outside its streams"};
  if (sigsetjmp(after_fault, 1) == 0) found = watched_call(kernel, arguments);
  sigaction(SIGSEGV, &before, nullptr);
  return found;
}

void fill(const Streams& streams, std::uint64_t seed) {
  std::uint64_t state = seed;
  const auto next = [&] {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return static_cast<double>(1 + (state >> 59));
  };
  for (int s : {0, 1}) {
    for (std::size_t i = 0; i < streams.doubles[s]; ++i) streams.load[s][i] = next();
  }
  for (std::size_t i = 0; i < streams.doubles[2]; ++i) streams.store[i] = streams.expected[i] = -next();
}

bool same(const void* a, const void* b, std::size_t bytes) {
  return bytes == 0 || std::memcmp(a, b, bytes) == 0;
}

void compare(const Kernel& kernel, const Arguments& got, const Arguments& want, Faults& found) {
  const bool has_result =
      kernel.kind != Kind::chase && kernel.kind != Kind::clock && kernel.kind != Kind::adds;
  if (has_result && !same(got.result, want.result, kernel.vector_bytes)) {
    found.push_back("the result differs from the reference");
  }
  if (got.position != want.position) found.push_back("the position differs from the reference");
  if (got.cursor != want.cursor) found.push_back("the cursor differs from the reference");
  if (got.iterations != want.iterations || got.iterations_per_pass != want.iterations_per_pass ||
      got.scalar != want.scalar || !same(got.load, want.load, sizeof got.load) ||
      !same(&got.order, &want.order, sizeof got.order)) {
    found.push_back("an input of Arguments was changed");
  }
}

}  // namespace

Faults check_call(const Kernel& kernel, const Streams& streams, const Arguments& arguments) {
  fill(streams, arguments.iterations * 31 + arguments.position * 7 + arguments.iterations_per_pass);
  Arguments got = arguments, want = arguments;
  for (int s : {0, 1}) got.load[s] = want.load[s] = streams.load[s];
  got.store = streams.store;
  want.store = streams.expected;
  Faults found = call(kernel, got);
  reference(kernel, want);
  compare(kernel, got, want, found);
  if (!same(streams.store, streams.expected, streams.doubles[2] * sizeof(double))) {
    found.push_back("what it wrote differs from the reference");
  }
  for (std::string& fault : found) {
    fault += " (" + std::to_string(arguments.iterations) + " iterations from " +
             std::to_string(arguments.position) + " of a pass of " +
             std::to_string(arguments.iterations_per_pass) + ")";
  }
  return found;
}

}  // namespace gable::tests
