// gable point add: a point from the user's own figures.

#include <fmt/format.h>

#include <cmath>

#include "cli/bytes_option.hpp"
#include "cli/commands.hpp"
#include "cli/point/machine.hpp"
#include "cli/point/point.hpp"
#include "cli/points_file.hpp"
#include "cli/validators.hpp"

namespace gable::cli {
namespace {

struct AddOptions {
  PointOptions point;
  double flops = 0, load_bytes = 0, store_bytes = 0;
  double seconds = 0, seconds_lo = 0, seconds_hi = 0;
  std::string policy;
  bool busy = false;
};

void run_add(const AddOptions& options) {
  model::Point point = point_from(options.point);
  point.flops = options.flops;
  point.load_bytes = options.load_bytes;
  point.store_bytes = options.store_bytes;
  point.seconds = options.seconds;
  point.seconds_lo = options.seconds_lo > 0 ? options.seconds_lo : options.seconds;
  point.seconds_hi = options.seconds_hi > 0 ? options.seconds_hi : options.seconds;
  require_policy(known_machine(options.point.folder), options.policy);
  point.policy = options.policy;
  point.alone = point.alone && !options.busy;
  point.counter = "add";
  require_from(options.point.folder, point);
  record_point(options.point.folder, point);
}

}  // namespace

void define_point_add(CLI::App& command) {
  const auto options = std::make_shared<AddOptions>();
  add_folder_option(command, options->point);
  command.add_option("--name", options->point.name, "its label; replaces a point of the same name")
      ->required();
  command.add_option("--flops", options->flops, "floating-point operations, an FMA counts 2")
      ->required()
      ->check(not_negative());
  command
      .add_option("--load-bytes", options->load_bytes,
                  "that its instructions loaded: 16.9e9, 16.9GB or 16GiB")
      ->required()
      ->transform(amount_of_bytes());
  command.add_option("--store-bytes", options->store_bytes, "that its instructions stored")
      ->transform(amount_of_bytes());
  command.add_option("--seconds", options->seconds, "wall clock")->required()->check(positive());
  command.add_option("--seconds-lo", options->seconds_lo, "lower end of the 95 % interval")
      ->check(positive());
  command.add_option("--seconds-hi", options->seconds_hi, "upper end")->check(positive());
  command.add_option("--policy", options->policy, "memory policy it ran under, as for gable point run");
  command.add_flag("--others-busy", options->busy,
                   "the other clusters ran the same: contended and congested roofs apply");
  add_from_option(command, options->point);
  add_figure_options(command, options->point);
  command.callback([options] { run_add(*options); });
}

}  // namespace gable::cli
