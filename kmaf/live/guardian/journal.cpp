#include "kmaf/live/guardian/journal.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "base/error.hpp"
#include "base/reading.hpp"
#include "kmaf/live/program/processes.hpp"
#include "kmaf/live/shared_memory/object_policy.hpp"

namespace gable::kmaf::live {

namespace fs = std::filesystem;

namespace {

std::string everything(int fd) {
  std::string text;
  char buffer[4096];
  off_t at = 0;
  for (ssize_t got = 0; (got = pread(fd, buffer, sizeof buffer, at)) > 0; at += got)
    text.append(buffer, static_cast<std::size_t>(got));
  return text;
}

std::string holder_of(const std::string& journal) {
  TextStream lines(journal);
  std::string word, pid;
  lines >> word >> pid;
  return word == "manager" ? "process " + pid : "a process that has just started";
}

}  // namespace

Journal Journal::unnamed() {
  return Journal(Descriptor(memfd_create("gable-kmaf-journal", MFD_CLOEXEC), "memfd_create"));
}

Journal Journal::named(const fs::path& folder, const fs::path& root, std::vector<std::string>& repaired) {
  const std::string path = folder / "gable-kmaf.journal";
  // This never opens another user's link or file in a world-writable folder.
  Journal journal(
      Descriptor(open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600), "cannot open " + path));
  const int fd = journal.descriptor();
  struct stat status = {};
  if (fstat(fd, &status) != 0 || status.st_uid != geteuid())
    throw Error::failed(path + " belongs to another user; remove it");
  if (flock(fd, LOCK_EX | LOCK_NB) != 0) {
    throw Error::failed("another gable kmaf run is managing this machine (" + holder_of(everything(fd)) +
                        "): the settings are system-wide, so wait until it ends");
  }
  if (const std::string left = everything(fd); !left.empty()) {
    repaired = put_back(left, root);
    // A single line is the name of a run that had not changed anything yet.
    if (left.find('\n') + 1 < left.size())
      repaired.insert(repaired.begin(), "an earlier run was killed: its changes were restored");
    journal.clear();
  }
  journal.add("manager " + std::to_string(getpid()));
  return journal;
}

void Journal::add(const std::string& line) {
  const std::string whole = line + "\n";
  const off_t end = lseek(descriptor(), 0, SEEK_END);
  const ssize_t written = end < 0 ? -1 : pwrite(descriptor(), whole.data(), whole.size(), end);
  if (written == static_cast<ssize_t>(whole.size())) return;
  throw std::system_error(written < 0 ? errno : ENOSPC, std::generic_category(),
                          "cannot write the journal of changes");
}

void Journal::setting(const std::string& path, const std::string& old) {
  add("setting " + path + " " + old);
}

void Journal::wrote(const std::string& path, const std::string& value) {
  add("wrote " + path + " " + value);
}

void Journal::mask(const std::vector<unsigned>& pus) {
  std::string line = "mask";
  for (const unsigned pu : pus) line += " " + std::to_string(pu);
  add(line);
}

void Journal::process(pid_t pid) {
  add("process " + std::to_string(pid) + " " + std::to_string(start_time(pid)));
}

void Journal::bound(pid_t pid, pid_t tid, unsigned pu) {
  add("bound " + std::to_string(pid) + " " + std::to_string(tid) + " " + std::to_string(pu));
}

void Journal::object(const ObjectChange& change) {
  add("object " + to_line(change));
}

std::string Journal::text() const {
  return everything(descriptor());
}

void Journal::clear() {
  if (ftruncate(descriptor(), 0) != 0) fail("clearing the journal");
}

unsigned long long start_time(pid_t pid) {
  return number_in_stat(pid, 22);
}

}  // namespace gable::kmaf::live
