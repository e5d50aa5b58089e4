#include "points/counters/valgrind_files.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <tuple>

#include "base/error.hpp"
#include "base/json.hpp"
#include "base/sorting.hpp"
#include "points/profile/tool_profile.hpp"

namespace gable::points {

namespace {

namespace fs = std::filesystem;

template <class Enum>
Enum named(const std::string& wanted) {
  for (int i = 0;; ++i) {
    if (name(static_cast<Enum>(i)) == wanted) return static_cast<Enum>(i);
  }
}

Work work_of(const Json& from) {
  Work work{{}, from.at("load_bytes").get<std::uint64_t>(), from.at("store_bytes").get<std::uint64_t>()};
  static constexpr double model::Instructions::*counts[] = {&model::Instructions::executed,
                                                            &model::Instructions::integer,
                                                            &model::Instructions::branches,
                                                            &model::Instructions::mispredicted,
                                                            &model::Instructions::mispredicted_jumps,
                                                            &model::Instructions::mispredicted_entries,
                                                            &model::Instructions::vector_loads,
                                                            &model::Instructions::iterations,
                                                            &model::Instructions::stores};
  for (std::size_t i = 0; i < std::size(counts); ++i)
    from.at("instructions").at(i).get_to(work.instructions.*counts[i]);
  for (const Json& sort : from.at("flops")) {
    const Flops flops = {named<Flops::Operation>(sort.at("operation").get<std::string>()),
                         named<Flops::Precision>(sort.at("precision").get<std::string>()),
                         sort.at("vector_bits").get<int>(), sort.at("count").get<std::uint64_t>()};
    work += Work{{flops}, 0, 0};
  }
  return work;
}

// The tool tells the number of tracked instructions, and the operations on their critical path. Too few of
// them tell nothing of the others.
void set_path(const Json& from, model::Instructions& instructions) {
  constexpr double few = 1000, small_part = 0.001;
  const auto tracked = from.at("tracked").get<double>();
  if (tracked < few || tracked < small_part * instructions.executed) return;
  const auto all = [&](std::string_view of) {
    return std::round(instructions.executed / tracked * from.at(std::string(of)).get<double>());
  };
  for (const model::LatencyClassRow& row : model::latency_class_rows)
    instructions.path[row.value] = all(row.name);
  instructions.chained_loads = all("chained");
  if (instructions.chained_loads > 0) instructions.chain_steps = all("steps");
  instructions.unordered_loads = all("unordered");
}

// What the function's mispredicted branches wait for, as the tracked ones do.
void set_waits_of_branches(const Json& from, model::Instructions& instructions) {
  const auto tracked = from.at("mispredicted").get<double>();
  if (tracked <= 0) return;
  const auto all = [&](std::string_view of) {
    return std::round(instructions.flushes() / tracked * from.at(std::string(of)).get<double>());
  };
  instructions.resolving_cycles = all("resolving");
  instructions.waited_loads = all("waited");
}

std::string symbol(const Json& text) {
  return text == "???" ? "" : text.get<std::string>();
}

FunctionCounts function_from(const Json& from) {
  FunctionCounts function{symbol(from.at("function")), symbol(from.at("object")), work_of(from)};
  function.loop = from.value("loop", std::uint64_t{0});
  if (from.contains("line"))
    function.line = fmt::format("{}:{}", model::without_folders(from.at("file").get<std::string>()),
                                from.at("line").get<int>());
  for (const Json& range : from.at("code"))
    function.code.push_back({range.at(0).get<std::uint64_t>(), range.at(1).get<std::uint64_t>()});
  model::Instructions& instructions = function.work.instructions;
  if (const auto path = from.find("critical_path"); path != from.end()) {
    set_path(*path, instructions);
    set_waits_of_branches(*path, instructions);
  }
  return function;
}

void read(const Json& from, ValgrindFile& file) {
  if (from.at("schema") != 1)
    throw Error::failed("the Valgrind tool and this program have different versions");
  from.at("started_us").get_to(file.started);
  from.at("replaced").get_to(file.replaced);
  file.undecodable = from.at("undecodable").get<std::vector<std::uint8_t>>();
  from.at("clock_reads").get_to(file.clock_reads);
  from.at("timers").get_to(file.timers);
  file.process.command = from.at("command").get<std::vector<std::string>>();
  for (const Json& thread : from.at("threads")) file.process.threads.push_back(work_of(thread));
  for (const Json& function : from.at("functions")) file.functions.push_back(function_from(function));
  for (const Json& region : from.at("regions")) {
    file.regions.push_back({region.at("region").get<std::string>(), region.at("threads").get<int>(),
                            region.at("open").get<int>(), region.at("calls").get<std::uint64_t>(),
                            work_of(region), work_of(region.at("meanwhile"))});
  }
  if (const auto trace = from.find("trace"); trace != from.end()) {
    file.trace = {trace->at("path").get<std::string>(), trace->at("seen").get<std::uint64_t>(),
                  trace->at("written").get<std::uint64_t>(), trace->at("ended").get<bool>(),
                  trace->at("failed").get<bool>()};
  }
  if (const auto profile = from.find("profile"); profile != from.end()) {
    std::vector<std::string> regions;
    for (const ValgrindRegion& region : file.regions) regions.push_back(region.region);
    file.profile = tool_profile(*profile, regions);
  }
  file.whole = true;
}

ValgrindFile read_file(const fs::path& path, int pid, int image) {
  ValgrindFile file;
  file.image = image;
  file.process.pid = pid;
  std::ifstream in(path);
  if (!in) throw Error::failed(path.string() + ": cannot be read");
  if (in.peek() == std::ifstream::traits_type::eof()) return file;
  try {
    read(json_from(std::string{std::istreambuf_iterator<char>(in), {}}), file);
  } catch (const std::exception& error) {
    throw Error::failed(fmt::format("{}: {}; is the disk full?", path.string(), error.what()));
  }
  return file;
}

// Parses the numbers of `prefix`.PID.N; false for another file.
bool parse_name(const std::string& name, const std::string& prefix, int& pid, int& image) {
  if (!name.starts_with(prefix + ".")) return false;
  const char* const end = name.data() + name.size();
  const auto [dot, bad] = std::from_chars(name.data() + prefix.size() + 1, end, pid);
  if (bad != std::errc() || dot == end || *dot != '.') return false;
  return std::from_chars(dot + 1, end, image).ptr == end;
}

}  // namespace

std::vector<ValgrindFile> read_valgrind_files(const fs::path& folder, const std::string& prefix) {
  std::vector<ValgrindFile> files;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    int pid = 0, image = 0;
    if (!parse_name(entry.path().filename(), prefix, pid, image)) continue;
    files.push_back(read_file(entry.path(), pid, image));
  }
  sort_with(files, [](const ValgrindFile& a, const ValgrindFile& b) {
    return std::tuple(a.started, a.process.pid, a.image) < std::tuple(b.started, b.process.pid, b.image);
  });
  return files;
}

}  // namespace gable::points
