#include "mpi/world.hpp"

#include <sched.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <set>
#include <tuple>
#include <utility>

namespace gable::mpi {
namespace {

constexpr int name_bytes = 64;

struct WirePlace {
  char node[name_bytes];
  int cpu, cpus;
};

WirePlace own_place() {
  WirePlace place = {};
  gethostname(place.node, name_bytes - 1);
  if (char* const dot = std::strchr(place.node, '.')) *dot = '\0';
  place.cpu = sched_getcpu();
  cpu_set_t sets[8] = {};  // one has room for 1024 CPUs
  if (sched_getaffinity(0, sizeof sets, sets) == 0) place.cpus = CPU_COUNT_S(sizeof sets, sets);
  return place;
}

}  // namespace

int World::nodes(int ranks) const {
  std::set<std::string> names;
  for (int i = 0; i < ranks; ++i) names.insert(places[static_cast<std::size_t>(i)].node);
  return static_cast<int>(names.size());
}

bool World::crowded(int ranks) const {
  std::map<std::string, int> processes, cpus;
  for (int i = 0; i < ranks; ++i) {
    const Place& place = places[static_cast<std::size_t>(i)];
    ++processes[place.node];
    cpus[place.node] += place.cpus;
  }
  // Bound processes have their own CPUs; others share what the node has.
  for (const auto& [node, count] : processes) {
    int most = 0;
    for (int i = 0; i < ranks; ++i)
      if (places[static_cast<std::size_t>(i)].node == node)
        most = std::max(most, places[static_cast<std::size_t>(i)].cpus);
    const bool bound = cpus[node] <= count * most && most < count;
    if (count > (bound ? cpus[node] : std::max(most, cpus[node] / count))) return true;
  }
  return false;
}

void read_places(World& world) {
  WirePlace own = own_place();
  std::vector<WirePlace> all(static_cast<std::size_t>(world.size));
  MPI_Allgather(&own, sizeof own, MPI_BYTE, all.data(), sizeof own, MPI_BYTE, MPI_COMM_WORLD);
  world.places.clear();
  for (const WirePlace& place : all) world.places.push_back({place.node, place.cpu, place.cpus});
}

double now() {
  timespec time = {};
  clock_gettime(CLOCK_MONOTONIC, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

long switches() {
  rusage usage = {};
  getrusage(RUSAGE_THREAD, &usage);
  return usage.ru_nivcsw;
}

namespace {

constexpr int tag = 7;
constexpr int most_trips = 200, least_trips = 10;
constexpr double most_seconds = 0.5;

// Rank 0 asks for the time until the partner is told to stop.
void answer() {
  for (int more = 1; more != 0;) {
    MPI_Recv(&more, 1, MPI_INT, 0, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    const double time = now();
    MPI_Send(&time, 1, MPI_DOUBLE, 0, tag, MPI_COMM_WORLD);
  }
}

// The offset and its error by the fastest trip.
std::pair<double, double> ask(int rank) {
  double best = HUGE_VAL, offset = 0;
  const double began = now();
  for (int i = 1, more = 1; more != 0; ++i) {
    more = i < most_trips && (i < least_trips || now() - began < most_seconds) ? 1 : 0;
    double theirs = 0;
    const double begin = now();
    MPI_Send(&more, 1, MPI_INT, rank, tag, MPI_COMM_WORLD);
    MPI_Recv(&theirs, 1, MPI_DOUBLE, rank, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    const double end = now();
    if (end - begin >= best) continue;
    best = end - begin;
    offset = theirs - (begin + end) / 2;
  }
  return {offset, best / 2};
}

}  // namespace

void measure_offsets(World& world) {
  std::vector<double> offsets(static_cast<std::size_t>(world.size)), errors(offsets.size());
  for (int rank = 1; rank < world.size; ++rank) {
    MPI_Barrier(MPI_COMM_WORLD);
    const auto index = static_cast<std::size_t>(rank);
    if (world.rank == rank) answer();
    if (world.rank == 0) std::tie(offsets[index], errors[index]) = ask(rank);
  }
  MPI_Bcast(offsets.data(), world.size, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  MPI_Bcast(errors.data(), world.size, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  world.offsets = offsets;
  world.offset_errors = errors;
}

Repetitions repeat(MPI_Comm group, int count, double most, const std::function<void()>& work) {
  std::vector<double> own, slowest;
  std::vector<int> disturbed, any;
  const int cpu = sched_getcpu();
  const double began = now();
  for (int i = 0; i < count; ++i) {
    const int late = i >= 3 && now() - began > most ? 1 : 0;
    int stop = 0;
    MPI_Allreduce(&late, &stop, 1, MPI_INT, MPI_MAX, group);  // is a barrier too
    if (stop != 0) break;
    const long before = switches();
    const double begin = now();
    work();
    own.push_back(now() - begin);
    disturbed.push_back(switches() != before || sched_getcpu() != cpu ? 1 : 0);
  }
  slowest.resize(own.size());
  any.resize(own.size());
  const int done = static_cast<int>(own.size());
  MPI_Allreduce(own.data(), slowest.data(), done, MPI_DOUBLE, MPI_MAX, group);
  MPI_Allreduce(disturbed.data(), any.data(), done, MPI_INT, MPI_MAX, group);
  Repetitions result;
  for (std::size_t i = 0; i < own.size(); ++i) {
    if (any[i] == 0) {
      result.seconds.push_back(slowest[i]);
    } else {
      ++result.disturbed;
    }
  }
  return result;
}

}  // namespace gable::mpi
