#include "cli/fit/tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/lists.hpp"
#include "cli/text/columns.hpp"
#include "model/hybrid/interleave.hpp"
#include "model/records/names.hpp"

namespace gable::cli {
namespace {

using model::HybridFit;
using model::HybridModel;
using model::Law;
using model::Parameter;
using model::Term;
using model::Transfer;
using model::transfers;

std::string bandwidth_section(const HybridFit& fit) {
  Table table{"", columns({"bandwidth", ""}, {"GB/s", "95 % interval", "n"})};
  std::string unknown;
  for (const Transfer x : transfers) {
    const auto& [known, reason] = fit.bandwidths[x];
    if (!known) {
      unknown += fmt::format("  b_{} is not known: {}\n", name_of(x), sentence(reason));
      continue;
    }
    const std::string interval =
        known->n < 2 ? "?" : fmt::format("{} - {}", number(known->lo), number(known->hi));
    table.rows.push_back({name_of(x), meaning(x), number(known->value), interval,
                          known->n > 0 ? std::to_string(known->n) : "?"});
  }
  return table_text(table, false) + unknown + "\n";
}

std::string parameter_text(const Parameter& parameter) {
  if (!parameter.value) return "?";
  if (!parameter.standard_error) return fmt::format("{:.3f} ± ?", *parameter.value);
  return fmt::format("{:.3f} ± {:.3f}", *parameter.value, *parameter.standard_error);
}

// Reasons for unknown parameters, each with the names of the parameters.
class Unknown {
 public:
  void add(const Parameter& parameter, const std::string& name) {
    if (parameter.value) return;
    std::string& names = value_for(reasons_, parameter.reason);
    names += (names.empty() ? "" : ", ") + name;
  }

  std::string text() const {
    std::string text;
    for (const auto& [reason, names] : reasons_) text += fmt::format("  ? {}: {}\n", names, sentence(reason));
    return text;
  }

