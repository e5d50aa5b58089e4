#include "kmaf/live/guardian/guardian.hpp"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>

#include "base/error.hpp"
#include "base/reading.hpp"
#include "kmaf/live/guardian/bounded.hpp"

namespace gable::kmaf::live {

namespace {

[[noreturn]] void guard(Journal& journal, const std::filesystem::path& root, int alive, int words) {
  detach("gable-guardian");
  if (write(words, "r", 1) != 1) _exit(1);  // from here on, this process survives the manager
  keep_only({journal.descriptor(), alive, words});
  char byte = 0;
  while (read(alive, &byte, 1) < 0 && errno == EINTR) continue;
  int status = 1;
  try {
    std::string said;
    for (const std::string& line : put_back(journal.text(), root)) said += line + "\n";
    journal.clear();
    if (write(words, said.data(), said.size()) >= 0) status = 0;
  } catch (...) {  // the manager puts back what is left
  }
  _exit(status);
}

void make_pipe(int (&ends)[2]) {
  if (pipe2(ends, O_CLOEXEC) != 0) fail("pipe");
}

}  // namespace

Guardian::Guardian(Journal& journal, std::filesystem::path root) : journal_(journal), root_(std::move(root)) {
  int alive[2], words[2];
  make_pipe(alive);
  make_pipe(words);
  pid_ = fork();
  if (pid_ < 0) fail("cannot start the guardian");
  if (pid_ == 0) {
    close(alive[1]);
    close(words[0]);
    guard(journal, root_, alive[0], words[1]);
  }
  close(alive[0]);
  close(words[1]);
  alive_ = alive[1];
  words_ = words[0];
  wait_until_ready();
}

// Wait: until the guardian is ready, a signal to the process group would end both.
void Guardian::wait_until_ready() {
  char byte = 0;
  ssize_t got = 0;
  while ((got = read(words_, &byte, 1)) < 0 && errno == EINTR) continue;
  if (got == 1) return;
  close(alive_);
  close(words_);
  alive_ = -1;
  while (waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) continue;
  throw Error::failed("the process that restores settings ended immediately");
}

// The guardian itself was killed.
std::vector<std::string> Guardian::put_back_here() {
  std::vector<std::string> left = put_back(journal_.text(), root_);
  journal_.clear();
  return left;
}

std::vector<std::string> Guardian::dismiss() {
  if (alive_ < 0) return {};
  close(alive_);
  alive_ = -1;
  std::string said;
  char buffer[512];
  ssize_t got = 0;
  while ((got = read(words_, buffer, sizeof buffer)) > 0 || (got < 0 && errno == EINTR)) {
    if (got > 0) said.append(buffer, static_cast<std::size_t>(got));
  }
  close(words_);
  int status = 0;
  while (waitpid(pid_, &status, 0) < 0 && errno == EINTR) continue;
  std::vector<std::string> lines;
  TextStream stream(said);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) return put_back_here();
  return lines;
}

Guardian::~Guardian() {
  dismiss();
}

}  // namespace gable::kmaf::live
