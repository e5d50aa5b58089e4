// fuzz RUNS [SEED [READER...]]: every file of the corpus and RUNS mutants of them through every reader, or
// those named. What makes a reader crash, run for more than 10 s or answer wrongly is kept as ./crash-READER.

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <filesystem>

#include "base/files.hpp"
#include "mutator.hpp"
#include "readers.hpp"

namespace {

namespace fs = std::filesystem;
using gable::fuzz::Reader;

constexpr unsigned most_seconds = 10;

std::string running_file, running;  // for the handler, which may only make system calls

void keep_and_end(int signal) {
  const int file = open(running_file.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644);
  if (write(file, running.data(), running.size()) >= 0) close(file);
  std::signal(signal, SIG_DFL);
  raise(signal);
}

void limit_memory() {
#ifndef GABLE_SANITIZER  // which reserves terabytes
  constexpr rlim_t most_bytes = rlim_t{4} << 30;
  const rlimit limit{most_bytes, most_bytes};
  setrlimit(RLIMIT_AS, &limit);
#endif
}

bool run(const Reader& reader, std::string content) {
  running_file = fmt::format("crash-{}", reader.name);
  running = std::move(content);
  alarm(most_seconds);
  const bool valid = try_reader(reader, running);
  alarm(0);
  return valid;
}

void fuzz(const Reader& reader, long runs, unsigned long seed) {
  std::vector<fs::path> paths;
  for (const auto& entry : fs::directory_iterator(fs::path(GABLE_CORPUS) / reader.name))
    paths.push_back(entry.path());
  std::sort(paths.begin(), paths.end());
  std::vector<std::string> corpus;
  for (const fs::path& path : paths) corpus.push_back(gable::read_whole(path));
  bool any_valid = false;
  for (const std::string& content : corpus) any_valid = run(reader, content) || any_valid;
  if (!any_valid) {
    fmt::print(stderr, "fuzz: {}: no file of the corpus is valid\n", reader.name);
    std::exit(1);
  }
  std::mt19937_64 random(seed);
  long valid = 0;
  for (long i = 0; i < runs; ++i) valid += run(reader, gable::fuzz::mutant(corpus, random)) ? 1 : 0;
  fmt::print("{:12} {:4} files, {} mutants, of which {} were valid\n", reader.name, corpus.size(), runs,
             valid);
}

}  // namespace

int main(int count, char** arguments) {
  const long runs = count > 1 ? std::atol(arguments[1]) : 100;
  const unsigned long seed = count > 2 ? std::strtoul(arguments[2], nullptr, 10) : 1;
  limit_memory();
  for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGALRM})
    std::signal(signal, keep_and_end);
  for (const Reader& reader : gable::fuzz::readers()) {
    const bool named = std::any_of(arguments + std::min(count, 3), arguments + count,
                                   [&](const char* name) { return std::string_view(name) == reader.name; });
    if (count <= 3 || named) fuzz(reader, runs, seed);
  }
}
