#include "tests/kernels/check.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "tests/kernels/checked_call.hpp"
#include "tests/kernels/memory.hpp"

extern "C" const gable::kernels::Kernel __start_gable_sabotage[];
extern "C" const gable::kernels::Kernel __stop_gable_sabotage[];

namespace gable::tests {
namespace {

using kernels::Arguments;
using kernels::Kernel;
using kernels::Kind;

constexpr std::uint64_t longest_pass = 5;
constexpr std::size_t stream_room = 40 << 10;  // SVE of 2048 bits loads 8 KiB per iteration
constexpr std::size_t block_room = 32 << 10;

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

// Calls `check` for passes of 1, 2, 4, ... blocks in sequential and scattered order, with a block's bytes.
template <typename Check>
Faults for_passes(std::uint64_t block_bytes, Check check) {
  for (std::uint64_t blocks = 1; blocks * block_bytes <= block_room; blocks *= 2) {
    for (const kernels::Order& order : {kernels::Order{}, kernels::scattered_order(blocks)}) {
      Arguments arguments;
      arguments.scalar = 3;
      arguments.order = order;
      arguments.iterations_per_pass = blocks;
      if (Faults found = check(arguments); !found.empty()) return found;
    }
  }
  return {};
}

// Calls from the first positions of a pass, that end within it, at its end and later.
Faults check_calls(const Kernel& kernel, const Streams& streams, const Arguments& like) {
  Arguments arguments = like;
  const std::uint64_t blocks = arguments.iterations_per_pass;
  for (arguments.position = 0; arguments.position < std::min<std::uint64_t>(blocks, 3);
       ++arguments.position) {
    for (const std::uint64_t iterations : {std::uint64_t{1}, blocks, blocks + 1, 2 * blocks + 3}) {
      arguments.iterations = iterations;
      if (Faults found = check_call(kernel, streams, arguments); !found.empty()) return found;
    }
  }
  return {};
}

// Calls the kernel for each block of a pass, and `seen` after each.
template <typename Seen>
Faults for_blocks(const Kernel& kernel, Arguments& arguments, Seen seen) {
  arguments.iterations = 1;
  for (arguments.position = 0;;) {
    const std::uint64_t before = arguments.position;
    kernel.code(&arguments);
    if (arguments.position != (before + 1) % arguments.iterations_per_pass)
      return {"the position does not go on by one"};
    seen();
    if (arguments.position == 0) return {};
  }
}

bool is_scattered(const Arguments& arguments) {
  return arguments.order.shift != kernels::Order().shift;
}

// The result equals the reference between guard pages, in sequential and scattered order. After a pass that
// stamps each block with its number, every byte belongs to one block and no block is missing.
Faults check_blocks(const Kernel& kernel) {
  static const GuardedMemory memory[] = {GuardedMemory(block_room), GuardedMemory(block_room)};
  return for_passes(kernel.store_bytes, [&](Arguments& arguments) -> Faults {
    const std::uint64_t blocks = arguments.iterations_per_pass;
    const std::size_t bytes = blocks * kernel.store_bytes;
    Streams streams = {};
    streams.doubles[2] = bytes / sizeof(double);
    const bool at_end = is_scattered(arguments);
    streams.store = at_end ? memory[0].flush_with_end(bytes) : memory[0].flush_with_start();
    streams.expected = at_end ? memory[1].flush_with_end(bytes) : memory[1].flush_with_start();
    if (Faults found = check_calls(kernel, streams, arguments); !found.empty()) return found;
    arguments.store = streams.store;
    if (Faults found = for_blocks(kernel, arguments, [&] { arguments.scalar += 1; }); !found.empty())
      return found;
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
    return {};
  });
}

// The same of kernels that read blocks: in a pass, each block's own number is the result once.
Faults check_reads(const Kernel& kernel) {
  static const GuardedMemory memory(block_room);
  return for_passes(kernel.load_bytes, [&](Arguments& arguments) -> Faults {
    const std::uint64_t blocks = arguments.iterations_per_pass;
    const std::size_t bytes = blocks * kernel.load_bytes, numbers = kernel.load_bytes / sizeof(double);
    Streams streams = {};
    streams.doubles[0] = bytes / sizeof(double);
    streams.load[0] = is_scattered(arguments) ? memory.flush_with_end(bytes) : memory.flush_with_start();
    if (Faults found = check_calls(kernel, streams, arguments); !found.empty()) return found;
    for (std::size_t i = 0; i < streams.doubles[0]; ++i)
      streams.load[0][i] = static_cast<double>(i / numbers);
    arguments.load[0] = streams.load[0];
    std::vector<int> seen(blocks);
    const auto see = [&] { ++seen.at(static_cast<std::size_t>(arguments.result[0])); };
    if (Faults found = for_blocks(kernel, arguments, see); !found.empty()) return found;
    if (std::ranges::any_of(seen, [](int times) { return times != 1; }))
      return {"a pass does not read every block once"};
    return {};
  });
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
  static const GuardedMemory memory[] = {GuardedMemory(block_room), GuardedMemory(block_room)};
  for (const std::size_t lines : {1, 2, 3, 7, 64, 509}) {
    for (const bool at_end : {true, false}) {
      constexpr std::size_t line_bytes = 64;
      const auto place = [&](const GuardedMemory& in) {
        return at_end ? in.flush_with_end(lines * line_bytes) : in.flush_with_start();
      };
      Streams streams = {};
      const bool stores = kernel.store_bytes > 0;
      streams.doubles[stores ? 2 : 0] = lines * line_bytes / sizeof(double);
      (stores ? streams.store : streams.load[0]) = place(memory[0]);
      if (stores) streams.expected = place(memory[1]);
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

// Also with numbers that use all digits, from any integer.
Faults check_chain(const Kernel& kernel) {
  for (const double scalar : {1.0, 1.3, 2.0, 0.25}) {
    for (const std::uint64_t iterations : {1, 2, 7}) {
      for (const std::uint64_t state : {std::uint64_t{0}, std::uint64_t{1234}, ~std::uint64_t{0}}) {
        Arguments arguments;
        arguments.iterations = iterations;
        arguments.scalar = scalar;
        arguments.position = 5;
        arguments.cursor = reinterpret_cast<void*>(state);
        if (Faults found = check_call(kernel, {}, arguments); !found.empty()) return found;
      }
    }
  }
  return {};
}

}  // namespace

std::vector<std::string> faults(const Kernel& kernel) {
  if (kernel.kind == Kind::stream) return check_stream(kernel);
  if (kernel.kind == Kind::blocks) return check_blocks(kernel);
  if (kernel.kind == Kind::reads) return check_reads(kernel);
  if (kernel.kind == Kind::flops) return check_peak(kernel);
  if (kernel.kind == Kind::random) return check_random(kernel);
  if (kernel.kind == Kind::chain) return check_chain(kernel);
  return check_chase(kernel);
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
                             {"reads_whole", ""},
                             {"rereads", "result differs"},
                             {"claims_load", "how far it advances"}};
  for (const Broken& broken : broken_calls()) all.push_back(broken);
  return all;
}

std::span<const Kernel> sabotaged() {
  return {__start_gable_sabotage, __stop_gable_sabotage};
}

}  // namespace gable::tests
