// A node's files as lines of text through a launcher.

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <random>

#include "base/files.hpp"
#include "base/programs/program.hpp"
#include "base/temporary_folder.hpp"
#include "cli/cluster/run/delivery.hpp"

namespace {

using namespace gable::cli;
using Files = std::map<std::string, std::string>;

TEST(ClusterDelivery, LinesOfSeveralNodesComeInAnyOrder) {
  std::mt19937 random(1);
  std::map<std::string, Files> sent, came;
  std::map<std::string, std::vector<std::string>> lines;
  for (const std::string node : {"n1", "rack2-node17"}) {
    const gable::TemporaryFolder folder("delivery");
    for (const std::size_t bytes : {0u, 1u, 2u, 3u, 700u, 100000u}) {
      std::string text;
      for (std::size_t i = 0; i < bytes; ++i) text += static_cast<char>(random() % 256);
      gable::write_whole(folder.path / std::to_string(bytes), text);
      sent[node][std::to_string(bytes)] = text;
    }
    const std::string stream = stream_of(node, folder.path);
    EXPECT_EQ(stream.size() % 512, 0u);
    for (std::size_t i = 0; i < stream.size(); i += 512) {
      EXPECT_EQ(stream.find('\n', i), i + 511);
      lines[node].push_back(stream.substr(i, 511));
    }
  }
  const auto deliver = [&](const std::string& node, const Files& files) { came[node] = files; };
  Gathered gathered;
  EXPECT_FALSE(gathered.take("mpirun: some words", deliver));
  std::map<std::string, std::size_t> at;
  while (at["n1"] < lines["n1"].size() || at["rack2-node17"] < lines["rack2-node17"].size()) {
    const std::string node = random() % 2 == 0 ? "n1" : "rack2-node17";
    if (at[node] < lines[node].size()) {
      EXPECT_TRUE(gathered.take("[1,0]<stdout>:" + lines[node][at[node]++], deliver));
    }
  }
  for (auto& [node, files] : sent) {
    files.erase("lock");
    for (const auto& [name, text] : files) EXPECT_EQ(came[node][name], text) << node << " " << name;
  }
}

// Launchers read up to 4096 bytes at a time, whenever they come to it.
TEST(ClusterDelivery, EachReadOfALauncherEndsWithALine) {
  const std::string stream = stream_of("n1", "node.json", std::string(60'000, 'x'));
  int errors[2];
  ASSERT_EQ(pipe(errors), 0);
  const pid_t node = fork();
  if (node == 0) {
    dup2(open("/dev/null", O_WRONLY), STDOUT_FILENO);  // like a terminal, no pipe
    dup2(errors[1], STDERR_FILENO);
    dprintf(STDERR_FILENO, "some words\n");
    send(stream);
    _exit(0);
  }
  close(errors[1]);
  std::string all;
  char buffer[4096];
  for (int i = 0;; ++i) {
    if (i % 3 == 0) usleep(2000);
    const ssize_t count = read(errors[0], buffer, sizeof buffer);
    if (count <= 0) break;
    EXPECT_EQ(buffer[count - 1], '\n');
    all.append(buffer, static_cast<std::size_t>(count));
  }
  close(errors[0]);
  int status = -1;
  EXPECT_EQ(waitpid(node, &status, 0), node);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(all, "some words\n" + stream);
}

TEST(ClusterDelivery, ADamagedOneHasNoFiles) {
  const std::string stream = stream_of("n1", "node.json", std::string(2000, 'x'));
  for (const std::size_t damaged : {std::size_t{1}, std::size_t{3}}) {
    Gathered gathered;
    int deliveries = 0;
    const auto deliver = [&](const std::string&, const Files& files) {
      ++deliveries;
      EXPECT_TRUE(files.empty());
    };
    for (std::size_t i = 0; i * 512 < stream.size(); ++i) {
      std::string line = stream.substr(i * 512, 511);
      if (i == damaged) line[100] = line[100] == 'A' ? 'B' : 'A';
      gathered.take(line, deliver);
    }
    EXPECT_EQ(deliveries, 1);
  }
}

TEST(ClusterDelivery, AFolderReplacesTheFormerOne) {
  const gable::TemporaryFolder work("delivery");
  for (const char* text : {"first", "second"}) {
    const gable::TemporaryFolder from("delivery");
    gable::write_whole(from.path / "samples.jsonl", text);
    put_folder(from.path, work.path / "n1");
    gable::write_whole(work.path / "n1" / "points.json", "added");
    EXPECT_EQ(gable::read_whole(work.path / "n1" / "samples.jsonl"), text);
  }
  EXPECT_EQ(gable::read_whole(work.path / "n1" / "points.json"), "added");
  std::string listed = gable::output_of({"ls", "-A", work.path}).output;
  const std::vector<std::string> names = gable::take_lines(listed, true);
  for (const std::string& name : names) EXPECT_FALSE(name.starts_with(".n1")) << name;
}

}  // namespace
