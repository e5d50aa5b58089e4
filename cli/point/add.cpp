#include "cli/point/add.hpp"

#include "cli/point/machine.hpp"
#include "cli/points_file.hpp"

namespace gable::cli {

void add_point(const PointAddArguments& arguments) {
  model::Point point = point_from(arguments.point);
  point.flops = arguments.flops;
  point.load_bytes = arguments.load_bytes;
  point.store_bytes = arguments.store_bytes;
  point.seconds = arguments.seconds;
  point.seconds_lo = arguments.seconds_lo > 0 ? arguments.seconds_lo : arguments.seconds;
  point.seconds_hi = arguments.seconds_hi > 0 ? arguments.seconds_hi : arguments.seconds;
  require_policy(known_machine(arguments.point.folder), arguments.policy);
  point.policy = arguments.policy;
  point.alone = point.alone && !arguments.busy;
  point.counter = "add";
  require_from(arguments.point.folder, point);
  record_points(arguments.point.folder, {point}, {arguments.point.json});
}

}  // namespace gable::cli
