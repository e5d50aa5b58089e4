#pragma once

// The kernels: hand-written assembly, one file per ISA in a folder per architecture, and the table that the
// assembler writes along with the code. A kernel is found by its name, `op_isa`. If an ISA cannot express an
// operation, that kernel does not exist.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/order.hpp"

namespace gable::kernels {

/// The longest vector of any architecture.
inline constexpr std::size_t most_vector_bytes = 256;

/// This architecture has an ISA of kernels that need no vectors, and its rule whether non-temporal stores
/// always go past the caches.
extern const std::string_view general_isa;
extern const bool nt_stores_bypass_caches;

/// The only argument of every kernel. The assembly reads it by offset (kernels/table.inc).
///
/// A kernel walks up to three streams. It runs `iterations` loop iterations; iteration i of a pass touches
/// `stream_bytes[s]` bytes of stream s at `i * stream_bytes[s]`, and after `iterations_per_pass` of them all
/// streams start again at their base. A call may start and stop anywhere in a pass. Kernels of other kinds
/// than stream, blocks and reads know no pass: they read `iterations` and leave `position` alone.
struct Arguments {
  const void* load[2] = {};               ///< streams that are read; 64-byte aligned
  void* store = nullptr;                  ///< stream that is written; 64-byte aligned, of store_zva 512-byte
  std::uint64_t iterations = 0;           ///< loop iterations of this call, at least 1
  std::uint64_t iterations_per_pass = 0;  ///< at least 1
  std::uint64_t position = 0;  ///< in: iteration of the pass to start at, below a pass; out: where it stopped
  double scalar = 0;           ///< q of scale, triad and load_fmaN; what stores write; operand of the flops
                               ///< kernels, which stay finite for ever with usual_operand()
  void* cursor = nullptr;      ///< in, out: the head of the pointer chase; clock, adds: it grows by the
                               ///< additions; random, branch: the state of the generator, made odd;
                               ///< chain_integer_mul, chain_forward, chain_atomic: the integer, made odd;
                               ///< chain_integer_div, chain_divider: the integer, some bits of it, or the sum
  /// Out: one vector (of floats in *_sp), the last loaded or stored; of ddot, load_fmaN and the flops kernels
  /// the accumulators' sum, lane by lane; of random the sum of the 64-bit integers that it loaded; of
  /// branch the number of branches that were not taken, an integer; of chain the last number, of
  /// chain_forward and chain_atomic an integer (of the latter in and out).
  alignas(64) double result[most_vector_bytes / sizeof(double)] = {};
  Order order;  ///< blocks, reads: iteration i of a pass accesses block `order.place(i, iterations_per_pass)`
};

/// CPU features that a kernel may require: the core has the feature (CPUID, HWCAP), and the system saves its
/// registers (XCR0). Names of two architectures do not overlap, so that any machine can be described
/// anywhere.
enum Feature : std::uint32_t {
  sse2 = 1u << 0,
  avx2 = 1u << 1,
  fma = 1u << 2,
  avx512f = 1u << 3,
  clflushopt = 1u << 4,
  clwb = 1u << 5,
  neon = 1u << 6,
  sve = 1u << 7,
  cvap = 1u << 8,  ///< DC CVAP (FEAT_DPB), on lines of 64 bytes
  zva = 1u << 9,   ///< DC ZVA, on blocks of 16 to 512 bytes
};
inline constexpr std::uint32_t every_feature = ~0u;

enum class Kind : std::uint32_t {
  stream = 0,  ///< moves bytes; may compute as well
  flops = 1,   ///< computes only in registers
  chase = 2,   ///< dependent loads of pointers, each to the next: load_bytes / vector_bytes an iteration
  clock = 3,   ///< dependent one-cycle additions, to measure the clock with
  blocks = 4,  ///< an iteration writes one block of `store_bytes`; iterations_per_pass is a power of two
  adds = 5,    ///< independent additions: fewer per cycle if another hardware thread uses the core
  random = 6,  ///< an iteration loads from one of the `iterations_per_pass` lines of load[0], below 2^32, or
               ///< stores to one of `store` and to result[1] to result[15]
  branch = 7,  ///< conditional branches on numbers of the generator in cursor, which becomes odd
  reads = 8,   ///< an iteration reads one block of `load_bytes` of load[0]; iterations_per_pass likewise
  chain = 9,   ///< dependent operations on the cube of `scalar`, or on the cursor, which becomes odd
};

/// Kernels of kind random: x = x * random_multiplier modulo 2^64 of odd x, which takes a quarter of all
/// values before it repeats (Knuth, TAOCP 3.2.1.2, theorem C). The upper 32 bits of x, as a fraction, choose
/// the line.
inline constexpr std::uint64_t random_multiplier = 6364136223846793005u;

/// Kernels of kind branch take a branch where this bit of x is 0, in branch_steady always.
inline constexpr std::uint64_t branch_mask = 1ull << 63;

/// What the assembler counted in; all() has counted in bytes since.
enum class Unit : std::uint32_t {
  bytes = 0,
  sve_vectors = 1,  ///< vectors of 16 bytes, which the CPU makes longer
  zva_blocks = 2,   ///< blocks of 16 bytes, which the CPU makes longer
};

/// One table entry, written by the assembler along with the code. All counts are per loop iteration; the
/// macros that emit the instructions add them up.
struct Kernel {
  const char* name;  ///< "load_avx512"
  const char* op;    ///< "load"
  const char* isa;   ///< general_isa, "sse2", "avx2", "avx512", "neon", "sve"
  void (*code)(Arguments*);
  const void* code_end;
  std::uint32_t features;  ///< required Feature bits
  Kind kind;
  std::uint32_t
      vector_bytes;  ///< width of one access; of NEON, a pair of registers; of store_zva, of the result
  std::uint32_t load_bytes;
  std::uint32_t store_bytes;
  std::uint32_t flops;  ///< an FMA counts 2
  std::uint32_t
      stream_bytes[3];         ///< advance of load[0], load[1] and store: whole 64-byte lines; random: a line
  std::uint32_t accumulators;  ///< flops: independent ones; else 0
  std::uint32_t additions;     ///< clock: dependent ones; adds: in six chains; branch: branches; chain:
                               ///< operations, of square roots without the multiplications between;
                               ///< random_apart: instructions; store_apart: stores; else 0
  Unit unit;
};

/// The scalar of kernels that are timed: 1. Divisions and square roots, which some cores shorten for such
/// numbers, have one whose results use all digits.
double usual_operand(const Kernel& kernel);

/// Every assembled kernel of this architecture, whether or not this CPU can run it.
std::span<const Kernel> all();

/// The entry on a CPU whose SVE vectors and DC ZVA blocks have these sizes; 0 counts as 16.
Kernel in_bytes(Kernel kernel, std::uint32_t sve_bytes, std::uint32_t zva_bytes);

/// Features of this CPU according to CPUID and XCR0, or to HWCAP and the registers beside it.
std::uint32_t cpu_features();

/// Whether `features` (by default this CPU's) are sufficient for the kernel.
bool runs(const Kernel& kernel, std::uint32_t features = cpu_features());

/// The vector ISAs of this architecture that a CPU with these features can run, weakest first: a subset of
/// {"sse2", "avx2", "avx512"} or {"neon", "sve"}.
std::vector<std::string> isas(std::uint32_t features = cpu_features());

/// The kernel of that operation and ISA (those of general_isa count for every ISA); nullptr if there is none.
const Kernel* find(std::string_view op, std::string_view isa);

/// Whether this architecture has the operation in any ISA.
bool exists(std::string_view op);

/// The kernel of that name; nullptr if there is none.
const Kernel* named(std::string_view name);

/// The kernel of that operation in the widest ISA that this CPU can run; nullptr if there is none.
const Kernel* best(std::string_view op);

}  // namespace gable::kernels
