#include "readers.hpp"

#include <fcntl.h>
#include <fmt/core.h>
#include <unistd.h>

#include <cstdlib>
#include <map>
#include <memory>

#include "base/files.hpp"
#include "base/owned.hpp"
#include "base/reading.hpp"
#include "base/temporary_folder.hpp"
#include "bench/apps/graphs/graph_file.hpp"
#include "bench/threads/team.hpp"
#include "cli/fit/fit.hpp"
#include "cli/fit/tables.hpp"
#include "cli/kmaf/machine.hpp"
#include "cli/kmaf/run.hpp"
#include "cli/place/place.hpp"
#include "cli/point/tables/table.hpp"
#include "cli/report/sections.hpp"
#include "cli/show/recorded.hpp"
#include "cli/show/show.hpp"
#include "kmaf/replay/trace/prepared_trace.hpp"
#include "kmaf/traces/metrics.hpp"
#include "machines/machine.hpp"
#include "model/hybrid/grid_csv.hpp"
#include "model/hybrid/hybrid.hpp"
#include "model/json/hybrid.hpp"
#include "model/json/points.hpp"
#include "model/json/programs/profile.hpp"
#include "model/profile/bounded.hpp"
#include "model/profile/levels.hpp"
#include "model/roofs/roofs.hpp"
#include "plots/charts/charts.hpp"
#include "points/import/import.hpp"

