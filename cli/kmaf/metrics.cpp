#include "cli/kmaf/trace.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "base/files.hpp"
#include "base/json.hpp"
#include "base/reading.hpp"
#include "base/words.hpp"
#include "cli/interrupt.hpp"
#include "kmaf/traces/metrics.hpp"
#include "kmaf/traces/profile_metrics.hpp"
#include "model/json/programs/profile.hpp"
#include "model/records/records.hpp"
#include "plots/charts/kmaf/charts.hpp"

namespace gable::cli {

namespace {

kmaf::AffinityFigures figures_of_trace(const KmafMetricsArguments& arguments) {
  kmaf::Metrics metrics(arguments.thread_nodes);
  reading(arguments.trace, [&] {
    kmaf::TraceReader reader(arguments.trace, true);
    for (auto block = reader.next(); !block.empty(); block = reader.next()) {
      for (const kmaf::Access& access : block) metrics.add(access);
      stop_if_requested();
    }
  });
  kmaf::AffinityFigures figures = metrics.figures();
  if (figures.accesses == 0) throw Error::usage(arguments.trace + ": contains no access");
  return figures;
}

// A profile is JSON.
bool is_profile(const std::string& path) {
  char first = 0;
  return std::ifstream(path) >> first && first == '{';
}

kmaf::AffinityFigures figures_of_profile(const KmafMetricsArguments& arguments) {
  const model::Profile profile = model::profile_from_json(read_whole(arguments.trace), arguments.trace);
  try {
    return kmaf::figures_of(profile, arguments.thread_nodes);
  } catch (const Error& error) {
    throw Error::usage(arguments.trace + ": " + error.what());
  }
}

kmaf::AffinityFigures read_figures(const KmafMetricsArguments& arguments) {
  kmaf::AffinityFigures figures =
      is_profile(arguments.trace) ? figures_of_profile(arguments) : figures_of_trace(arguments);
  if (!arguments.thread_nodes.empty() && std::ssize(arguments.thread_nodes) != figures.threads) {
    throw Error::usage(fmt::format("--thread-nodes names {} threads, {} has {}",
                                   arguments.thread_nodes.size(), arguments.trace, figures.threads));
  }
  return figures;
}

Json json_of(const kmaf::AffinityFigures& metrics, bool has_nodes) {
  Json document = Json::object();
  const kmaf::SharingMatrix& matrix = metrics.matrix;
  document["schema"] = model::schema;
  document["heterogeneity"] = kmaf::heterogeneity(matrix);
  document["sharing_amount"] = kmaf::sharing_amount(matrix);
  if (metrics.matrix_error > 0) document["sharing_error"] = metrics.matrix_error;
  document["exclusivity_4k"] = nullptr;
  document["exclusivity_2m"] = nullptr;
  if (has_nodes) {
    document["exclusivity_4k"] = metrics.small.exclusivity;
    document["exclusivity_2m"] = metrics.large.exclusivity;
    if (metrics.exclusivity_error > 0) document["exclusivity_error"] = metrics.exclusivity_error;
  }
  auto& rows = document["matrix"] = Json::array();
  for (const auto& row : matrix) {
    auto& cells = rows.emplace_back(Json::array());
    for (const double cell : row) cells.push_back(static_cast<std::uint64_t>(cell));
  }
  return document;
}

void print(const kmaf::AffinityFigures& metrics, const KmafMetricsArguments& arguments) {
  const kmaf::SharingMatrix& matrix = metrics.matrix;
  fmt::print("{}: {} accesses by {}\n\n", arguments.trace, metrics.accesses,
             count_text(metrics.threads, "thread"));
  fmt::print("  heterogeneity        {:>12.6g}   accesses², equation 1\n", kmaf::heterogeneity(matrix));
  fmt::print("  amount of sharing    {:>12.6g}   accesses per pair, equation 2\n",
             kmaf::sharing_amount(matrix));
  if (arguments.thread_nodes.empty()) {
    fmt::print("  exclusivity          not known: --thread-nodes says which node each thread runs on\n");
  } else {
    fmt::print("  exclusivity, 4 KiB   {:>12.1f} % equation 4\n", 100 * metrics.small.exclusivity);
    fmt::print("  exclusivity, 2 MiB   {:>12.1f} % equation 4\n", 100 * metrics.large.exclusivity);
  }
  if (metrics.matrix_error > 0)
    fmt::print(
        "\nA part of the lines and pages was followed: about {:.1g} % of each element of the matrix, {:.1g} "
        "% "
        "of the accesses in exclusivity\n",
        100 * metrics.matrix_error, 100 * metrics.exclusivity_error);
  constexpr std::size_t most_shown = 16;
  if (matrix.size() > most_shown) {
    fmt::print("\nThe sharing matrix has {} rows: --json prints it, --plot draws it.\n", matrix.size());
    return;
  }
  fmt::print("\nSharing in 64-byte lines, threads in order of first appearance\n");
  for (const auto& row : matrix) {
    for (const double cell : row) fmt::print(" {:>8}", static_cast<std::uint64_t>(cell));
    fmt::print("\n");
  }
}

}  // namespace

void show_metrics(const KmafMetricsArguments& arguments) {
  stop_requested();
  const kmaf::AffinityFigures metrics = read_figures(arguments);
  if (arguments.json) {
    fmt::print("{}\n", json_text(json_of(metrics, !arguments.thread_nodes.empty())));
  } else {
    print(metrics, arguments);
  }
  if (!arguments.plot.empty()) {
    const std::string name = std::filesystem::path(arguments.trace).stem().string();
    draw_charts(
        charts::metrics_charts(metrics, !arguments.thread_nodes.empty(), name, arguments.pictures.column),
        arguments.plot, arguments.pictures, arguments.json ? nullptr : stdout);
  }
}

}  // namespace gable::cli
