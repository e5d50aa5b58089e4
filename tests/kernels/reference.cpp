#include "tests/kernels/reference.hpp"

#include <cmath>
#include <cstring>
#include <stdexcept>
#include <utility>

namespace gable::tests {
namespace {

using namespace kernels;

// The part of each stream that one iteration touches, in doubles.
struct Slice {
  const double* left;
  const double* right;
  double* target;
  std::size_t lefts, targets;
  double q;
};

// The operation without the kind of store: "triad_nt" is a triad, "store_clwb" a store.
std::string_view plain(std::string_view op) {
  for (std::string_view way : {"_nt", "_clwb", "_clflushopt", "_cvap", "_zva"}) {
    if (op.ends_with(way)) return op.substr(0, op.size() - way.size());
  }
  return op;
}

void fill(const Slice& s) {
  for (std::size_t i = 0; i < s.targets; ++i) s.target[i] = s.q;
}

void read(const Slice&) {}

void copy(const Slice& s) {
  for (std::size_t i = 0; i < s.targets; ++i) s.target[i] = s.left[i];
}

void scale(const Slice& s) {
  for (std::size_t i = 0; i < s.targets; ++i) s.target[i] = s.q * s.left[i];
}

void add(const Slice& s) {
  for (std::size_t i = 0; i < s.targets; ++i) s.target[i] = s.left[i] + s.right[i];
}

void triad(const Slice& s) {
  for (std::size_t i = 0; i < s.targets; ++i) s.target[i] = s.left[i] + s.q * s.right[i];
}

// An operation whose result is the last vector of one stream.
struct Flow {
  std::string_view op;
  void (*iterate)(const Slice&);
  bool result_is_stored;
};

// Fills the blocks in the requested order.
void run_blocks(const Kernel& kernel, Arguments& arguments) {
  const std::size_t block = kernel.store_bytes / sizeof(double);
  for (std::uint64_t done = 0; done < arguments.iterations; ++done) {
    const std::uint64_t at = arguments.order.place(arguments.position, arguments.iterations_per_pass);
    double* first = static_cast<double*>(arguments.store) + at * block;
    for (std::size_t i = 0; i < block; ++i) first[i] = arguments.scalar;
    arguments.position = (arguments.position + 1) % arguments.iterations_per_pass;
  }
  for (std::size_t i = 0; i < kernel.vector_bytes / sizeof(double); ++i)
    arguments.result[i] = arguments.scalar;
}

// Reads the blocks in the requested order.
void run_reads(const Kernel& kernel, Arguments& arguments) {
  for (std::uint64_t done = 0; done < arguments.iterations; ++done) {
    const std::uint64_t at = arguments.order.place(arguments.position, arguments.iterations_per_pass);
    const char* end = static_cast<const char*>(arguments.load[0]) + (at + 1) * kernel.load_bytes;
    std::memcpy(arguments.result, end - kernel.vector_bytes, kernel.vector_bytes);
    arguments.position = (arguments.position + 1) % arguments.iterations_per_pass;
  }
}

constexpr Flow flows[] = {{"load", read, false},        {"load_short", read, false},
                          {"load_halves", read, false}, {"store", fill, true},
                          {"copy", copy, true},         {"scale", scale, true},
                          {"add", add, true},           {"triad", triad, true},
                          {"triad_split", triad, true}, {"copy_movsb", copy, true}};

const Flow* flow_of(std::string_view op) {
  static constexpr Flow mix = {"mix", fill, false};
  if (op.starts_with("mix")) return &mix;
  for (const Flow& flow : flows) {
    if (op == flow.op) return &flow;
  }
  return nullptr;
}

// Calls `visit` with the slice of every iteration, and sets the position as the kernel must.
template <typename Visit>
void walk(const Kernel& kernel, Arguments& arguments, Visit visit) {
  for (std::uint64_t done = 0; done < arguments.iterations; ++done) {
    const std::uint64_t at = arguments.position;
    const auto at_stream = [&](const void* base, int stream) {
      return static_cast<const char*>(base) + at * kernel.stream_bytes[stream];
    };
    visit(Slice{reinterpret_cast<const double*>(at_stream(arguments.load[0], 0)),
                reinterpret_cast<const double*>(at_stream(arguments.load[1], 1)),
                reinterpret_cast<double*>(const_cast<char*>(at_stream(arguments.store, 2))),
                kernel.stream_bytes[0] / sizeof(double), kernel.stream_bytes[2] / sizeof(double),
                arguments.scalar});
    arguments.position = (at + 1) % arguments.iterations_per_pass;
  }
}

void run_flow(const Kernel& kernel, const Flow& flow, Arguments& arguments) {
  const std::size_t lanes = kernel.vector_bytes / sizeof(double);
  walk(kernel, arguments, [&](const Slice& slice) {
    flow.iterate(slice);
    const double* last = flow.result_is_stored ? slice.target + slice.targets : slice.left + slice.lefts;
    std::memcpy(arguments.result, last - lanes, lanes * sizeof(double));
  });
}

// Sums `term(slice, i)` over all elements i, each into the lane that it is loaded into.
template <typename Term>
void run_reduction(const Kernel& kernel, Arguments& arguments, Term term) {
  const std::size_t lanes = kernel.vector_bytes / sizeof(double);
  double sums[most_vector_bytes / sizeof(double)] = {};
  walk(kernel, arguments, [&](const Slice& slice) {
    for (std::size_t i = 0; i < slice.lefts; ++i) sums[i % lanes] += term(slice, i);
  });
  std::memcpy(arguments.result, sums, lanes * sizeof(double));
}

// Peaks: every lane of every accumulator performs the same steps; of scalar ones only the first lane.
void run_peak(const Kernel& kernel, std::string_view op, Arguments& arguments) {
  const bool single = op.ends_with("sp");
  const bool scalar = op.find("_scalar") != op.npos;
  const std::uint32_t lanes = scalar ? 1 : kernel.vector_bytes / (single ? 4 : 8);
  const double q = arguments.scalar;
  const double flops_a_lane = double(kernel.flops) / lanes * double(arguments.iterations);
  double value = 0;
  if (op.starts_with("fma")) value = flops_a_lane / 2 * q * q;
  if (op.starts_with("add")) value = flops_a_lane * q;
  if (op.starts_with("mul"))
    value = kernel.accumulators * std::pow(q, 1 + flops_a_lane / kernel.accumulators);
  if (op.starts_with("div")) {
    const bool odd = std::fmod(flops_a_lane / kernel.accumulators, 2) == 1;
    value = kernel.accumulators * (odd ? q / (q * q * q) : q * q * q);
  }
  if (op.starts_with("sqrt")) value = kernel.accumulators * std::sqrt(q);
  for (std::uint32_t lane = 0; lane < lanes; ++lane) {
    if (single) {
      const float narrow = static_cast<float>(value);
      std::memcpy(reinterpret_cast<char*>(arguments.result) + lane * sizeof narrow, &narrow, sizeof narrow);
    } else {
      arguments.result[lane] = value;
    }
  }
}

void run_chase(const Kernel& kernel, Arguments& arguments) {
  const std::uint64_t steps = arguments.iterations * (kernel.load_bytes / sizeof(void*));
  for (std::uint64_t i = 0; i < steps; ++i) arguments.cursor = *static_cast<void**>(arguments.cursor);
}

// The line is the upper half of the state, as a fraction, times the lines.
void run_random(const Kernel& kernel, Arguments& arguments) {
  std::uintptr_t state = reinterpret_cast<std::uintptr_t>(arguments.cursor) | 1;
  std::uint64_t sum = 0;
  for (std::uint64_t done = 0; done < arguments.iterations; ++done) {
    state *= random_multiplier;
    const double fraction = std::ldexp(static_cast<double>(state >> 32), -32);
    const auto line =
        static_cast<std::uint64_t>(fraction * static_cast<double>(arguments.iterations_per_pass));
    if (kernel.store_bytes > 0) {
      std::memcpy(reinterpret_cast<char*>(arguments.store) + line * 64, &state, sizeof state);
      for (std::uint32_t i = 1; i < kernel.additions; ++i)
        std::memcpy(arguments.result + i, &state, sizeof state);
      continue;
    }
    std::uint64_t loaded = 0;
    std::memcpy(&loaded, static_cast<const char*>(arguments.load[0]) + line * 64, sizeof loaded);
    sum += loaded;
  }
  arguments.cursor = reinterpret_cast<void*>(state);
  std::memcpy(arguments.result, &sum, sizeof sum);
}

void run_branches(const Kernel& kernel, Arguments& arguments) {
  std::uintptr_t state = reinterpret_cast<std::uintptr_t>(arguments.cursor) | 1;
  const bool is_random = std::string_view(kernel.op) == "branch_random";
  std::uint64_t not_taken = 0;
  for (std::uint64_t done = 0; done < arguments.iterations * kernel.additions; ++done) {
    state *= random_multiplier;
    if (is_random && (state & branch_mask) != 0) ++not_taken;
  }
  arguments.cursor = reinterpret_cast<void*>(state);
  std::memcpy(arguments.result, &not_taken, sizeof not_taken);
}

// The number after one operation of the chain; of convert two.
template <typename Number>
Number next_in_chain(std::string_view op, Number x, Number q) {
  if (op.ends_with("_add")) return x + q;
  if (op.ends_with("_mul")) return x * q;
  if (op.ends_with("_fma")) return std::fma(q, q, x);
  if (op.find("_div_") != op.npos) return q / x;
  if (op.find("_sqrt_") != op.npos) return std::sqrt(x * q);
  return static_cast<Number>(static_cast<std::int64_t>(x));
}

template <typename Number>
void run_chain_of(const Kernel& kernel, Arguments& arguments) {
  const auto q = static_cast<Number>(arguments.scalar);
  Number x = q * q * q;
  for (std::uint64_t done = 0; done < arguments.iterations * kernel.additions; ++done)
    x = next_in_chain(kernel.op, x, q);
  std::memcpy(arguments.result, &x, sizeof x);
}

// The sum of the numbers of chain_integer_div_* and chain_divider_*, after so many divisions of all.
std::uintptr_t sum_of_quotients(std::string_view op, std::uintptr_t cursor, std::uint64_t divisions) {
  const bool is_long = op.ends_with("_64");
  const std::uint64_t dividend = (std::uint64_t{1} << (is_long ? 61 : 31)) - 1;
  const std::uint64_t least = is_long ? 0x100000 : 0x400;
  const std::uint64_t numbers = op.starts_with("chain_divider_") ? 4 : 1;
  std::uintptr_t sum = 0;
  for (std::uint64_t number = 0; number < numbers; ++number) {
    std::uint64_t x = cursor % least + least + number;
    for (std::uint64_t done = 0; done < divisions / numbers; ++done) x = dividend / x;
    sum += x;
  }
  return sum;
}

void run_chain(const Kernel& kernel, Arguments& arguments) {
  const std::string_view op = kernel.op;
  auto integer = reinterpret_cast<std::uintptr_t>(arguments.cursor) | 1;
  if (op == "chain_integer_mul") {
    for (std::uint64_t done = 0; done < arguments.iterations * kernel.additions; ++done)
      integer *= random_multiplier;
  } else if (op == "chain_forward") {
    std::memcpy(arguments.result, &integer, sizeof integer);
  } else if (op.starts_with("chain_integer_div_") || op.starts_with("chain_divider_")) {
    integer = sum_of_quotients(op, reinterpret_cast<std::uintptr_t>(arguments.cursor),
                               arguments.iterations * kernel.additions);
  } else if (op == "chain_atomic") {
    std::uintptr_t sum = 0;
    std::memcpy(&sum, arguments.result, sizeof sum);
    for (std::uint64_t done = 0; done < arguments.iterations * kernel.additions; ++done)
      integer = std::exchange(sum, sum + integer);
    std::memcpy(arguments.result, &sum, sizeof sum);
  } else {
    op.ends_with("_sp") ? run_chain_of<float>(kernel, arguments) : run_chain_of<double>(kernel, arguments);
    return;
  }
  arguments.cursor = reinterpret_cast<void*>(integer);
}

void run_additions(const Kernel& kernel, Arguments& arguments) {
  const auto count =
      reinterpret_cast<std::uintptr_t>(arguments.cursor) + arguments.iterations * kernel.additions;
  arguments.cursor = reinterpret_cast<void*>(count);
}

}  // namespace

void reference(const Kernel& kernel, Arguments& arguments) {
  const std::string_view op = plain(kernel.op);
  constexpr std::string_view load_fma = "load_fma";
  if (kernel.kind == Kind::chase) {
    run_chase(kernel, arguments);
  } else if (kernel.kind == Kind::random) {
    run_random(kernel, arguments);
  } else if (kernel.kind == Kind::branch) {
    run_branches(kernel, arguments);
  } else if (kernel.kind == Kind::chain) {
    run_chain(kernel, arguments);
  } else if (kernel.kind == Kind::clock || kernel.kind == Kind::adds) {
    run_additions(kernel, arguments);
  } else if (kernel.kind == Kind::blocks) {
    run_blocks(kernel, arguments);
  } else if (kernel.kind == Kind::reads) {
    run_reads(kernel, arguments);
  } else if (kernel.kind == Kind::flops) {
    run_peak(kernel, op, arguments);
  } else if (op == "ddot") {
    run_reduction(kernel, arguments, [](const Slice& s, std::size_t i) { return s.left[i] * s.right[i]; });
  } else if (op.starts_with(load_fma)) {
    const double fmas = std::atof(op.data() + load_fma.size());
    run_reduction(kernel, arguments, [=](const Slice& s, std::size_t i) { return fmas * s.q * s.left[i]; });
  } else if (const Flow* flow = flow_of(op)) {
    const double scalar = arguments.scalar;
    if (std::string_view(kernel.op) == "store_zva") arguments.scalar = 0;
    run_flow(kernel, *flow, arguments);
    arguments.scalar = scalar;
  } else {
    throw std::invalid_argument("no reference for the operation " + std::string(kernel.op));
  }
}

}  // namespace gable::tests
