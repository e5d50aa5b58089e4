// Checks every #include of the tree against the table in docs/design.md, that only folders of an architecture
// ask for it, and the sizes of the folders.

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace {

namespace fs = std::filesystem;
using Names = std::vector<std::string>;

// A folder may include itself and these folders and headers. If two folders contain a file, the inner one
// counts.
const std::map<std::string, Names> allowed = {
    {"base", {}},
    {"model/domain", {"base"}},
    {"kernels", {"base"}},
    {"machines", {"base", "model/domain"}},
    {"model", {"base", "model/domain"}},
    {"bench", {"base", "kernels", "machines", "model/domain", "model/records"}},
    {"points", {"base", "machines", "model/domain", "model/records"}},
    {"kmaf", {"base", "machines", "model/domain", "model/records", "model/statistics"}},
    {"plots/charts", {"base", "model", "kmaf/traces/metrics.hpp", "kmaf/replay/result.hpp"}},
    {"mpi", {"model/domain", "model/records/note.hpp", "model/statistics", "bench/apps/cg.hpp"}},
    {"plots/gnuplot", {"base", "plots/charts"}},
    {"plots/html", {"base", "plots/charts"}},
    {"cli", {"base", "kernels", "machines", "model", "bench", "points", "kmaf", "plots"}},
};

// System headers that only one folder may include.
const std::map<std::string, std::string> sole_user = {
    {"hwloc.h", "machines"}, {"CLI", "cli"}, {"mpi.h", "mpi"}};

// System headers for clocks or hardware, which model must not use.
const std::set<std::string> not_in_model = {"chrono",     "ctime",   "time.h", "thread",
                                            "sys/time.h", "sched.h", "numa.h", "numaif.h"};

constexpr int most_sources_in_a_folder = 26;

struct Include {
  std::string file, header;
  int line;
};

// Whether the path is the folder or something in it.
bool within(std::string_view path, std::string_view folder) {
  return path.starts_with(folder) && (path.size() == folder.size() || path[folder.size()] == '/');
}

// The folder of the table that contains the file; empty if none does.
std::string folder_of(const std::string& file) {
  std::string found;
  for (const auto& [folder, unused] : allowed) {
    if (within(file, folder) && folder.size() > found.size()) found = folder;
  }
  return found;
}

// The folders at the root of the tree that are in the table.
std::set<std::string> roots() {
  std::set<std::string> found;
  for (const auto& [folder, unused] : allowed) found.insert(folder.substr(0, folder.find('/')));
  return found;
}

std::vector<fs::path> files_of_tree() {
  const fs::path tree = GABLE_SOURCE_DIR;
  std::vector<fs::path> found;
  for (const std::string& root : roots()) {
    if (!fs::exists(tree / root)) continue;
    for (const auto& entry : fs::recursive_directory_iterator(tree / root)) {
      if (entry.is_regular_file()) found.push_back(fs::relative(entry.path(), tree));
    }
  }
  return found;
}

// The header that a line includes; empty if none.
std::string included(std::string_view line) {
  const auto skip = [&line](std::string_view what) {
    line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
    if (!line.starts_with(what)) return false;
    line.remove_prefix(what.size());
    return true;
  };
  if (!skip("#") || !skip("include") || (!skip("<") && !skip("\""))) return {};
  return std::string(line.substr(0, line.find_first_of(">\"")));
}

// Calls visit(path, line, number of the line) for every line of every source.
template <typename Visit>
void for_lines_of_tree(const Visit& visit) {
  const std::set<std::string> kinds = {".cpp", ".hpp", ".h", ".c", ".S", ".inc"};
  for (const fs::path& path : files_of_tree()) {
    if (!kinds.contains(path.extension())) continue;
    std::ifstream in(GABLE_SOURCE_DIR / path);
    std::string text;
    for (int line = 1; std::getline(in, text); ++line) visit(path.string(), text, line);
  }
}

std::vector<Include> includes_of_tree() {
  std::vector<Include> found;
  for_lines_of_tree([&](const std::string& path, const std::string& text, int line) {
    const std::string header = included(text);
    if (!header.empty()) found.push_back({path, header, line});
  });
  return found;
}

// Whether the line makes what is compiled depend on the architecture.
bool asks_for_architecture(const std::string& line) {
  static const std::regex condition(
      R"(\s*#\s*(el)?if.*\b(__(x86|amd|i386|aarch|arm|ARM|AVX|SSE|riscv|powerpc)|VG[AP]_|_M_).*)");
  return std::regex_match(line, condition);
}

bool of_architecture(const fs::path& path) {
  const std::string folder = path.parent_path().filename();
  return folder == "x86" || folder == "aarch64";
}

// Sources compiled together with CLI11, which takes seconds to compile.
bool declares_options(const std::string& file) {
  return within(file, "cli/options") || fs::path(file).filename().string().starts_with("options");
}

// Why this include is not allowed; empty if it is.
std::string offence(const Include& include) {
  const std::string folder = folder_of(include.file), target = folder_of(include.header);
  const std::string root = include.header.substr(0, include.header.find('/'));
  if (folder.empty()) return "lies in no folder of the table";
  if (include.header.starts_with(".")) return "headers are named from the root of the tree";
  if (const auto sole = sole_user.find(root); sole != sole_user.end() && sole->second != folder) {
    return "only " + sole->second + " may include " + include.header;
  }
  if (root == "CLI" && !declares_options(include.file))
    return "only cli/options/ and cli/*/options.cpp may include " + include.header;
  if (within(folder, "model") && not_in_model.contains(include.header))
    return "model knows no clock and no hardware";
  if (!roots().contains(root) || target == folder) return {};
  const auto holds = [&](const std::string& may) { return within(include.header, may); };
  if (std::ranges::any_of(allowed.at(folder), holds)) return {};
  return folder + " may not include " + include.header;
}

TEST(Layering, EveryIncludeIsAllowed) {
  const auto found = includes_of_tree();
  ASSERT_GT(found.size(), 500u) << "the tree was not read";
  for (const Include& include : found) {
    const std::string why = offence(include);
    EXPECT_TRUE(why.empty()) << include.file << ":" << include.line << ": " << why;
  }
}

// What others compile is one header; it stops where it knows no instructions.
TEST(Layering, OnlyFoldersOfAnArchitectureAskForIt) {
  for_lines_of_tree([](const std::string& path, const std::string& text, int line) {
    if (of_architecture(path) || path == "points/include/gable-marker.h") return;
    EXPECT_FALSE(asks_for_architecture(text)) << path << ":" << line << ": make it a folder's file";
  });
  EXPECT_TRUE(asks_for_architecture("#if defined(__x86_64__)"));
  EXPECT_TRUE(asks_for_architecture("  # elif defined(VGA_arm64)"));
  EXPECT_TRUE(asks_for_architecture("#ifdef __AVX2__"));
  EXPECT_FALSE(asks_for_architecture("#ifdef GABLE_LIBPFM"));
}

// A third architecture must not lack a file of another one by mistake.
TEST(Layering, ArchitecturesDefineTheSame) {
  std::map<std::string, std::set<std::string>> folders;  // by the folder that has them
  for (const fs::path& path : files_of_tree()) {
    if (of_architecture(path))
      folders[path.parent_path().parent_path()].insert(path.parent_path().filename());
  }
  ASSERT_GT(folders.size(), 5u) << "the tree was not read";
  for (const auto& [folder, architectures] : folders)
    EXPECT_EQ(architectures, (std::set<std::string>{"x86", "aarch64"})) << folder;
}

TEST(Layering, NoFolderIsCrowded) {
  std::map<std::string, int> sources;
  for (const fs::path& path : files_of_tree()) {
    if (path.extension() == ".cpp" || path.extension() == ".hpp") ++sources[path.parent_path()];
  }
  ASSERT_GT(sources.size(), 10u) << "the tree was not read";
  for (const auto& [folder, count] : sources) {
    EXPECT_LE(count, most_sources_in_a_folder) << folder << ": cut it in two";
  }
}

TEST(Layering, NoticesAnOffence) {
  EXPECT_FALSE(offence({"model/x.cpp", "bench/plan/plan.hpp", 1}).empty());
  EXPECT_FALSE(offence({"bench/x.cpp", "model/roofs/roofs.hpp", 1}).empty());
  EXPECT_FALSE(offence({"bench/x.cpp", "hwloc.h", 1}).empty());
  EXPECT_FALSE(offence({"bench/x.cpp", "CLI/CLI.hpp", 1}).empty());
  EXPECT_FALSE(offence({"cli/fit/fit.cpp", "CLI/CLI.hpp", 1}).empty());
  EXPECT_FALSE(offence({"model/x.cpp", "chrono", 1}).empty());
  EXPECT_FALSE(offence({"machines/x.cpp", "cli/commands.hpp", 1}).empty());
  EXPECT_FALSE(offence({"base/x.hpp", "model/records/records.hpp", 1}).empty());
  EXPECT_FALSE(offence({"bench/x.cpp", "../model/roofs.hpp", 1}).empty());
  EXPECT_FALSE(offence({"plots/charts/x.cpp", "plots/gnuplot/gnuplot.hpp", 1}).empty());
  EXPECT_FALSE(offence({"plots/charts/x.cpp", "kmaf/replay/replay.hpp", 1}).empty());
  EXPECT_FALSE(offence({"plots/x.cpp", "string", 1}).empty());
}

TEST(Layering, AllowsWhatTheTableAllows) {
  EXPECT_EQ(offence({"bench/x.cpp", "model/records/records.hpp", 1}), "");
  EXPECT_EQ(offence({"plots/charts/x.cpp", "kmaf/traces/metrics.hpp", 1}), "");
  EXPECT_EQ(offence({"plots/gnuplot/x.cpp", "plots/charts/chart.hpp", 1}), "");
  EXPECT_EQ(offence({"cli/fit/options.cpp", "CLI/CLI.hpp", 1}), "");
  EXPECT_EQ(offence({"points/valgrind/x.c", "tally.h", 1}), "");
  EXPECT_EQ(included("  #  include <string>  // text"), "string");
  EXPECT_EQ(included("#include \"base/numbers.hpp\""), "base/numbers.hpp");
  EXPECT_EQ(included("// #include <string>"), "");
}

}  // namespace
