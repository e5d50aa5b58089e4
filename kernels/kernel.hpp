#pragma once

// The kernels: hand-written assembly, one file per ISA, and the table that the assembler writes along with
// the code. A kernel is found by its name, `op_isa`. If an ISA cannot express an operation, that kernel does
// not exist.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/order.hpp"

namespace gable::kernels {

/// The only argument of every kernel. The assembly reads it by offset (kernels/table.inc).
///
/// A kernel walks up to three streams. It runs `iterations` loop iterations; iteration i of a pass touches
/// `stream_bytes[s]` bytes of stream s at `i * stream_bytes[s]`, and after `iterations_per_pass` of them all
/// streams start again at their base. A call may start and stop anywhere in a pass. Kernels of other kinds
/// than stream and blocks know no pass: they read `iterations` and leave `position` alone.
struct Arguments {
  const void* load[2] = {};               ///< streams that are read; 64-byte aligned
  void* store = nullptr;                  ///< stream that is written; 64-byte aligned
  std::uint64_t iterations = 0;           ///< loop iterations of this call, at least 1
  std::uint64_t iterations_per_pass = 0;  ///< at least 1
  std::uint64_t position = 0;  ///< in: iteration of the pass to start at, below a pass; out: where it stopped
  double scalar = 0;           ///< q of scale, triad and load_fmaN; what stores write; operand of the flops
                               ///< kernels, which stay finite for ever with 1.0
  void* cursor[16] = {};       ///< in, out: the head of each pointer chase; clock: [0] grows by its additions
  /// Out: one vector (of floats in *_sp), the last loaded or stored; of ddot, load_fmaN and the flops kernels
  /// the accumulators' sum, lane by lane.
  alignas(64) double result[8] = {};
  Order order;  ///< blocks: iteration i of a pass writes block `order.place(i, iterations_per_pass)`
};

/// CPU features that a kernel may require: the core has the feature (CPUID), and the system saves its
/// registers (XCR0).
enum Feature : std::uint32_t {
  sse2 = 1u << 0,
  avx2 = 1u << 1,
  fma = 1u << 2,
  avx512f = 1u << 3,
  clflushopt = 1u << 4,
  clwb = 1u << 5,
};

enum class Kind : std::uint32_t {
  stream = 0,  ///< moves bytes; may compute as well
  flops = 1,   ///< computes only in registers
  chase = 2,   ///< dependent loads: `chains` independent chains of pointers, each to the next; an iteration
               ///< takes load_bytes / vector_bytes / chains steps along every chain
  clock = 3,   ///< dependent one-cycle additions: `cycles` per iteration, to measure the clock with
  blocks = 4,  ///< an iteration writes one block of `store_bytes`; iterations_per_pass is a power of two
};

/// One table entry, written by the assembler along with the code. All counts are per loop iteration; the
/// macros that emit the instructions add them up.
struct Kernel {
  const char* name;  ///< "load_avx512"
  const char* op;    ///< "load"
  const char* isa;   ///< "x86" (general registers), "sse2", "avx2", "avx512"
  void (*code)(Arguments*);
  const void* code_end;
  std::uint32_t features;  ///< required Feature bits
  Kind kind;
  std::uint32_t vector_bytes;  ///< width of one access
  std::uint32_t load_bytes;
  std::uint32_t store_bytes;
  std::uint32_t flops;            ///< an FMA counts 2
  std::uint32_t stream_bytes[3];  ///< advance of load[0], load[1] and store: whole 64-byte lines
  std::uint32_t chains;           ///< chase: independent chains; flops: independent accumulators; else 0
  std::uint32_t cycles;           ///< clock: dependent additions; else 0
};

/// Every assembled kernel, whether or not this CPU can run it.
std::span<const Kernel> all();

/// Features of this CPU according to CPUID and XCR0.
std::uint32_t cpu_features();

/// Whether `features` (by default this CPU's) are sufficient for the kernel.
bool runs(const Kernel& kernel, std::uint32_t features = cpu_features());

/// The vector ISAs this CPU can run, weakest first: a subset of {"sse2", "avx2", "avx512"}.
std::vector<std::string> isas(std::uint32_t features = cpu_features());

/// The kernel of that operation and ISA ("x86" kernels count for every ISA); nullptr if there is none.
const Kernel* find(std::string_view op, std::string_view isa);

/// The kernel of that name; nullptr if there is none.
const Kernel* named(std::string_view name);

/// The kernel of that operation in the widest ISA that this CPU can run; nullptr if there is none.
const Kernel* best(std::string_view op);

}  // namespace gable::kernels
