#include "mpi/benchmarks.hpp"

#include <algorithm>
#include <functional>
#include <memory>
#include <numeric>

#include "model/statistics/statistics.hpp"
#include "mpi/hpccg.hpp"

namespace gable::mpi {
namespace {

using model::MpiMeasure;
using model::MpiPlaces;

using Bytes = std::vector<unsigned char>;

// The processes of `ranks`; null elsewhere.
class Group {
 public:
  explicit Group(const std::vector<int>& ranks) {
    MPI_Group all, some;
    MPI_Comm_group(MPI_COMM_WORLD, &all);
    MPI_Group_incl(all, static_cast<int>(ranks.size()), ranks.data(), &some);
    constexpr int tag = 3;
    MPI_Comm_create_group(MPI_COMM_WORLD, some, tag, &group_);
    MPI_Group_free(&some);
    MPI_Group_free(&all);
    MPI_Comm_rank(group_, &rank_);
    MPI_Comm_size(group_, &size_);
  }
  ~Group() { MPI_Comm_free(&group_); }
  Group(const Group&) = delete;
  Group& operator=(const Group&) = delete;
  operator MPI_Comm() const { return group_; }
  int rank() const { return rank_; }
  int size() const { return size_; }

 private:
  MPI_Comm group_ = MPI_COMM_NULL;
  int rank_ = 0, size_ = 1;
};

void ping_pong(MPI_Comm group, int rank, Bytes& out, Bytes& in, int trips) {
  const int count = static_cast<int>(out.size());
  for (int i = 0; i < trips; ++i) {
    if (rank == 0) {
      MPI_Send(out.data(), count, MPI_BYTE, 1, 1, group);
      MPI_Recv(in.data(), count, MPI_BYTE, 1, 1, group, MPI_STATUS_IGNORE);
    } else {
      MPI_Recv(in.data(), count, MPI_BYTE, 0, 1, group, MPI_STATUS_IGNORE);
      MPI_Send(out.data(), count, MPI_BYTE, 0, 1, group);
    }
  }
}

void both_ways(MPI_Comm group, int rank, Bytes& out, Bytes& in, int trips) {
  const int count = static_cast<int>(out.size());
  for (int i = 0; i < trips; ++i)
    MPI_Sendrecv(out.data(), count, MPI_BYTE, 1 - rank, 1, in.data(), count, MPI_BYTE, 1 - rank, 1, group,
                 MPI_STATUS_IGNORE);
}

unsigned char letter(int rank, std::size_t at) {
  return static_cast<unsigned char>(31 * rank + static_cast<int>(at % 251) + 1);
}

Bytes letters(int rank, std::size_t count) {
  Bytes bytes(count);
  for (std::size_t i = 0; i < count; ++i) bytes[i] = letter(rank, i);
  return bytes;
}

// One operation as a function, and a check of its result on this process.
struct Operation {
  std::function<void(int)> run;  // so many times
  std::function<bool()> is_right;
  double messages = 1;  // in each run, one after the other
  double bytes = 0;     // moved in each run, for the rate
};

Operation operation_of(const Benchmark& benchmark, const Group& group) {
  const MPI_Comm comm = group;
  const int rank = group.rank(), size = group.size();
  const std::size_t n = benchmark.bytes;
  if (benchmark.what == MpiMeasure::barrier)
    return {[=](int times) {
              for (int i = 0; i < times; ++i) MPI_Barrier(comm);
            },
            [] { return true; }};
  if (benchmark.what == MpiMeasure::allreduce) {
    const auto in = std::make_shared<std::vector<double>>(n / sizeof(double), rank + 1.0),
               out = std::make_shared<std::vector<double>>(*in);
    return {[=](int times) {
              for (int i = 0; i < times; ++i)
                MPI_Allreduce(in->data(), out->data(), static_cast<int>(in->size()), MPI_DOUBLE, MPI_SUM,
                              comm);
            },
            [=] {
              return std::ranges::all_of(*out, [=](double sum) { return sum == size * (size + 1) / 2.0; });
            }};
  }
  if (benchmark.what == MpiMeasure::broadcast) {
    const auto data = std::make_shared<Bytes>(rank == 0 ? letters(0, n) : Bytes(n));
    return {[=](int times) {
              for (int i = 0; i < times; ++i) {
                MPI_Bcast(data->data(), static_cast<int>(n), MPI_BYTE, 0, comm);
                MPI_Barrier(comm);  // or the root runs ahead; its time is in the figure, as the note says
              }
            },
            [=] { return *data == letters(0, n); }};
  }
  const auto total = n * static_cast<std::size_t>(benchmark.what == MpiMeasure::all_to_all ? size : 1);
  const auto out = std::make_shared<Bytes>(letters(rank, total)), in = std::make_shared<Bytes>(total);
  if (benchmark.what == MpiMeasure::all_to_all) {
    const int count = static_cast<int>(n);
    return {[=](int times) {
              for (int i = 0; i < times; ++i)
                MPI_Alltoall(out->data(), count, MPI_BYTE, in->data(), count, MPI_BYTE, comm);
            },
            [=] {
              for (std::size_t i = 0; i < total; ++i)
                if ((*in)[i] != letter(static_cast<int>(i / n), static_cast<std::size_t>(rank) * n + i % n))
                  return false;
              return true;
            }};
  }
  const auto is_right = [=] { return *in == letters(1 - rank, n); };
  if (benchmark.what == MpiMeasure::ping_pong)
    return {[=](int times) { ping_pong(comm, rank, *out, *in, times); }, is_right, 2,
            2.0 * static_cast<double>(n)};
  return {[=](int times) { both_ways(comm, rank, *out, *in, times); }, is_right, 1,
          2.0 * static_cast<double>(n)};
}

// Runs in a repetition, so that it takes about so many seconds; the same on every process.
int runs_for(MPI_Comm group, const Operation& operation, double seconds) {
  int runs = 1;
  for (;;) {
    const double begin = now();
    operation.run(runs);
    double own = now() - begin, longest = 0;
    MPI_Allreduce(&own, &longest, 1, MPI_DOUBLE, MPI_MAX, group);
    constexpr int most = 1 << 20;
    if (longest >= seconds || runs >= most) return runs;
    const double wanted = longest > 0 ? 1.2 * seconds / longest * runs : 8.0 * runs;
    runs = static_cast<int>(std::clamp(wanted, runs + 1.0, 8.0 * runs));
  }
}

Round hpccg(const Benchmark& benchmark, const Group& group, double seconds) {
  const bool strong = benchmark.what == MpiMeasure::hpccg_strong;
  const int rank = group.rank(), size = group.size();
  const int nz = strong ? benchmark.side * (rank + 1) / size - benchmark.side * rank / size : benchmark.side;
  constexpr int iterations = 50, most = 20;
  std::vector<double> times;
  Round round;
  double spent = 0, flops = 0;
  for (int i = 0; i < most && (i < 3 || spent < seconds); ++i) {
    const CgResult result = solve(group, benchmark.side, benchmark.side, nz, iterations);
    spent += result.seconds;
    flops = result.flops / result.iterations;
    if (!result.verified) round.wrong = model::NoteCode::wrong_solution;
    if (result.disturbed > 0)
      ++round.disturbed;
    else
      times.push_back(result.seconds / result.iterations);
  }
  round.repetitions = static_cast<int>(times.size());
  if (times.empty()) return round;
  round.seconds = model::median(times);
  round.rate = flops / round.seconds;
  return round;
}

// Of the first processes.
MpiPlaces places_of(const World& world, int processes) {
  return world.nodes(processes) > 1 ? MpiPlaces::several_nodes : MpiPlaces::one_node;
}

void add_pairs(std::vector<Benchmark>& plan, const World& world, std::size_t most_bytes) {
  for (const bool same : {true, false}) {
    int partner = -1;
    for (int rank = 1; rank < world.size && partner < 0; ++rank)
      if (world.same_node(0, rank) == same) partner = rank;
    if (partner < 0) continue;
    const MpiPlaces where = same ? MpiPlaces::one_node : MpiPlaces::several_nodes;
    for (const MpiMeasure what : {MpiMeasure::ping_pong, MpiMeasure::bidirectional}) {
      plan.push_back({what, where, 0, {0, partner}});
      for (std::size_t bytes = 1; bytes <= most_bytes; bytes *= 2)
        plan.push_back({what, where, bytes, {0, partner}});
    }
  }
}

}  // namespace

std::vector<Benchmark> plan_of(const World& world, std::size_t most_bytes, int side) {
  std::vector<Benchmark> plan;
  add_pairs(plan, world, most_bytes);
  std::vector<int> counts;
  for (int ranks = 2; ranks < world.size; ranks *= 2) counts.push_back(ranks);
  if (world.size > 1) counts.push_back(world.size);
  for (const int count : counts) {
    std::vector<int> ranks(static_cast<std::size_t>(count));
    std::iota(ranks.begin(), ranks.end(), 0);
    const MpiPlaces where = places_of(world, count);
    constexpr std::size_t allreduce_bytes = 16, message_bytes = 1024;
    plan.push_back({MpiMeasure::barrier, where, 0, ranks});
    plan.push_back({MpiMeasure::allreduce, where, allreduce_bytes, ranks});
    plan.push_back({MpiMeasure::broadcast, where, message_bytes, ranks});
    plan.push_back({MpiMeasure::all_to_all, where, message_bytes, ranks});
  }
  counts.insert(counts.begin(), 1);
  for (const MpiMeasure what : {MpiMeasure::hpccg_weak, MpiMeasure::hpccg_strong}) {
    for (const int count : counts) {
      std::vector<int> ranks(static_cast<std::size_t>(count));
      std::iota(ranks.begin(), ranks.end(), 0);
      if (count > side) continue;  // no layer for each
      plan.push_back({what, places_of(world, count), 0, ranks, side});
    }
  }
  return plan;
}

Round measure(const World& world, const Benchmark& benchmark, double seconds) {
  if (std::ranges::find(benchmark.ranks, world.rank) == benchmark.ranks.end()) return {};
  const Group group(benchmark.ranks);
  if (row_of(benchmark.what).is_solver) return hpccg(benchmark, group, seconds);
  constexpr int repetitions = 20;
  const Operation operation = operation_of(benchmark, group);
  const int runs = runs_for(group, operation, seconds / repetitions);
  const Repetitions done = repeat(group, repetitions, 4 * seconds, [&] { operation.run(runs); });
  int right = operation.is_right() ? 1 : 0, all = 0;
  MPI_Allreduce(&right, &all, 1, MPI_INT, MPI_MIN, group);
  Round round;
  round.repetitions = static_cast<int>(done.seconds.size());
  round.disturbed = done.disturbed;
  if (all == 0) round.wrong = model::NoteCode::wrong_data_received;
  if (done.seconds.empty()) return round;
  round.seconds = model::median(done.seconds) / runs / operation.messages;
  round.rate = operation.bytes / (round.seconds * operation.messages);
  return round;
}

}  // namespace gable::mpi
