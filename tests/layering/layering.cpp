// Holds docs/design.md's table of who may include whom against every #include of the tree.

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <vector>

namespace {

namespace fs = std::filesystem;

// A folder may include itself and these; an entry that ends in .hpp allows that one header.
const std::map<std::string, std::set<std::string>> allowed = {
    {"base", {}},
    {"kernels", {"base"}},
    {"machines", {"base"}},
    {"model", {"base"}},
    {"bench", {"base", "kernels", "machines", "model/records/records.hpp"}},
    {"points", {"base", "machines", "model/records/records.hpp"}},
    {"kmaf", {"base", "machines", "model/records/records.hpp"}},
    {"cli", {"base", "kernels", "machines", "model", "bench", "points", "kmaf"}},
};

// System headers that only one folder may include.
const std::map<std::string, std::string> sole_user = {{"hwloc.h", "machines"}, {"CLI/CLI.hpp", "cli"}};

// System headers that bring a clock or the hardware, which model must not know.
const std::set<std::string> not_in_model = {"chrono",     "ctime",   "time.h", "thread",
                                            "sys/time.h", "sched.h", "numa.h", "numaif.h"};

struct Include {
  std::string folder, file, header;
  int line;
};

std::vector<Include> includes_of_tree(const fs::path& root) {
  static const std::regex pattern(R"(^\s*#\s*include\s*[<"]([^>"]+)[>"])");
  std::vector<Include> found;
  for (const auto& [folder, unused] : allowed) {
    if (!fs::exists(root / folder)) continue;
    for (const auto& entry : fs::recursive_directory_iterator(root / folder)) {
      const std::set<std::string> kinds = {".cpp", ".hpp", ".h", ".c", ".S", ".inc"};
      if (!kinds.contains(entry.path().extension())) continue;
      std::ifstream in(entry.path());
      std::string text;
      for (int line = 1; std::getline(in, text); ++line) {
        std::smatch match;
        if (std::regex_search(text, match, pattern)) {
          found.push_back({folder, fs::relative(entry.path(), root), match[1], line});
        }
      }
    }
  }
  return found;
}

// Why this include is not allowed; empty when it is.
std::string offence(const Include& include) {
  if (include.header.starts_with(".")) return "headers are named from the root of the tree";
  const std::string target = include.header.substr(0, include.header.find('/'));
  if (auto sole = sole_user.find(include.header); sole != sole_user.end() && sole->second != include.folder) {
    return "only " + sole->second + " may include " + include.header;
  }
  if (include.folder == "model" && not_in_model.contains(include.header))
    return "model knows no clock and no hardware";
  if (!allowed.contains(target) || target == include.folder) return {};
  const auto& may = allowed.at(include.folder);
  if (may.contains(target) || may.contains(include.header)) return {};
  return include.folder + " may not include " + include.header;
}

TEST(Layering, EveryIncludeIsAllowed) {
  const auto found = includes_of_tree(GABLE_SOURCE_DIR);
  ASSERT_GT(found.size(), 50u) << "the tree was not read";
  for (const Include& include : found) {
    const std::string why = offence(include);
    EXPECT_TRUE(why.empty()) << include.file << ":" << include.line << ": " << why;
  }
}

TEST(Layering, NoticesAnOffence) {
  EXPECT_FALSE(offence({"model", "model/x.cpp", "bench/plan/plan.hpp", 1}).empty());
  EXPECT_FALSE(offence({"bench", "bench/x.cpp", "model/roofs/roofs.hpp", 1}).empty());
  EXPECT_FALSE(offence({"bench", "bench/x.cpp", "hwloc.h", 1}).empty());
  EXPECT_FALSE(offence({"model", "model/x.cpp", "chrono", 1}).empty());
  EXPECT_FALSE(offence({"machines", "machines/x.cpp", "cli/commands.hpp", 1}).empty());
  EXPECT_FALSE(offence({"bench", "bench/x.cpp", "../model/roofs.hpp", 1}).empty());
  EXPECT_TRUE(offence({"bench", "bench/x.cpp", "model/records/records.hpp", 1}).empty());
}

}  // namespace
