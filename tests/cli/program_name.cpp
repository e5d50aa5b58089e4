// The default name of a point: the program's, behind launchers and interpreters.

#include "cli/point/run/run.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "base/files.hpp"
#include "base/temporary_folder.hpp"

namespace gable::cli {
namespace {

std::string named(const std::vector<std::string>& command) {
  return program_name(command);
}

TEST(ProgramName, IsThatOfTheFile) {
  EXPECT_EQ(named({"./a/app", "sh"}), "app");
  EXPECT_EQ(named({"/no/such/app"}), "app");
}

TEST(ProgramName, IsThatOfWhatALauncherStarts) {
  EXPECT_EQ(named({"env", "A=true", "nice", "-n", "5", "cat", "sh"}), "cat");
  EXPECT_EQ(named({"mpirun", "-n", "4", "--no-such-option", "/bin/cat"}), "cat");
  EXPECT_EQ(named({"/usr/bin/numactl", "--show"}), "numactl");
}

TEST(ProgramName, IsThatOfAScript) {
  const TemporaryFolder folder("name");
  const std::string script = folder.path / "solve.py";
  write_whole(script, "");
  EXPECT_EQ(named({"python3.11", "-u", script, "cat"}), "solve.py");
  EXPECT_EQ(named({"env", "A=b", "sh", script}), "solve.py");
  EXPECT_EQ(named({"sh", "-c", "true"}), "sh");
}

}  // namespace
}  // namespace gable::cli