namespace gable::fuzz {
namespace {

namespace fs = std::filesystem;

// Something that was read, written again and then refused: a fault of the writer or the reader.
void must_hold(bool holds, const char* what) {
  if (holds) return;
  fmt::print(stderr, "fuzz: {}\n", what);
  std::abort();
}

bool drawing = true;  // what try_reader was told

// gable show --all, in words and as JSON, and the charts of gable plot.
void read_folder(const fs::path& file) {
  const cli::ShownFolder shown = cli::read_folder(file.parent_path());
  if (!drawing) return;
  cli::shown_json(shown, true);
  cli::head_text(shown);
  cli::screen_text(shown);
  cli::fit_tables(shown.roofs, shown.hybrid, shown.machine ? &*shown.machine : nullptr);
  cli::point_table(shown.points, shown.readings, shown.points, {true, true, true});
  if (!shown.placed.empty()) cli::place_table(shown.placed);
  cli::points_of_placements(shown.placed);
  charts::Recorded recorded = cli::roofs_for_charts(shown);
  recorded.hybrid = shown.hybrid;
  recorded.points = shown.points;
  recorded.readings = shown.readings;
  recorded.placed = shown.placed;
  recorded.tiers = shown.tiers;
  cli::c2c_text(shown.c2c);
  recorded.with_functions = true;
  charts::charts_of(recorded, -1, true);
}

void read_roofs(const fs::path& file) {
  const model::Roofs roofs = model::roofs_from_json(read_whole(file), file);
  const std::string text = model::roofs_to_json(roofs);
  must_hold(model::roofs_to_json(model::roofs_from_json(text, "again")) == text, "roofs.json changed");
  read_folder(file);
}

void read_hybrid(const fs::path& file) {
  const std::string text = model::hybrid_to_json(model::hybrid_from_json(read_whole(file), file));
  must_hold(model::hybrid_to_json(model::hybrid_from_json(text, "again")) == text, "hybrid.json changed");
  read_folder(file);
}

void read_points(const fs::path& file) {
  const std::vector<model::Point> points = model::points_from_json(read_whole(file), file);
  const std::vector<model::Reading> readings(points.size());
  model::points_from_json(model::points_to_json(points, readings), "again");
  read_folder(file);
}

// Reads a profile, and the traffic behind two caches, by everything that it can be grouped by.
void read_profile(const fs::path& file) {
  const model::Profile profile = model::profile_from_json(read_whole(file), file);
  const std::string text = model::profile_to_json(profile);
  must_hold(model::profile_to_json(model::profile_from_json(text, "again")) == text, "the profile changed");
  if (!drawing) return;
  using model::ProfileKey;
  for (const auto key : {ProfileKey::program, ProfileKey::function, ProfileKey::line, ProfileKey::object,
                         ProfileKey::region}) {
    model::profile_rows(profile, key, {{"L1", 32768, false, 1, 8}, {"L2", 1 << 20, true, 2, 16, 0.5}});
  }
  model::bounded(profile, 3);
}

void read_grid(const fs::path& file) {
  model::CsvGrid grid = reading(file.string(), [&] { return model::grid_from_csv(read_whole(file), file); });
  cli::hybrid_table(model::fit_hybrid(std::move(grid.cells)));
}

void read_graph(const fs::path& file) {
  static bench::Team threads;
  bench::Crew crew(threads, {static_cast<unsigned>(sched_getcpu())});
  reading(file.string(), [&] { return bench::read_graph(file, std::nullopt, crew); });
}

void import_figures(const fs::path& file) {
  const std::string text = read_whole(file);
  reading(file.string(), [&] {
    const std::string format = points::import_format(text, file);
    return format == "likwid"       ? points::import_likwid(text, file)
           : format == "perf"       ? points::import_perf(text, file)
           : format == "cachegrind" ? points::import_cachegrind(text, file)
                                    : points::import_advisor(text, file);
  });
}

void read_trace(const fs::path& file) {
  const auto each = [&](const auto& take) {
    kmaf::TraceReader reader(file, true);
    for (auto block = reader.next(); !block.empty(); block = reader.next()) {
      for (const kmaf::Access& access : block) take(access);
    }
  };
  reading(file.string(), [&] {
    kmaf::Metrics metrics({0, 1, 0, 1});
    each([&](const kmaf::Access& access) { metrics.add(access); });
    metrics.figures();
    if (!drawing) return;
    kmaf::ParallelOrder order;
    each([&](const kmaf::Access& access) { order.take(access); });
    const kmaf::PreparedTrace trace(order, 0);
    must_hold(trace.threads() == metrics.threads(), "two readers of a trace found other threads");
  });
}

void read_replay(const fs::path& file) {
  cli::read_replay_machine(file.parent_path());
}

void read_learned(const fs::path& file) {
  const std::string text = cli::knowledge_to_text(cli::knowledge_from_text(read_whole(file), file));
  must_hold(cli::knowledge_to_text(cli::knowledge_from_text(text, "again")) == text, "the record changed");
}

void read_topology(const fs::path& file) {
  machines::from_xml(file);
  machines::packages_of_xml(file);
}

void read_kmaf(const fs::path& file) {
  cli::kmaf_records(file.parent_path().parent_path());
}

constexpr Reader all_readers[] = {
    {"samples", "samples.jsonl", read_folder},   {"roofs", "roofs.json", read_roofs},
    {"hybrid", "hybrid.json", read_hybrid},      {"points", "points.json", read_points},
    {"profile", "app.profile", read_profile},    {"placements", "placements.jsonl", read_folder},
    {"tiers", "tiers.jsonl", read_folder},       {"c2c", "c2c.jsonl", read_folder},
    {"machine", "machine.json", read_folder},    {"grid", "grid.csv", read_grid},
    {"edges", "graph.txt", read_graph},          {"sg", "graph.sg", read_graph},
    {"gzip", "graph.txt.gz", read_graph},        {"import", "figures.csv", import_figures},
    {"trace", "access.trace", read_trace},       {"replay", "replay.json", read_replay},
    {"learned", "learned.json", read_learned},   {"kmaf", "kmaf/run.json", read_kmaf},
    {"topology", "topology.xml", read_topology},
};

// What the reader needs beside its file: tests/fuzz/corpus/READER.beside.
const fs::path& folder_of(const Reader& reader) {
  static std::map<std::string, std::unique_ptr<TemporaryFolder>> folders;
  auto& folder = folders[reader.name];
  if (folder == nullptr) {
    folder = std::make_unique<TemporaryFolder>("fuzz");
    fs::create_directories((folder->path / reader.file).parent_path());
    const fs::path beside = fs::path(GABLE_CORPUS) / (std::string(reader.name) + ".beside");
    if (fs::exists(beside)) fs::copy(beside, folder->path);
  }
  return folder->path;
}

void write_plainly(const fs::path& file, std::string_view content) {
  const Descriptor open(::open(file.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600), file);
  if (const int error = write_all(open.get(), content); error != 0) must_hold(false, "TMPDIR is full");
}

}  // namespace

std::span<const Reader> readers() {
  return all_readers;
}

bool try_reader(const Reader& reader, std::string_view content, bool draws) {
  drawing = draws;
  const fs::path file = folder_of(reader) / reader.file;
  write_plainly(file, content);
  try {
    reader.read(file);
    return true;
  } catch (const std::exception& error) {
    const std::string_view said = error.what();
    const bool named = said.find(folder_of(reader).string()) != std::string_view::npos;
    if (!named) fmt::print(stderr, "fuzz: {}: {}\n", reader.name, said);
    must_hold(named, "this error does not name the file");
  }
  return false;
}

}  // namespace gable::fuzz
