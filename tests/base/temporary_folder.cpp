#include "base/temporary_folder.hpp"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <set>

namespace {

namespace fs = std::filesystem;
using gable::TemporaryFolder;

class TemporaryFolders : public testing::Test {
 protected:
  TemporaryFolders() {
    std::string name = fs::temp_directory_path() / "temporary-folders-XXXXXX";
    parent_ = mkdtemp(name.data());
  }
  ~TemporaryFolders() override { fs::remove_all(parent_); }

  std::set<std::string> names() const {
    std::set<std::string> names;
    for (const auto& entry : fs::directory_iterator(parent_)) names.insert(entry.path().filename());
    return names;
  }

  // Starts and kills a process that creates a folder with a file; returns the folder's name.
  std::string leave(const std::string& prefix) const {
    const std::set<std::string> before = names();
    const pid_t child = fork();
    if (child == 0) {
      const TemporaryFolder folder(parent_, prefix);
      std::ofstream(folder.path / "part") << "half";
      kill(getpid(), SIGKILL);
    }
    waitpid(child, nullptr, 0);
    for (const std::string& name : names()) {
      if (!before.contains(name)) return name;
    }
    return {};
  }

  fs::path parent_;
};

TEST_F(TemporaryFolders, GoWithTheObject) {
  {
    const TemporaryFolder folder(parent_, "run-");
    std::ofstream(folder.path / "part") << "half";
    EXPECT_EQ(names().size(), 1u);
  }
  EXPECT_TRUE(names().empty());
}

TEST_F(TemporaryFolders, OfAKilledProcessGoesWithTheNextOne) {
  const std::string left = leave("run-");
  ASSERT_FALSE(left.empty());
  const TemporaryFolder next(parent_, "run-");
  EXPECT_EQ(names(), std::set<std::string>{next.path.filename()});
}

TEST_F(TemporaryFolders, OfTheLivingStay) {
  const TemporaryFolder one(parent_, "run-");
  const TemporaryFolder two(parent_, "run-");
  const pid_t child = fork();
  if (child == 0) {
    { const TemporaryFolder three(parent_, "run-"); }
    _exit(0);
  }
  waitpid(child, nullptr, 0);
  EXPECT_EQ(names(), (std::set<std::string>{one.path.filename(), two.path.filename()}));
}

TEST_F(TemporaryFolders, NothingElseIsTakenAway) {
  const std::string other_kind = leave("other-");
  const std::string left = leave("run-");
  fs::create_directory(parent_ / "run-abc123");           // no lock in it: not ours
  fs::copy(parent_ / left, parent_ / "run-longer-name");  // not a name that mkdtemp gives
  fs::create_directory_symlink(parent_ / other_kind, parent_ / "run-Link00");
  std::ofstream(parent_ / "run-File00") << "text";
  const TemporaryFolder next(parent_, "run-");
  EXPECT_EQ(names(), (std::set<std::string>{other_kind, "run-abc123", "run-longer-name", "run-Link00",
                                            "run-File00", next.path.filename()}));
  EXPECT_TRUE(fs::exists(parent_ / other_kind / "part"));
}

}  // namespace
