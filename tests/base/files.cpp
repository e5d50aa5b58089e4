// Files on full disks and half-written files.

#include <gtest/gtest.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <system_error>

#include "base/error.hpp"
#include "base/files.hpp"

namespace gable {
namespace {

namespace fs = std::filesystem;

class Files : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::path(testing::TempDir()) / ("gable_files_" + std::to_string(getpid()));
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::size_t entries() const {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder_), fs::directory_iterator()));
  }

  fs::path folder_;
};

// A file system of 64 KiB, for the lifetime of the object.
class TinyDisk {
 public:
  explicit TinyDisk(const fs::path& at)
      : at_(at), mounted_(mount("none", at.c_str(), "tmpfs", 0, "size=64k") == 0) {}
  ~TinyDisk() {
    if (mounted_) umount2(at_.c_str(), MNT_DETACH);
  }
  TinyDisk(const TinyDisk&) = delete;
  TinyDisk& operator=(const TinyDisk&) = delete;
  bool mounted() const { return mounted_; }

 private:
  fs::path at_;
  bool mounted_;
};

TEST_F(Files, WriteWholeReplacesAndLeavesNothingBeside) {
  const fs::path path = folder_ / "a";
  write_whole(path, "old");
  chmod(path.c_str(), 0600);
  write_whole(path, "new\n");
  EXPECT_EQ(read_whole(path), "new\n");
  EXPECT_EQ(entries(), 1u);
  struct stat status = {};
  ASSERT_EQ(stat(path.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0600u) << "the mode is kept";
}

// A reader that opened the old file still reads the old content: the file was replaced, not overwritten.
TEST_F(Files, WriteWholeIsARename) {
  const fs::path path = folder_ / "a";
  write_whole(path, "old");
  std::ifstream reader(path);
  write_whole(path, "new, and longer");
  std::string text;
  std::getline(reader, text);
  EXPECT_EQ(text, "old");
}

TEST_F(Files, WriteWholeFollowsALink) {
  write_whole(folder_ / "a", "old");
  fs::create_symlink("a", folder_ / "link");
  write_whole(folder_ / "link", "new");
  EXPECT_TRUE(fs::is_symlink(folder_ / "link"));
  EXPECT_EQ(read_whole(folder_ / "a"), "new");
}

TEST_F(Files, ADeviceIsWrittenAndNotReplaced) {
  write_whole("/dev/null", "text");
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
  EXPECT_THROW(write_whole("/dev/full", "text"), std::system_error);
  EXPECT_THROW(append_line("/dev/full", "text"), std::system_error);
}

TEST_F(Files, ErrorsNameTheFile) {
  const fs::path absent = folder_ / "absent" / "file";
  for (const auto& attempt :
       std::vector<std::function<void()>>{[&] { read_whole(absent); }, [&] { write_whole(absent, ""); },
                                          [&] { append_line(absent, ""); }, [&] { read_whole(folder_); }}) {
    try {
      attempt();
      ADD_FAILURE() << "no error";
    } catch (const std::system_error& error) {
      EXPECT_NE(std::string(error.what()).find(folder_), std::string::npos) << error.what();
    }
  }
}

TEST_F(Files, NothingIsAppendedToALineThatIsCutOff) {
  const fs::path path = folder_ / "a";
  write_whole(path, "one\ntw");
  try {
    append_line(path, "three");
    ADD_FAILURE() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(std::string(error.what()).rfind(path.string() + ":2: ", 0), 0u) << error.what();
  }
  EXPECT_EQ(read_whole(path), "one\ntw");
}

TEST_F(Files, AnAppendThatWasKilledIsFinished) {
  const fs::path path = folder_ / "a", copy = folder_ / "a.next";
  const std::string before = "one\n", line = "two, a longer line\n";
  for (std::size_t written = 0; written <= line.size(); ++written) {
    write_whole(path, before + line.substr(0, written));
    write_whole(copy, line);
    finish_append(path);
    EXPECT_EQ(read_whole(path), written == 0 ? before : before + line) << written;
    EXPECT_FALSE(fs::exists(copy));
  }
}

TEST_F(Files, ATornLineWithoutItsCopyIsSetAside) {
  const fs::path path = folder_ / "a", copy = folder_ / "a.next", aside = folder_ / "a.torn";
  EXPECT_EQ(finish_append(path), "") << "no file";
  write_whole(path, "one\n");
  EXPECT_EQ(finish_append(path), "") << "nothing torn";
  std::string torn;
  for (const char* other : {"none", "two\n", "x without an end", ""}) {
    write_whole(path, "one\nx");
    if (std::string(other) != "none") write_whole(copy, other);
    const std::string said = finish_append(path);
    EXPECT_TRUE(said.starts_with(path.string() + ": ") && said.ends_with(aside.string())) << said;
    EXPECT_EQ(read_whole(path), "one\n") << other;
    EXPECT_EQ(read_whole(aside), torn += "x\n") << other;
    EXPECT_FALSE(fs::exists(copy)) << other;
  }
  append_line(path, "two");
  EXPECT_EQ(read_whole(path), "one\ntwo\n");
}

TEST_F(Files, AFullDiskLeavesWhatWasThere) {
  const TinyDisk disk(folder_);
  if (!disk.mounted()) GTEST_SKIP() << "no permission to mount a tiny file system";
  const fs::path lines = folder_ / "lines", whole = folder_ / "whole";
  write_whole(whole, "old");
  std::string expected;
  const std::string line(5000, 'x');
  try {
    for (int i = 0; i < 100; ++i) {
      append_line(lines, line);
      expected += line + "\n";
    }
    FAIL() << "the disk never filled";
  } catch (const std::system_error& error) {
    EXPECT_EQ(error.code(), std::errc::no_space_on_device);
  }
  EXPECT_FALSE(expected.empty());
  EXPECT_EQ(read_whole(lines), expected);
  EXPECT_THROW(write_whole(whole, std::string(100000, 'y')), std::system_error);
  EXPECT_EQ(read_whole(whole), "old");
  EXPECT_EQ(entries(), 2u) << "no temporary file stays behind";
}

}  // namespace
}  // namespace gable
