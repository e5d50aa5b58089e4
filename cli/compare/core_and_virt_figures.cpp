// Figures between cores, and what virtualization costs.

#include <fmt/format.h>

#include "base/words.hpp"
#include "cli/compare/side.hpp"
#include "model/records/names.hpp"

namespace gable::cli {
namespace {

using model::Better;
using model::Estimate;
using model::Figure;

// A class of pairs, or threads that contend for a line; single pairs are too many to be judged.
Figure c2c_figure(const std::string& what, const std::string& question, model::C2cMeasure measure,
                  const Estimate& estimate, int visits) {
  Figure figure;
  figure.section = "between cores";
  figure.question = "c2c|" + question;
  figure.name = "between cores: " + what;
  figure.unit = row_of(measure).unit;
  figure.better = row_of(measure).is_time ? Better::lower : Better::higher;
  figure.drift_group = core_drift;
  figure.estimate = estimate;
  figure.visits = visits;
  return figure;
}

Figure overhead_figure(const std::string& question, const std::string& name) {
  Figure figure;
  figure.section = "virtualization";
  figure.question = question;
  figure.overhead = name;
  figure.name = "virtualization: " + name;
  return figure;
}

Figure virt_figure(const model::VirtFigure& virt, const std::string& name) {
  Figure figure = overhead_figure(virt_question(virt.spec), name);
  figure.variant = virt.spec.bytes > 0 ? bytes_text(virt.spec.bytes) : "";
  figure.unit = virt.unit;
  figure.better = virt.lower_is_better ? Better::lower : Better::higher;
  const std::string_view group = row_of(virt.spec.kind).drift_group;
  figure.drift_group = group.empty() ? memory_drift : group;
  figure.estimate = virt.estimate;
  figure.visits = virt.visits;
  figure.status = virt.status;
  figure.reason = virt.reason;
  return figure;
}

}  // namespace

std::string virt_question(const model::VirtCase& spec) {
  return "virt|" + model::key(spec);
}

void add_c2c_figures(std::vector<Figure>& figures, const std::vector<model::C2cFigure>& c2c) {
  for (const model::C2cClassFigure& each : model::c2c_classes(c2c))
    figures.push_back(
        c2c_figure(fmt::format("{}, {}, line on the {}", row_of(each.measure).words, name_of(each.between),
                               row_of(each.home).words),
                   fmt::format("{}|{}|{}", name_of(each.measure), name_of(each.between), name_of(each.home)),
                   each.measure, each.estimate, each.visits));
  for (const model::C2cFigure& each : c2c) {
    if (row_of(each.spec.measure).of_pairs) continue;
    const std::string threads = count_text(std::ssize(each.spec.pus), "thread");
    figures.push_back(c2c_figure(fmt::format("{}, {}", row_of(each.spec.measure).words, threads),
                                 fmt::format("{}|{}", name_of(each.spec.measure), threads), each.spec.measure,
                                 each.estimate, each.visits));
    figures.back().status = each.status;
    figures.back().reason = each.reason;
  }
}

void add_virt_figures(std::vector<Figure>& figures, const model::VirtSummary& virt) {
  for (const model::VirtFigure& each : virt.figures) figures.push_back(virt_figure(each, name_of(each.spec)));
  for (const model::WalkLadder& ladder : virt.ladders) {
    for (const auto* list : {&ladder.latencies, &ladder.bandwidths}) {
      for (const model::VirtFigure& each : *list) {
        figures.push_back(virt_figure(each, fmt::format("{} of random accesses, {} pages", each.spec.what,
                                                        model::pages_text(each.spec.pages))));
        figures.back().is_step = true;
      }
    }
  }
  Estimate lost;
  for (const model::Noise& noise : virt.noises) {
    lost.value += noise.share.value;
    lost.lo += noise.share.lo;
    lost.hi += noise.share.hi;
  }
  if (lost.lo <= 0) return;
  const double per_cent = 100.0 / static_cast<double>(virt.noises.size());
  Figure figure = overhead_figure("virt|noise", "time lost to noise, mean of the CPUs");
  figure.unit = "%";
  figure.better = Better::lower;
  figure.drift_group = row_of(model::VirtKind::noise).drift_group;
  figure.estimate = {lost.value * per_cent, lost.lo * per_cent, lost.hi * per_cent, 1};
  figure.visits = Figure::published;  // the interval comes from many blocks of time
  figures.push_back(std::move(figure));
}

}  // namespace gable::cli
