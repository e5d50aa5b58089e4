// gable-mpi DIR: latency, bandwidth, collectives and HPCCG among the processes that a launcher started, as
// records in DIR/mpi.jsonl. gable cluster show DIR and gable cluster report DIR show them.

#include <mpi.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <string>

#include "model/statistics/statistics.hpp"
#include "mpi/benchmarks.hpp"

namespace {

using namespace gable::mpi;
using gable::model::NoteCode;

struct Arguments {
  std::string folder;
  int rounds = 8;
  double seconds = 0.05;  // for one measurement in a round
  std::size_t most_bytes = 4 << 20;
  int side = 32;
  std::string only;
};

constexpr const char* usage =
    "usage: mpirun -n N gable-mpi DIR [--rounds 8] [--seconds 0.05] [--most-bytes 4194304] [--side 32] "
    "[--only WORD]\n"
    "Measures ping-pong, bidirectional transfer, barrier, 16-byte allreduce, broadcast, all-to-all and an\n"
    "HPCCG-like solver (--side: points along each edge of its box) among the processes, into DIR/mpi.jsonl.\n"
    "--only: the benchmarks with this in their names.\n";

bool read(int argc, char** argv, Arguments& arguments) {
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (!word.starts_with("--")) {
      if (!arguments.folder.empty()) return false;
      arguments.folder = word;
      continue;
    }
    if (i + 1 == argc) return false;
    const char* const value = argv[++i];
    if (word == "--rounds")
      arguments.rounds = std::atoi(value);
    else if (word == "--seconds")
      arguments.seconds = std::atof(value);
    else if (word == "--most-bytes")
      arguments.most_bytes = static_cast<std::size_t>(std::atoll(value));
    else if (word == "--side")
      arguments.side = std::atoi(value);
    else if (word == "--only")
      arguments.only = value;
    else
      return false;
  }
  return !arguments.folder.empty() && arguments.rounds > 0 && arguments.seconds > 0 && arguments.side > 1 &&
         arguments.most_bytes <= (std::size_t{1} << 30);
}

std::string in_json(const std::string& text) {
  std::string out = "\"";
  for (const char each : text) {
    if (each == '"' || each == '\\') out += '\\';
    if (static_cast<unsigned char>(each) >= 32) out += each;
  }
  return out + "\"";
}

std::string reason_of(NoteCode code) {
  return code == NoteCode::none ? "\"\"" : "{\"code\":" + in_json(name_of(code)) + ",\"arguments\":[]}";
}

std::string number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.6g", value);
  return text;
}

std::string implementation() {
  char text[MPI_MAX_LIBRARY_VERSION_STRING] = {};
  int length = 0;
  MPI_Get_library_version(text, &length);
  std::string all = text;
  all = all.substr(0, all.find('\n'));
  for (char& letter : all)
    if (letter == '\t') letter = ' ';
  return all.starts_with("Open MPI") ? all.substr(0, all.find(',')) : all;
}

std::string time_text() {
  const std::time_t seconds = std::time(nullptr);
  char text[32];
  std::strftime(text, sizeof text, "%FT%TZ", std::gmtime(&seconds));
  return text;
}

// The rounds of one measurement as a record.
std::string record_of(const World& world, const Benchmark& benchmark, const std::vector<Round>& rounds,
                      const std::string& started) {
  const bool rate = row_of(benchmark.what).is_solver, transfer = row_of(benchmark.what).is_transfer;
  std::vector<std::vector<double>> seconds, rates;
  int repetitions = 0, disturbed = 0;
  NoteCode reason = NoteCode::none;
  for (const Round& round : rounds) {
    repetitions += round.repetitions;
    disturbed += round.disturbed;
    if (round.wrong != NoteCode::none) reason = round.wrong;
    if (round.repetitions <= round.disturbed) continue;  // mostly disturbed: as in gable measure
    seconds.push_back({round.seconds});
    if (round.rate > 0) rates.push_back({round.rate});
  }
  const int ranks = static_cast<int>(benchmark.ranks.size());
  if (reason == NoteCode::none && seconds.size() * 2 <= rounds.size())
    reason = world.crowded(ranks) ? NoteCode::more_processes_than_cpus : NoteCode::others_on_its_cpus;
  const bool is_ok = reason == NoteCode::none;
  std::string line = "{\"schema\":1,\"what\":" + in_json(name_of(benchmark.what)) +
                     ",\"where\":" + in_json(name_of(benchmark.where)) +
                     ",\"bytes\":" + std::to_string(benchmark.bytes) + ",\"ranks\":" + std::to_string(ranks) +
                     ",\"nodes\":" +
                     std::to_string(benchmark.ranks.size() == 2
                                        ? (world.same_node(benchmark.ranks[0], benchmark.ranks[1]) ? 1 : 2)
                                        : world.nodes(ranks)) +
                     ",\"side\":" + std::to_string(benchmark.side);
  const auto add = [&](const char* name, const std::vector<std::vector<double>>& values, double factor) {
    if (!is_ok || values.empty()) {
      line += std::string(",\"") + name + "\":null";
      return;
    }
    const gable::model::Estimate figure = gable::model::estimate(values);
    line += std::string(",\"") + name + "\":[" + number(figure.value * factor) + "," +
            number(figure.lo * factor) + "," + number(figure.hi * factor) + "]";
  };
  add("microseconds", seconds, 1e6);
  add(rate ? "gflop_per_s" : "gb_per_s", transfer || rate ? rates : std::vector<std::vector<double>>(), 1e-9);
  line += ",\"rounds\":" + std::to_string(seconds.size()) +
          ",\"repetitions\":" + std::to_string(repetitions) + ",\"disturbed\":" + std::to_string(disturbed) +
          ",\"status\":" + (is_ok ? "\"ok\"" : "\"invalid\"") + ",\"reason\":" + reason_of(reason) +
          ",\"places\":[";
  for (const int rank : benchmark.ranks) {
    const Place& place = world.places[static_cast<std::size_t>(rank)];
    line +=
        (rank == benchmark.ranks.front() ? "" : ",") + in_json(place.node + ":" + std::to_string(place.cpu));
  }
  return line + "],\"mpi\":" + in_json(implementation()) + ",\"started\":" + in_json(started) + "}";
}

