#include "cli/bench/bench.hpp"

#include <fmt/core.h>

#include <cstdio>
#include <map>

#include "base/error.hpp"
#include "base/pages.hpp"
#include "bench/buffers/buffer.hpp"
#include "bench/visit/campaign.hpp"
#include "cli/bench/figure.hpp"
#include "cli/interrupt.hpp"
#include "model/statistics/statistics.hpp"

namespace gable::cli {

namespace {

// Names that users know from elsewhere.
std::string operation_named(const std::string& name) {
  static const std::map<std::string, std::string> others = {
      {"chase", "latency"}, {"peak", "fma_dp"}, {"fma", "fma_dp"}, {"mul", "mul_dp"}};
  const auto other = others.find(name);
  return other == others.end() ? name : other->second;
}

}  // namespace

SingleFigure measured_figure(const machines::Machine& machine, bench::Options options,
                             const bench::Single& single) {
  const bench::Preset preset = bench::preset_of_seconds(single.seconds);
  options.preset = &preset;
  options.gets_huge_pages = bench::huge_pages_can_be_had();
  if (options.pages.empty())
    options.pages = {options.gets_huge_pages ? model::huge_pages() : model::small_pages()};
  const machines::Host host = machines::this_host();
  const bench::Plan plan = bench::single_plan(machine, host, options, single);
  std::vector<model::Sample> samples;
  const bench::Hooks hooks = {
      [&](const model::Sample& sample) { samples.push_back(sample); },
      [](const bench::Progress&) {},
      model::relative_half_width,
  };
  const bench::Outcome outcome =
      bench::run_campaign(machine, host, plan, options, {}, hooks, stop_requested());
  if (outcome.interrupted) throw Error::interrupted("interrupted");
  return single_figure(samples);
}

void measure_single(BenchArguments arguments) {
  arguments.single.op = operation_named(arguments.single.op);
  const machines::Machine machine = machines::this_machine();
  if (!machine.is_this_host)
    throw Error::usage("HWLOC_XMLFILE or HWLOC_SYNTHETIC describes another machine: unset it");
  const SingleFigure figure = measured_figure(machine, arguments.options, arguments.single);
  std::fputs((arguments.json ? single_json(figure) : single_text(figure)).c_str(), stdout);
  std::fflush(stdout);
  if (figure.roof.status == model::Status::ok) return;
  throw Error::failed(
      fmt::format("bench {}: no figure: {}", arguments.single.op, sentence(figure.roof.reason)));
}

}  // namespace gable::cli