 private:
  std::vector<std::pair<model::Note, std::string>> reasons_;
};

// The terms of a law, one per line.
std::string term_section(const HybridModel& model, Unknown& unknown) {
  Table table{"", columns({"term", ""}, {"coefficient"})};
  for (const Term term : model::terms) {
    table.rows.push_back({name_of(term), meaning(term), parameter_text(model.terms[term])});
    unknown.add(model.terms[term], name_of(term));
  }
  return table_text(table, false);
}

std::string theta_section(const HybridModel& model, Law law) {
  Table table{"", columns({fmt::format("theta, {}", title(law))})};
  for (const Transfer y : transfers) table.add_column(name_of(y));
  Unknown unknown;
  for (const Transfer x : transfers) {
    Row cells = {fmt::format("{} dominates", name_of(x))};
    for (const Transfer y : transfers) {
      const Parameter& theta = model.theta[x][y];
      cells.emplace_back(x == y ? "-" : parameter_text(theta));
      if (x != y) unknown.add(theta, fmt::format("{}/{}", name_of(x), name_of(y)));
    }
    table.rows.push_back(std::move(cells));
  }
  std::string text = table_text(table, false);
  if (has_terms(law)) text += term_section(model, unknown);
  return text + unknown.text() + "\n";
}

std::string percent(const std::optional<double>& value) {
  return value ? fmt::format("{:.2f}", *value) : "?";
}

std::string error_section(const HybridFit& fit) {
  constexpr std::pair<const char*, std::optional<double> model::Errors::*> figures[] = {
      {"RMS of cells held out of the fit", &model::Errors::held_out_rms_percent},
      {"RMS of shares of loads held out", &model::Errors::between_rms_percent},
      {"RMS", &model::Errors::rms_percent},
      {"largest", &model::Errors::max_percent},
      {"as the paper prints it (RMS / sqrt n)", &model::Errors::paper_percent}};
  Table table{"", columns({"error of the bandwidth, %"})};
  for (const auto& [name, figure] : figures) table.rows.push_back({name});
  table.rows.push_back({"cells held out"});
  table.rows.push_back({"cells, n"});
  for (const Law law : model::laws) {
    const model::Errors& errors = fit.model(law).errors;
    table.add_column(title(law));
    auto row = table.rows.begin();
    for (const auto& [name, figure] : figures) row++->emplace_back(percent(errors.*figure));
    row++->emplace_back(std::to_string(errors.held_out_cells));
    row->emplace_back(std::to_string(errors.cells));
  }
  std::string text = table_text(table, false);
  text += fit.best ? fmt::format("  The best model is {}: it has the smallest error on held-out cells.\n",
                                 title(*fit.best))
                   : "  The models cannot be compared: too few cells with several transfers.\n";
  if (fit.unmodelled_cells > 0)
    text += fmt::format("  {} of {} cells are left out: they need an unknown bandwidth.\n",
                        fit.unmodelled_cells, fit.cells);
  return text;
}

std::string cluster_of(const model::HybridPair& pair) {
  return fmt::format("{}{}", pair.cluster, pair.all_clusters ? ", all busy" : "");
}

std::string memory(const model::MemoryNode& node) {
  return fmt::format("{} node {}", name_of(node.tier), node.node);
}

// Pages interleaved N:M, which the models of the grid do not cover.
std::string interleaves_section(const model::Hybrid& hybrid) {
  Table table{
      "Pages interleaved N:M (RMS of held-out cells: interpolated between neighbouring load ratios, and by "
      "equation 5 fitted to them)",
      columns({"cluster", "slow", "fast", "pages"}, {"cells", "between ratios %", "equation 5 %"})};
  for (const model::HybridPair& pair : hybrid.pairs) {
    if (pair.interleaved.empty() || pair.status != model::Status::ok) continue;
    const model::InterleaveErrors errors = model::interleave_errors(pair);
    table.rows.push_back({std::to_string(pair.cluster), memory(pair.slow), memory(pair.fast),
                          model::pages_text(pair.pages), std::to_string(pair.interleaved.size()),
                          percent(errors.between_percent), percent(errors.equation5_percent)});
  }
  return table_text(table);
}

}  // namespace

std::string pairs_table(const model::Hybrid& hybrid) {
  Table table{"Two memories at once (GB/s of loads and stores of the slow and the fast memory)",
              columns({"cluster", "slow", "fast", "pages"},
                      {"b_ls", "b_ss", "b_lf", "b_sf", "cells", "held out %"}, {"best model"})};
  std::string unknown;
  for (const model::HybridPair& pair : hybrid.pairs) {
    if (pair.status != model::Status::ok) {
      unknown += folded(fmt::format("  cluster {}, {} and {}: {}", cluster_of(pair), memory(pair.slow),
                                    memory(pair.fast), sentence(pair.reason)),
                        4);
      continue;
    }
    Row cells = {cluster_of(pair), memory(pair.slow), memory(pair.fast), model::pages_text(pair.pages)};
    for (const Transfer x : transfers) {
      const auto& known = pair.fit.bandwidths[x].gb_per_s;
      cells.emplace_back(known ? number(known->value) : "?");
    }
    const auto& best = pair.fit.best;
    cells.emplace_back(std::to_string(pair.fit.cells));
    cells.emplace_back(best ? percent(pair.fit.model(*best).errors.held_out_rms_percent) : "?");
    cells.emplace_back(best ? title(*best) : "none: too few cells");
    table.rows.push_back(std::move(cells));
  }
  if (table.empty() && unknown.empty()) return "";
  return (table.empty() ? table.title + "\n" : table_text(table, false)) + unknown + "\n" +
         interleaves_section(hybrid);
}

std::string thetas_table(const model::Hybrid& hybrid) {
  const auto has_any = [](const HybridModel& model) {
    return std::ranges::any_of(model.theta, [](const auto& row) {
      return std::ranges::any_of(row, [](const Parameter& theta) { return theta.value.has_value(); });
    });
  };
  std::string text;
  for (const model::HybridPair& pair : hybrid.pairs) {
    std::string laws;
    for (const Law law : model::laws) {
      if (has_any(pair.fit.model(law))) laws += theta_section(pair.fit.model(law), law);
    }
    if (pair.status != model::Status::ok || laws.empty()) continue;
    text +=
        folded(fmt::format("Share of a transfer that the dominating one does not hide: cluster {}, slow {}, "
                           "fast {}{}",
                           cluster_of(pair), memory(pair.slow), memory(pair.fast),
                           pair.source.empty() ? "" : "; " + pair.source),
               2) +
        laws;
  }
  return text;
}

std::string hybrid_table(const HybridFit& fit) {
  std::string text = bandwidth_section(fit);
  for (const Law law : model::laws) text += theta_section(fit.model(law), law);
  return text + error_section(fit);
}

}  // namespace gable::cli
