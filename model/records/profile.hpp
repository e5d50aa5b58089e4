#pragma once

// The memory profile of a program: what each function did to each object, independent of any machine. The
// Valgrind tool records it (points/valgrind/profile); model/profile computes from it what a machine's caches
// and memories transfer.

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "model/domain/object_kind.hpp"
#include "model/records/point.hpp"

namespace gable::model {

/// Numbers of cache lines (or of pages) by the bucket of a reuse distance: how many other lines were used
/// since the last use. Bucket 0 is distance 0; bucket b from 1 on begins at 2^((b-1)/4) lines, in steps of a
/// quarter of an octave.
using Distances = std::map<int, double>;

inline constexpr int never_used = 121;        ///< the bucket of first uses
inline constexpr int written_by_other = 122;  ///< of lines that another thread has written since
inline constexpr int distance_buckets = 123;
inline constexpr std::uint64_t profile_line_bytes = 64;

/// How an access finds its address: at a constant short distance from the instruction's last one, which
/// processors prefetch; at one that does not depend on loads, so that misses overlap; at the end of a chain
/// of loads.
enum class AccessOrder { sequential, independent, chained };
inline constexpr int access_orders = 3;

/// Uses of cache lines.
struct UseCounts {
  std::array<Distances, access_orders> read, written;  ///< by AccessOrder
  /// Differences: caches of at least this bucket's size write back so many lines more (or fewer) than smaller
  /// ones.
  Distances written_back;

  bool operator==(const UseCounts&) const = default;
};

/// The depth of a use is how many other lines of the same set were used since the last use. Buckets 0 to 15
/// are the depths 0 to 15 (uses of depth 0 are left out); bucket b from 16 on begins at a depth of 2^(b/4).
inline constexpr int exact_depths = 16;
inline constexpr int never_deep = 72;     ///< the bucket of first uses and of deeper ones
inline constexpr int depth_buckets = 74;  ///< the last: of lines that another thread has written since
/// With 64 sets, the lines of a page of 4 KiB, every depth is known. With more sets, depths below `deepest`
/// are known.
inline constexpr int sets_of_page = 64;
inline constexpr int deepest = 20;
inline constexpr std::array recorded_sets = {sets_of_page, 256, 512, 1024, 2048};

/// Counts by distance in lines and, in `sets`, by depth for each number of sets. A number of sets is absent
/// if it is not known or if no use counts.
struct LineUses : UseCounts {
  std::map<int, UseCounts> sets;
  /// Instructions near independent reads: for each read those of its thread since the one before, at most
  /// 512. Differences: the sum from a bucket on counts only reads of at least this distance. Empty: not
  /// known, or no such reads.
  Distances near;

  bool operator==(const LineUses&) const = default;
};

/// A function, or a source line of it.
struct ProfilePlace {
  std::string function;  ///< demangled; empty if the image has no symbol
  std::string image;     ///< path of the program or library; empty for generated code
  std::string file;      ///< of a source line; empty: the whole function
  int line = 0;
  std::uint64_t loop = 0;  ///< as FunctionWork::loop

  bool operator==(const ProfilePlace&) const = default;
};

/// A caller of an allocation, innermost first; inlined functions are callers too.
struct ProfileCaller {
  std::string function, image, file;
  int line = 0;              ///< 0: not known
  std::uint64_t offset = 0;  ///< of the code in its image

  bool operator==(const ProfileCaller&) const = default;
};

/// What accesses reach: all blocks that the same chain of callers allocates, a variable, the stacks, a file.
struct ProfileObject {
  ObjectKind kind = ObjectKind::other;
  std::string name;   ///< of a variable; of an allocation as its source line tells; may be empty
  std::string image;  ///< of a static variable; the file that is mapped
  std::vector<ProfileCaller> callers;
  int asker = -1;                ///< index of the caller that the object is named after; -1: none
  std::uint64_t blocks = 0;      ///< allocated
  std::uint64_t peak_bytes = 0;  ///< the most that lived at a time
  double born = 0, died = 1;     ///< parts of the run

  bool operator==(const ProfileObject&) const = default;
};

/// All executions of a place's instructions that reached an object.
struct ProfileAccesses {
  int place = 0, object = -1;  ///< indices; -1: not seen
  double loads = 0, stores = 0, load_bytes = 0, store_bytes = 0;

