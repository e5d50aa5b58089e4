// gable kmaf metrics: equations 1 to 4 of the kMAF paper for a trace.

#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "cli/commands.hpp"
#include "cli/interrupt.hpp"
#include "cli/kmaf/kmaf.hpp"
#include "kmaf/traces/metrics.hpp"
#include "model/records/records.hpp"
#include "cli/draw.hpp"
#include "plots/charts/kmaf/charts.hpp"

namespace gable::cli {

namespace {

struct MetricsOptions {
  std::string trace, plot;
  std::vector<int> thread_nodes;
  bool json = false;
};

kmaf::Metrics read_metrics(const MetricsOptions& options) {
  kmaf::Metrics metrics(options.thread_nodes);
  try {
    kmaf::TraceReader reader(options.trace);
    for (auto block = reader.next(); !block.empty(); block = reader.next()) {
      for (const kmaf::Access& access : block) metrics.add(access);
      stop_if_requested();
    }
  } catch (const kmaf::TraceError& error) {
    throw UsageError(error.what());
  }
  if (metrics.accesses() == 0) throw UsageError(options.trace + ": there is no access in it");
  if (metrics.too_many_threads() ||
      options.thread_nodes.size() > static_cast<std::size_t>(metrics.threads())) {
    throw UsageError(fmt::format("--thread-nodes names {} threads, {} has {}", options.thread_nodes.size(),
                                 options.trace, metrics.threads()));
  }
  return metrics;
}

nlohmann::ordered_json json_of(const kmaf::Metrics& metrics, bool has_nodes) {
  nlohmann::ordered_json document;
  const auto matrix = metrics.matrix();
  document["schema"] = model::schema;
  document["heterogeneity"] = kmaf::heterogeneity(matrix);
  document["sharing_amount"] = kmaf::sharing_amount(matrix);
  document["exclusivity_4k"] = nullptr;
  document["exclusivity_2m"] = nullptr;
  if (has_nodes) {
    document["exclusivity_4k"] = metrics.pages_4k().average_exclusivity();
    document["exclusivity_2m"] = metrics.pages_2m().average_exclusivity();
  }
  auto& rows = document["matrix"] = nlohmann::ordered_json::array();
  for (const auto& row : matrix) {
    auto& cells = rows.emplace_back(nlohmann::ordered_json::array());
    for (const double cell : row) cells.push_back(static_cast<std::uint64_t>(cell));
  }
  return document;
}

void print(const kmaf::Metrics& metrics, const MetricsOptions& options) {
  const auto matrix = metrics.matrix();
  fmt::print("{}: {} accesses by {} thread{}\n\n", options.trace, metrics.accesses(), metrics.threads(),
             metrics.threads() == 1 ? "" : "s");
  fmt::print("  heterogeneity        {:>12.6g}   accesses², equation 1\n", kmaf::heterogeneity(matrix));
  fmt::print("  amount of sharing    {:>12.6g}   accesses a pair, equation 2\n",
             kmaf::sharing_amount(matrix));
  if (options.thread_nodes.empty()) {
    fmt::print("  exclusivity          not known: --thread-nodes says which node each thread runs on\n");
  } else {
    fmt::print("  exclusivity, 4 KiB   {:>12.1f} % equation 4\n",
               100 * metrics.pages_4k().average_exclusivity());
    fmt::print("  exclusivity, 2 MiB   {:>12.1f} % equation 4\n",
               100 * metrics.pages_2m().average_exclusivity());
  }
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

void metrics_command(const MetricsOptions& options) {
  stop_requested();
  const kmaf::Metrics metrics = read_metrics(options);
  if (options.json) {
    fmt::print("{}\n", json_of(metrics, !options.thread_nodes.empty()).dump());
  } else {
    print(metrics, options);
  }
  if (!options.plot.empty()) {
    const std::string name = std::filesystem::path(options.trace).stem().string();
    draw_charts(charts::metrics_charts(metrics, !options.thread_nodes.empty(), name), options.plot, {"svg", "png"},
                   options.json ? nullptr : stdout);
  }
}

}  // namespace

void define_kmaf_metrics(CLI::App& command) {
  const auto options = std::make_shared<MetricsOptions>();
  command.add_option("TRACE", options->trace, "accesses in order: CSV (tid,address,bytes,write) or binary")
      ->required();
  command
      .add_option("--thread-nodes", options->thread_nodes,
                  "node of each thread in order of first appearance: 0,0,1,1")
      ->delimiter(',')
      ->check(CLI::Range(0, 1023));
  command.add_flag("--json", options->json, "print JSON");
  command.add_option("--plot", options->plot, "folder for the pictures: sharing matrix, exclusivity");
  command.callback([options] { metrics_command(*options); });
}

}  // namespace gable::cli