// Whether the clocks of two nodes can be compared, and how well.
std::string clocks_record(const World& world, const World& later, double apart) {
  std::string line = "{\"schema\":1,\"what\":\"clocks\",\"clocks\":[";
  for (std::size_t i = 0; i < world.offsets.size(); ++i)
    line += std::string(i > 0 ? "," : "") + "{\"node\":" + in_json(world.places[i].node) +
            ",\"offset_us\":" + number(1e6 * world.offsets[i]) +
            ",\"error_us\":" + number(1e6 * world.offset_errors[i]) +
            ",\"drift_ppm\":" + number(1e6 * (later.offsets[i] - world.offsets[i]) / apart) + "}";
  return line + "]}";
}

void append(const std::string& folder, const std::string& lines) {
  constexpr int rights = 0777;
  const std::string path = folder + "/mpi.jsonl";
  std::FILE* const file =
      mkdir(folder.c_str(), rights) == 0 || errno == EEXIST ? std::fopen(path.c_str(), "a") : nullptr;
  const bool written = file != nullptr && std::fputs(lines.c_str(), file) >= 0;
  if (file != nullptr && std::fclose(file) == 0 && written) return;
  std::fprintf(stderr, "gable-mpi: %s: %s\n", path.c_str(), std::strerror(errno));
  MPI_Abort(MPI_COMM_WORLD, 1);
}

void run(const Arguments& arguments) {
  World world;
  MPI_Comm_rank(MPI_COMM_WORLD, &world.rank);
  MPI_Comm_size(MPI_COMM_WORLD, &world.size);
  read_places(world);
  measure_offsets(world);
  const double begin = now();
  std::vector<Benchmark> plan = plan_of(world, arguments.most_bytes, arguments.side);
  std::erase_if(plan, [&](const Benchmark& benchmark) {
    return name_of(benchmark.what).find(arguments.only) == std::string::npos;
  });
  const std::string started = time_text();
  std::vector<std::vector<Round>> rounds(plan.size());
  for (int round = 0; round < arguments.rounds; ++round) {
    for (std::size_t i = 0; i < plan.size(); ++i) {
      MPI_Barrier(MPI_COMM_WORLD);
      rounds[i].push_back(measure(world, plan[i], arguments.seconds));
    }
    if (world.rank == 0) std::fprintf(stderr, "gable-mpi: round %d of %d\n", round + 1, arguments.rounds);
  }
  World after = world;
  read_places(after);
  measure_offsets(after);
  for (std::size_t i = 0; i < after.places.size(); ++i) world.places[i].cpu = after.places[i].cpu;
  if (world.rank != 0) return;
  std::string lines = clocks_record(world, after, now() - begin) + "\n";
  for (std::size_t i = 0; i < plan.size(); ++i) lines += record_of(world, plan[i], rounds[i], started) + "\n";
  append(arguments.folder, lines);
  std::printf("%zu measurements: %s/mpi.jsonl\n", plan.size(), arguments.folder.c_str());
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  Arguments arguments;
  if (!read(argc, argv, arguments)) {
    std::fputs(usage, stderr);
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
  run(arguments);
  MPI_Finalize();
}