  bool operator==(const ProfileAccesses&) const = default;
};

/// How they used its lines, in a region.
struct ProfileUses {
  int place = 0, object = 0;  ///< indices
  std::string region;         ///< empty: none
  LineUses own;               ///< by each thread's distances
  LineUses all;               ///< by the distances of all threads' accesses together
  double streamed = 0;        ///< lines that it stored past the caches
  Distances pages,
      huge_pages;    ///< in pages of 4 KiB and 2 MiB that the thread used; numbers of changes of the page
  Distances chains;  ///< chained lines by the length of their chain, in powers of two
  /// Accesses to lines that another thread uses at the same time, where one of the two writes; and those of
  /// them for which the threads use different bytes of the line (false sharing). Estimated from parts of the
  /// run.
  double contested = 0, contested_apart = 0;
  /// Of the independent lines of `own`: at a constant distance, of more than 2 KiB, from the last access of
  /// the same instruction.
  double strided = 0;

  bool operator==(const ProfileUses&) const = default;
};

/// Followed pages of 4 KiB that lie side by side, within 2 MiB, and that the same threads used. Several are
/// one record only if one thread used them.
struct ProfilePages {
  struct User {
    int thread = 0;
    double reads = 0, writes = 0;

    bool operator==(const User&) const = default;
  };

  static constexpr int most_threads = 4096;

  std::uint64_t first = 0;  ///< the lowest address, in pages of 4 KiB
  int pages = 1;
  std::vector<User> users;

  bool operator==(const ProfilePages&) const = default;
};

struct Profile {
  std::vector<std::string> command;
  std::string architecture;  ///< "x86-64", "AArch64"
  std::string build;         ///< the program's build id, in hexadecimal; empty: it has none
  int processes = 1;
  int threads = 1;            ///< that ever ran
  double busiest_thread = 0;  ///< part of the instructions that one thread executed at most; 0: not known
  /// The part that comes one after the other, in one thread or in several that wait for each other; 0: not
  /// known.
  double span = 0;
  double lines_followed = 1, pages_followed = 1;  ///< parts of all lines and pages; 1: the profile is exact
  double sets_followed = 0;  ///< part of the sets whose lines' depths are known; 0: depths are not known
  /// The standard error of the number of misses of 64 sets of 8 ways, relative to 1, because only some sets
  /// are followed.
  double sets_error = 0;
  std::vector<FunctionWork> functions;  ///< exact work of each function
  std::vector<ProfilePlace> places;
  std::vector<ProfileObject> objects;
  std::vector<ProfileAccesses> accesses;
  std::vector<ProfileUses> uses;
  /// Which threads use which pages, those of stacks left out; empty: not known, as of several processes.
  std::vector<ProfilePages> pages;
  /// [i][j]: accesses by thread i to lines that thread j had accessed before, likewise; empty: not known.
  std::vector<std::vector<double>> shared;
  double shared_lines = 0;  ///< followed lines behind these accesses
  std::string started;      ///< UTC, ISO 8601
  int signal = 0;           ///< that killed the program, where the profile ends; 0: it ended by itself
  /// How often the threads of OpenMP meet, or would with several: twice for each parallel region, which
  /// begins and ends with a barrier. 0: never, or not known.
  double barriers = 0;
  /// Of a profile of one thread: the part of all instructions that are in no parallel region of OpenMP; 0:
  /// not known.
  double serial = 0;

  bool operator==(const Profile&) const = default;
};

/// "cg.c" of "/src/cg.c".
std::string without_folders(const std::string& path);

/// How a function is shown: its name, or "(no symbol)".
std::string function_name(const std::string& function);

/// How an object is shown: "p (cg.c:41)", "p (cg.c:41) of data.bin", a symbol, or "main (app+0x1234)".
std::string object_name(const ProfileObject& object);
/// "x" of "x (app.c:4)"; empty for an object that has only the place of its allocation.
std::string object_word(const ProfileObject& object);

/// Whether the line of the asker that these objects share has a variable for each of them.
using NamesEach = std::function<bool(const std::vector<ProfileObject*>&)>;

/// Sets `asker` of each object: the first caller that is no allocator. Where several objects have the same
/// one, because the program has an allocator of its own, the one before it, and so on.
void find_askers(std::vector<ProfileObject>& objects, const NamesEach& names_each);

}  // namespace gable::model
