#include <CLI/CLI.hpp>
#include <memory>
#include <string>
#include <vector>

#include "cli/folder.hpp"
#include "cli/options/bytes_option.hpp"
#include "cli/options/command_tree.hpp"
#include "cli/options/commands.hpp"
#include "cli/options/validators.hpp"
#include "cli/point/add.hpp"
#include "cli/point/import.hpp"
#include "cli/point/list.hpp"
#include "cli/point/run/managed.hpp"
#include "cli/point/run/run.hpp"
#include "cli/points_file.hpp"
#include "points/counters/backends.hpp"

namespace gable::cli {

namespace {

// DIR and --cluster.
void add_folder_option(CLI::App& command, PointArguments& arguments) {
  command.add_option("DIR", arguments.folder, "folder of a recorded machine")
      ->type_name(folder_value)
      ->required();
  command.add_option("--cluster", arguments.cluster, "whose threads: an index, or all (default)");
  command.add_flag("--json", arguments.json, "print the readings as JSON");
}

// --from.
void add_from_option(CLI::App& command, PointArguments& arguments) {
  command.add_option(
      "--from", arguments.from,
      "the point that is the same program placed or managed otherwise: an arrow leads from it");
}

// --nodes, --precision and --threads: what a counter of ours would have found out.
void add_figure_options(CLI::App& command, PointArguments& arguments) {
  command.add_option("--nodes", arguments.nodes,
                     "where its data lay, as NODE=PART,... (parts of their sum): 0=60,1=40");
  command.add_option("--precision", arguments.precision, "of its flops")
      ->check(one_of({"dp", "sp", "mixed"}));
  command.add_option("--threads", arguments.threads, "in all")->check(not_negative());
}

void define_point_run(CLI::App& command) {
  const auto arguments = std::make_shared<PointRunArguments>();
  std::vector<std::string> counters = {"auto", "marker"};
  for (const points::Backend& backend : points::backends()) counters.emplace_back(backend.name);
  add_folder_option(command, arguments->point);
  command.add_option("COMMAND", arguments->command, "the program and its arguments, after --");
  command.add_option(
      "--name", arguments->point.name,
      "its label (default: the program's name, and --policy's value where one is given); replaces a "
      "point of the same name");
  add_from_option(command, arguments->point);
  command.add_option(
      "--wrapper", arguments->wrapper,
      "a command that runs the program, except when it is counted: 'gable kmaf run --', 'numactl -i all'");
  command
      .add_option(
          "--managed", arguments->managed,
          "also under these policies of gable kmaf run, several with commas: a point of each, NAME by "
          "POLICY, with an arrow from the unmanaged one")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->check(one_of(managed_policies()));
  command.add_option("--counter", arguments->counter, "what counts flops and bytes")
      ->check(one_of(counters))
      ->capture_default_str();
  command
      .add_option("--policy", arguments->policy,
                  "first-touch, interleave[:N,...], bind:N, preferred:N, weighted[:N=W,...]")
      ->capture_default_str();
  command
      .add_option("--repetitions", arguments->repetitions, "timed runs (default: 3 to 7 in half a minute)")
      ->check(positive());
  command.add_flag("--smt", arguments->smt, "all hardware threads of a core, not one");
  command.add_flag("--functions", arguments->functions, "what each function did, too");
  command.add_flag("--regions", arguments->regions,
                   "a point of each region that the program marks (gable-marker.h, likwid's macros): NAME: "
                   "REGION, for --from NAME too");
  command.add_option("--flops", arguments->flops, "as known: nothing is counted")->check(not_negative());
  command.add_option("--load-bytes", arguments->load_bytes, "as known")->transform(amount_of_bytes());
  command.add_option("--store-bytes", arguments->store_bytes, "as known")->transform(amount_of_bytes());
  command.footer(
      "The program's output and input are those of the first run; the others read the same input and their "
      "output is "
      "dropped. What gable prints comes after it, with --json too. If it fails, gable ends with its exit "
      "status and records nothing.");
  command.callback([arguments] { run_point(*arguments); });
}

void define_point_add(CLI::App& command) {
  const auto arguments = std::make_shared<PointAddArguments>();
  add_folder_option(command, arguments->point);
  command.add_option("--name", arguments->point.name, "its label; replaces a point of the same name")
      ->required();
  command.add_option("--flops", arguments->flops, "floating-point operations, an FMA counts 2")
      ->required()
      ->check(not_negative());
  command
      .add_option("--load-bytes", arguments->load_bytes,
                  "that its instructions loaded: 16.9e9, 16.9GB or 16GiB")
      ->required()
      ->transform(amount_of_bytes());
  command.add_option("--store-bytes", arguments->store_bytes, "that its instructions stored")
      ->transform(amount_of_bytes());
  command.add_option("--seconds", arguments->seconds, "wall clock")->required()->check(positive());
  command.add_option("--seconds-lo", arguments->seconds_lo, "lower end of the 95 % interval")
      ->check(positive());
  command.add_option("--seconds-hi", arguments->seconds_hi, "upper end")->check(positive());
  command.add_option("--policy", arguments->policy, "memory policy it ran under, as for gable point run");
  command.add_flag("--others-busy", arguments->busy,
                   "the other clusters ran the same: contended and congested roofs apply");
  add_from_option(command, arguments->point);
  add_figure_options(command, arguments->point);
  command.callback([arguments] { add_point(*arguments); });
}

void define_point_import(CLI::App& command) {
  const auto arguments = std::make_shared<PointImportArguments>();
  add_folder_option(command, arguments->point);
  command.add_option("FILE", arguments->file, "what the tool wrote")->type_name(file_value)->required();
  command
      .add_option("--format", arguments->format,
                  "likwid (likwid-perfctr -O), perf (perf stat -j), advisor (CSV)")
      ->check(one_of({"auto", "likwid", "perf", "advisor"}))
      ->capture_default_str();
  command.add_option("--name", arguments->point.name, "label (default: the regions' names, or the file's)");
  command.add_option("--region", arguments->region, "only this region, loop or function");
  command.add_option("--seconds", arguments->seconds, "wall clock, instead of the file's")->check(positive());
  CLI::Option* load =
      command.add_option("--load-bytes", arguments->load_bytes, "as known, instead of the file's");
  CLI::Option* store = command.add_option("--store-bytes", arguments->store_bytes, "likewise");
  load->transform(amount_of_bytes())->needs(store);
  store->transform(amount_of_bytes())->needs(load);
  command
      .add_option("--access-bytes", arguments->access_bytes,
                  "width of every load and store: 32 where all of it is AVX2")
      ->check(positive())
      ->excludes(load);
  add_figure_options(command, arguments->point);
  command.callback([arguments] { import_points(*arguments); });
}

void define_point_list(CLI::App& command) {
  const auto arguments = std::make_shared<PointListArguments>();
  command.add_option("DIR", arguments->folder, "folder of a recorded machine, or a published name")
      ->type_name(machine_value)
      ->required();
  command.add_flag("--json", arguments->json, "print points.json, read anew under the roofs");
  command.add_flag("--functions", arguments->functions, "what each function did, where that was counted");
  command.callback([arguments] {
    arguments->folder = machine_folder(arguments->folder);
    list_points(*arguments);
  });
}

void define_point_remove(CLI::App& command) {
  const auto arguments = std::make_shared<PointArguments>();
  command.add_option("DIR", arguments->folder, "folder of a recorded machine")
      ->type_name(folder_value)
      ->required();
  command.add_option("--name,NAME", arguments->name, "the point's name, with or without --name")->required();
  command.callback([arguments] { remove_point(arguments->folder, arguments->name); });
}

}  // namespace

void define_point(CLI::App& command) {
  command.require_subcommand(1);
  define_point_run(
      *command.add_subcommand("run", "run a program, count what it does and where its data lies"));
  define_point_add(*command.add_subcommand("add", "add a point from figures of your own"));
  define_point_import(
      *command.add_subcommand("import", "points from likwid-perfctr, perf stat or Intel Advisor"));
  define_point_list(*command.add_subcommand("list", "each point with the roof that binds it"));
  define_point_remove(*command.add_subcommand("remove", "remove a point"));
}

}  // namespace gable::cli
