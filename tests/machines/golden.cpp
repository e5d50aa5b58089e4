// Topologies and the expected output of `gable machine --json`. To add one: put FILE.xml into topologies/ and
// run
//   GABLE_REGENERATE=1 build/test_machines --gtest_filter='*Golden*'
// then read topologies/FILE.json before committing it.

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "machines/json.hpp"
#include "machines/machine.hpp"

namespace {

namespace fs = std::filesystem;
using namespace gable::machines;

const fs::path source = GABLE_SOURCE_DIR;

std::string read(const fs::path& path) {
  std::ifstream in(path);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::vector<fs::path> topologies_in(const fs::path& folder) {
  std::vector<fs::path> found;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error)) {
    if (entry.path().extension() == ".xml") found.push_back(entry.path());
  }
  return found;
}

void compare(const fs::path& topology, const fs::path& expected) {
  const std::string json = machine_json(from_xml(topology), nullptr, {});
  if (std::getenv("GABLE_REGENERATE")) std::ofstream(expected) << json;
  EXPECT_EQ(read(expected), json) << topology << "; GABLE_REGENERATE=1 writes it anew";
}

TEST(Golden, OwnTopologies) {
  const auto found = topologies_in(source / "tests/machines/topologies");
  ASSERT_GE(found.size(), 10u);
  for (const fs::path& topology : found) compare(topology, fs::path(topology).replace_extension(".json"));
}

TEST(Golden, SharedTopologies) {
  const auto found = topologies_in(source / "../shared/topologies");
  if (found.empty()) GTEST_SKIP() << "../shared/topologies is not here";
  for (const fs::path& topology : found) {
    const fs::path expected = source / "tests/machines/topologies/shared" / topology.filename();
    fs::create_directories(expected.parent_path());
    compare(topology, fs::path(expected).replace_extension(".json"));
  }
}

}  // namespace
