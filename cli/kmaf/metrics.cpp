#include "cli/kmaf/metrics.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "base/json.hpp"
#include "base/reading.hpp"
#include "base/words.hpp"
#include "cli/interrupt.hpp"
#include "kmaf/traces/metrics.hpp"
#include "model/records/records.hpp"
#include "plots/charts/kmaf/charts.hpp"

namespace gable::cli {

namespace {

kmaf::Metrics read_metrics(const KmafMetricsArguments& arguments) {
  kmaf::Metrics metrics(arguments.thread_nodes);
  reading(arguments.trace, [&] {
    kmaf::TraceReader reader(arguments.trace, true);
    for (auto block = reader.next(); !block.empty(); block = reader.next()) {
      for (const kmaf::Access& access : block) metrics.add(access);
      stop_if_requested();
    }
  });
  if (metrics.accesses() == 0) throw Error::usage(arguments.trace + ": contains no access");
  if (metrics.too_many_threads() ||
      arguments.thread_nodes.size() > static_cast<std::size_t>(metrics.threads())) {
    throw Error::usage(fmt::format("--thread-nodes names {} threads, {} has {}",
                                   arguments.thread_nodes.size(), arguments.trace, metrics.threads()));
  }
  return metrics;
}

nlohmann::ordered_json json_of(const kmaf::Metrics& metrics, bool has_nodes) {
  nlohmann::ordered_json document = nlohmann::ordered_json::object();
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

void print(const kmaf::Metrics& metrics, const KmafMetricsArguments& arguments) {
  const auto matrix = metrics.matrix();
  fmt::print("{}: {} accesses by {}\n\n", arguments.trace, metrics.accesses(),
             count_text(metrics.threads(), "thread"));
  fmt::print("  heterogeneity        {:>12.6g}   accesses², equation 1\n", kmaf::heterogeneity(matrix));
  fmt::print("  amount of sharing    {:>12.6g}   accesses per pair, equation 2\n",
             kmaf::sharing_amount(matrix));
  if (arguments.thread_nodes.empty()) {
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

}  // namespace

void show_metrics(const KmafMetricsArguments& arguments) {
  stop_requested();
  const kmaf::Metrics metrics = read_metrics(arguments);
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
