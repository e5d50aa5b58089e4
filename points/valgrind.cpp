#include "points/valgrind.hpp"

#include <elf.h>
#include <fmt/format.h>
#include <signal.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <map>
#include <thread>
#include <tuple>
#include <utility>

#include "points/marker.hpp"
#include "points/run.hpp"
#include "points/temporary_folder.hpp"
#include "points/valgrind_files.hpp"

namespace gable::points {

namespace {

namespace fs = std::filesystem;

constexpr const char* prefix = "counts";
constexpr int most_threads = 2048;  // that a program may have at a time; Valgrind's own default is 500

// Where the program lies in the build tree, in the bundle, and installed. Empty where the tool was not built.
fs::path tool_folder() {
  const fs::path program = fs::read_symlink("/proc/self/exe").parent_path();
  for (const char* place : {"libexec/gable/valgrind", "../libexec/gable/valgrind"}) {
    fs::path folder = (program / place).lexically_normal();
    if (fs::exists(folder / "gable-amd64-linux") && fs::exists(folder / "launch")) return folder;
  }
  return {};
}

// What Valgrind cannot run, it is not asked to.
void check_program(const std::string& name) {
  const std::string file = find_program(name);
  if (const std::string more = privileges_of(file); !more.empty())
    throw ProgramError(
        fmt::format("{}: it {}, which Valgrind cannot run: count a copy without that", file, more), 126);
  Elf64_Ehdr header = {};
  std::ifstream in(file, std::ios::binary);
  in.read(reinterpret_cast<char*>(&header), sizeof header);
  if (std::string_view(reinterpret_cast<char*>(header.e_ident), SELFMAG) != ELFMAG) return;  // a script
  if (header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_machine != EM_X86_64) {
    throw ProgramError(file + ": it is no x86-64 program, which is all that the valgrind counter knows", 126);
  }
}

std::vector<std::string> valgrind_command(const fs::path& tool, const fs::path& output,
                                          const Program& program) {
  std::vector<std::string> command = {
      tool / "launch",
      "--tool=gable",
      "--command-line-only=yes",
      "--quiet",
      "--vgdb=no",
      "--show-emwarns=no",
      "--show-below-main=yes",
      "--trace-children=yes",
      "--fair-sched=try",
      fmt::format("--max-threads={}", most_threads),
      fmt::format("--log-file={}", (output / "log.%p").string()),
      fmt::format("--functions={}", program.functions ? "yes" : "no"),
      fmt::format("--counts={}",
                  (output / prefix).string()),  // last: the tool takes what follows as the program
  };
  command.insert(command.end(), program.command.begin(), program.command.end());
  return command;
}

// What Valgrind itself had to say, one line.
std::string said(const fs::path& folder, std::string_view wanted = "") {
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    if (!entry.path().filename().string().starts_with("log.")) continue;
    std::ifstream in(entry.path());
    for (std::string line; std::getline(in, line);) {
      if (!line.empty() && line.find(wanted) != std::string::npos) return line;
    }
  }
  return {};
}

bool is_alive(int pid) {
  return kill(pid, 0) == 0 || errno == EPERM;
}

// A process may outlive the one that started it. It is given a while to end.
std::vector<ValgrindFile> read_when_all_ended(const fs::path& folder) {
  constexpr auto patience = std::chrono::seconds(10);
  const auto deadline = std::chrono::steady_clock::now() + patience;
  for (;;) {
    std::vector<ValgrindFile> files = read_valgrind_files(folder, prefix);
    const auto unfinished = std::find_if(files.begin(), files.end(), [](const ValgrindFile& file) {
      return !file.whole && is_alive(file.process.pid);
    });
    if (unfinished == files.end()) return files;
    if (std::chrono::steady_clock::now() > deadline) {
      throw CountError(
          fmt::format("process {} goes on after the program's end, so that its work cannot be counted: run "
                      "the program in the foreground",
                      unfinished->process.pid));
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
}

// AVX-512 instructions begin with the EVEX prefix, 62 (Intel SDM volume 2, section 2.7), after a segment or
// address-size prefix at most; those on opmasks alone are VEX instructions with opcodes 41 to 4B and 90
// to 99.
bool is_avx512(const std::vector<std::uint8_t>& code) {
  const auto first = std::find_if(code.begin(), code.end(), [](std::uint8_t byte) {
    return byte != 0x64 && byte != 0x65 && byte != 0x67;
  });
  if (first == code.end()) return false;
  if (*first == 0x62) return true;
  const std::ptrdiff_t at = *first == 0xc5 ? 2 : *first == 0xc4 ? 3 : code.end() - first;
  if (at >= code.end() - first) return false;
  const int opcode = first[at];
  return (opcode >= 0x41 && opcode <= 0x4b) || (opcode >= 0x90 && opcode <= 0x99);
}

std::string in_hex(const std::vector<std::uint8_t>& code) {
  std::string text;
  for (const std::uint8_t byte : code) text += fmt::format("{}{:02x}", text.empty() ? "" : " ", byte);
  return text;
}

void check_instructions(const std::string& program, const Ending& ending,
                        const std::vector<ValgrindFile>& files) {
  if (ending.status == 0) return;
  for (const ValgrindFile& file : files) {
    if (file.undecodable.empty()) continue;
    const bool avx512 = is_avx512(file.undecodable);
    throw ProgramError(
        fmt::format("{} {} after it met {}, which Valgrind does not know: count it with --counter pmu{}",
                    program, in_words(ending),
                    avx512 ? "AVX-512" : "the instruction " + in_hex(file.undecodable),
                    avx512 ? ", or compile it for AVX2 (-march=haswell)" : ""),
        ending.status);
  }
}

// An image that was replaced must have a successor, and every process must have written.
void check_whole(const std::vector<ValgrindFile>& files, const fs::path& folder) {
  std::map<std::pair<int, int>, const ValgrindFile*> by_image;
  for (const ValgrindFile& file : files) by_image[{file.process.pid, file.image}] = &file;
  for (const ValgrindFile& file : files) {
    if (!file.whole) {
      throw CountError(
          fmt::format("process {} was killed, or changed its root folder or user, before it could write its "
                      "counts{}",
                      file.process.pid, said(folder).empty() ? "" : ": " + said(folder)));
    }
    if (file.replaced && !by_image.contains({file.process.pid, file.image + 1})) {
      throw CountError(
          fmt::format("process {} executed a program that Valgrind cannot run (setuid, or not x86-64)",
                      file.process.pid));
    }
  }
}

// What `all` did and `some` of it did not.
Work rest_of(const Work& all, const Work& some) {
  Work rest = {{}, *all.load_bytes - *some.load_bytes, *all.store_bytes - *some.store_bytes};
  for (Flops sort : all.flops) {
    for (const Flops& done : some.flops) {
      if (std::tie(done.operation, done.precision, done.vector_bits) ==
          std::tie(sort.operation, sort.precision, sort.vector_bits))
        sort.count -= done.count;
    }
    if (sort.count > 0) rest.flops.push_back(sort);
  }
  return rest;
}

void add_region(const ValgrindRegion& from, std::vector<RegionCounts>& regions) {
  require_closed(from.region, from.open);
  auto same = std::find_if(regions.begin(), regions.end(),
                           [&](const RegionCounts& region) { return region.region == from.region; });
  if (same == regions.end())
    same = regions.insert(regions.end(), {from.region, 0, 0, {{}, 0, 0}, {{}, 0, 0}});
  same->threads += from.threads;
  same->calls += from.calls;
  same->work += from.threads == 1 ? from.meanwhile : from.work;
  same->of_others += rest_of(from.meanwhile, from.work);
}

Counts summed(std::vector<ValgrindFile> files) {
  Counts counts;
  counts.counter = valgrind_backend.name;
  counts.total = Work{{}, 0, 0};
  std::map<std::pair<std::string, std::string>, Work> functions;
  for (ValgrindFile& file : files) {
    for (const Work& thread : file.process.threads) counts.total += thread;
    for (FunctionCounts& each : file.functions) {
      functions.try_emplace({each.function, each.object}, Work{{}, 0, 0}).first->second += each.work;
    }
    for (const ValgrindRegion& each : file.regions) add_region(each, counts.regions);
    counts.processes.push_back(std::move(file.process));
  }
  for (auto& [name, work] : functions) counts.functions.push_back({name.first, name.second, std::move(work)});
  if (counts.processes.size() > 1) {
    counts.notes.push_back(fmt::format("sum of {} processes", counts.processes.size()));
  }
  return counts;
}

}  // namespace

std::string valgrind_unavailable() {
  if (!tool_folder().empty()) return {};
  return "package valgrind is missing: install it, then build Gable again (./run.sh build)";
}

Counts count_with_valgrind(const Program& program) {
  const fs::path tool = tool_folder();
  if (tool.empty()) throw CountError(valgrind_unavailable());
  if (program.command.empty()) throw ProgramError("no program was given", 127);
  check_program(program.command.front());
  const TemporaryFolder output("counts");
  const Ending ending = run(valgrind_command(tool, output.path, program), program.environment);
  const std::string& name = program.command.front();
  if (!said(output.path, "--max-threads=").empty()) {
    throw CountError(
        fmt::format("{} has more than {} threads at a time, too many for Valgrind", name, most_threads));
  }
  std::vector<ValgrindFile> files = read_when_all_ended(output.path);
  check_instructions(name, ending, files);
  if (files.empty()) {
    throw ProgramError(fmt::format("{} could not be started under Valgrind: {}", name, said(output.path)),
                       ending.status);
  }
  require_success(name, ending);
  check_whole(files, output.path);
  return summed(std::move(files));
}

}  // namespace gable::points
