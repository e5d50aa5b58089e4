#include "tests/kernels/check.hpp"

#include <algorithm>
#include <csetjmp>
#include <csignal>
#include <cstring>

#include "tests/kernels/memory.hpp"
#include "tests/kernels/reference.hpp"
#include "tests/kernels/watched.hpp"

extern "C" const gable::kernels::Kernel __start_gable_sabotage[];
extern "C" const gable::kernels::Kernel __stop_gable_sabotage[];

namespace gable::tests {
namespace {

using kernels::Arguments;
using kernels::Kernel;
using kernels::Kind;

using Faults = std::vector<std::string>;

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

// Three streams of one pass each; `expected` is the output of the reference.
struct Streams {
  double* load[2];
  double* store;
  double* expected;
  std::size_t doubles[3];
};

constexpr std::uint64_t longest_pass = 5;
constexpr std::size_t stream_room = 40 << 10;  // SVE of 2048 bits loads 8 KiB per iteration
constexpr std::size_t block_room = 32 << 10;

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
  if (kernel.kind != Kind::chase && kernel.additions == 0 &&
      !same(got.result, want.result, kernel.vector_bytes)) {
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

// Compares one call with the reference. `arguments` has iterations, pass, position and scalar.
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

Faults check_stream(const Kernel& kernel) {
  static const GuardedMemory memory[] = {GuardedMemory(stream_room), GuardedMemory(stream_room),
                                         GuardedMemory(stream_room), GuardedMemory(stream_room)};
  for (std::uint64_t pass = 1; pass <= longest_pass; pass += pass == 3 ? 2 : 1) {
    for (bool at_end : {true, false}) {
      double* base[4];
      Streams streams = {};
      for (int s = 0; s < 4; ++s) {
        const std::size_t bytes = pass * kernel.stream_bytes[s == 3 ? 2 : s];
        if (bytes > stream_room) return {"a stream is longer than this test has room for"};
        if (s < 3) streams.doubles[s] = bytes / sizeof(double);
        base[s] = at_end ? memory[s].flush_with_end(bytes) : memory[s].flush_with_start();
      }
      streams.load[0] = base[0];
      streams.load[1] = base[1];
      streams.store = base[2];
      streams.expected = base[3];
      for (std::uint64_t position = 0; position < pass; ++position) {
        for (std::uint64_t iterations : {std::uint64_t{1}, pass - position, pass, pass + 1, 2 * pass + 3}) {
          Arguments arguments;
          arguments.iterations = iterations;
          arguments.iterations_per_pass = pass;
          arguments.position = position;
          arguments.scalar = 3;
          if (Faults found = check_call(kernel, streams, arguments); !found.empty()) return found;
        }
      }
    }
  }
  return {};
}

// The result equals the reference between guard pages, in sequential and scattered order. After a pass that
// stamps each block with its number, every byte belongs to one block and no block is missing.
Faults check_blocks(const Kernel& kernel) {
  static const GuardedMemory memory[] = {GuardedMemory(block_room), GuardedMemory(block_room)};
  for (std::uint64_t blocks = 1; blocks * kernel.store_bytes <= block_room; blocks *= 2) {
    const std::size_t bytes = blocks * kernel.store_bytes;
    for (const kernels::Order& order : {kernels::Order{}, kernels::scattered_order(blocks)}) {
      Streams streams = {};
      streams.doubles[2] = bytes / sizeof(double);
      const bool at_end = order.shift != 63;
      streams.store = at_end ? memory[0].flush_with_end(bytes) : memory[0].flush_with_start();
      streams.expected = at_end ? memory[1].flush_with_end(bytes) : memory[1].flush_with_start();
      Arguments arguments;
      arguments.scalar = 3;
      arguments.order = order;
      arguments.iterations_per_pass = blocks;
      for (arguments.position = 0; arguments.position < std::min<std::uint64_t>(blocks, 3);
           ++arguments.position) {
        for (const std::uint64_t iterations : {std::uint64_t{1}, blocks, blocks + 1, 2 * blocks + 3}) {
          arguments.iterations = iterations;
          if (Faults found = check_call(kernel, streams, arguments); !found.empty()) return found;
        }
      }
      arguments.iterations = 1;
      arguments.store = streams.store;
      for (arguments.position = 0; arguments.position < blocks; arguments.scalar += 1) {
        const std::uint64_t before = arguments.position;
        kernel.code(&arguments);
        if (arguments.position != (before + 1) % blocks) return {"the position does not go on by one"};
        if (arguments.position == 0) break;
      }
      std::vector<bool> seen(blocks);
      for (std::uint64_t b = 0; b < blocks; ++b) {
        const double* block = streams.store + b * kernel.store_bytes / sizeof(double);
        const auto stamp = static_cast<std::uint64_t>(*block) - 3;
        for (std::size_t i = 0; i < kernel.store_bytes / sizeof(double); ++i) {
          if (block[i] != *block) return {"a block is not written whole"};
        }
        if (stamp >= blocks || seen[stamp]) return {"a pass does not write every block once"};
        seen[stamp] = true;
      }
    }
  }
  return {};
}

Faults check_peak(const Kernel& kernel) {
  const bool roots = std::string_view(kernel.op).starts_with("sqrt");
  for (double scalar : {1.0, roots ? 0.25 : -1.0, roots ? 4.0 : 2.0}) {
    for (std::uint64_t iterations : {1, 2, 7}) {
      Arguments arguments;
      arguments.iterations = iterations;
      arguments.scalar = scalar;
      arguments.position = 5;
      if (Faults found = check_call(kernel, {}, arguments); !found.empty()) return found;
    }
  }
  return {};
}

// Chains of different lengths, one line a step.
Faults check_chase(const Kernel& kernel) {
  struct alignas(64) Line {
    void* next;
  };
  static Line lines[19];
  for (std::size_t length = 3; length <= std::size(lines); length += 2) {
    for (std::size_t i = 0; i < length; ++i) lines[i].next = &lines[(i + 2) % length];
    for (std::uint64_t iterations : {1, 2, 5}) {
      Arguments arguments;
      arguments.cursor = &lines[1];
      arguments.iterations = iterations;
      if (Faults found = check_call(kernel, {}, arguments); !found.empty()) return found;
    }
  }
  return {};
}

// Between guard pages, over few and many lines, from any state of the generator.
Faults check_random(const Kernel& kernel) {
  static const GuardedMemory memory(block_room);
  for (const std::size_t lines : {1, 2, 3, 7, 64, 509}) {
    for (const bool at_end : {true, false}) {
      Streams streams = {};
      streams.doubles[0] = lines * kernel.stream_bytes[0] / sizeof(double);
      streams.load[0] =
          at_end ? memory.flush_with_end(lines * kernel.stream_bytes[0]) : memory.flush_with_start();
      for (const std::uint64_t iterations : {1, 2, 2000}) {
        for (const std::uint64_t state : {std::uint64_t{0}, std::uint64_t{1}, ~std::uint64_t{0}}) {
          Arguments arguments;
          arguments.iterations = iterations;
          arguments.iterations_per_pass = lines;
          arguments.position = lines - 1;
          arguments.cursor = reinterpret_cast<void*>(state);
          if (Faults found = check_call(kernel, streams, arguments); !found.empty()) return found;
        }
      }
    }
  }
  return {};
}

}  // namespace

std::vector<std::string> faults(const Kernel& kernel) {
  if (kernel.kind == Kind::stream) return check_stream(kernel);
  if (kernel.kind == Kind::blocks) return check_blocks(kernel);
  if (kernel.kind == Kind::flops) return check_peak(kernel);
  if (kernel.kind == Kind::random) return check_random(kernel);
  return check_chase(kernel);
}

std::vector<std::string> entry_faults(const Kernel& kernel) {
  Faults found;
  const std::uint32_t* stream = kernel.stream_bytes;
  unsigned loads = 0, stores = 0;
  if (std::string(kernel.name) != std::string(kernel.op) + "_" + kernel.isa)
    found.push_back("the name is not op_isa");
  if (kernel.code_end <= reinterpret_cast<const void*>(kernel.code)) found.push_back("the code has no end");
  if (kernel.kind == Kind::stream) {
    if (kernel.load_bytes != stream[0] + stream[1])
      found.push_back("what it loads is not how far it advances");
    if (kernel.store_bytes != stream[2]) found.push_back("what it stores is not how far it advances");
    for (int s = 0; s < 3; ++s) {
      if (stream[s] % 64 != 0) found.push_back("a stream does not advance by whole lines");
    }
  }
  if (kernel.kind == Kind::random &&
      (stream[0] != 64 || stream[1] + stream[2] != 0 || kernel.load_bytes != 8 || kernel.store_bytes != 0))
    found.push_back("a random load does not load one number of one line an iteration");
  if (kernel.kind == Kind::blocks) {
    if (std::sscanf(kernel.op, "block%u", &stores) != 1 || kernel.store_bytes != stores)
      found.push_back("a block is not as long as its name says");
    if (kernel.store_bytes != stream[2] || kernel.load_bytes != 0 || stream[0] + stream[1] != 0)
      found.push_back("a kernel of blocks does more than to store one an iteration");
  }
  if (std::sscanf(kernel.op, "mix%u_%u", &loads, &stores) == 2 &&
      kernel.load_bytes * stores != kernel.store_bytes * loads) {
    found.push_back("the mix is not what its name says");
  }
  if (std::sscanf(kernel.op, "load_fma%u", &loads) == 1 &&
      kernel.flops != kernel.load_bytes / 8 * 2 * loads) {
    found.push_back("the flops a load are not what its name says");
  }
  return found;
}

std::vector<Broken> broken_kernels() {
  std::vector<Broken> all = {{"nothing", ""},
                             {"overreads", "outside its streams"},
                             {"underreads", "outside its streams"},
                             {"overwrites", "what it wrote"},
                             {"forgets_position", "position differs"},
                             {"whole", ""},
                             {"stays", "what it wrote"},
                             {"skips_line", "not as long as its name"},
                             {"claims_load", "how far it advances"}};
  for (const Broken& broken : broken_calls()) all.push_back(broken);
  return all;
}

std::span<const Kernel> sabotaged() {
  return {__start_gable_sabotage, __stop_gable_sabotage};
}

}  // namespace gable::tests
