#include <CLI/CLI.hpp>
#include <memory>
#include <string>
#include <vector>

#include "cli/folder.hpp"
#include "cli/options/command_tree.hpp"
#include "cli/options/commands.hpp"
#include "cli/options/common_options.hpp"
#include "cli/options/validators.hpp"
#include "cli/point/commands.hpp"
#include "cli/point/run/run.hpp"
#include "cli/point/run/runs.hpp"
#include "cli/points_file.hpp"
#include "points/counters/counts.hpp"

namespace gable::cli {

namespace {

// DIR and --cluster.
void add_folder_option(CLI::App& command, PointArguments& arguments) {
  add_folder(command, "DIR", arguments.folder, "folder of a recorded machine")->required();
  command.add_option("--cluster", arguments.cluster,
                     "cluster on whose cores the program runs: an index, or all (default)");
  command.add_flag("--json", arguments.json, "print the points as JSON");
}

// --from.
void add_from_option(CLI::App& command, PointArguments& arguments) {
  command.add_option("--from", arguments.from,
                     "the point of the same program under another placement or policy; an arrow leads from "
                     "it to the new point");
}

// --nodes, --precision, --threads, --level-bytes and --access: what a counter of ours would have found out.
void add_figure_options(CLI::App& command, PointArguments& arguments) {
  command.add_option("--nodes", arguments.nodes,
                     "location of its data, as NODE=PART,... (parts of their sum): 0=60,1=40");
  command.add_option("--precision", arguments.precision, "precision of its flops")
      ->check(one_of({"dp", "sp", "mixed"}));
  command.add_option("--threads", arguments.threads, "number of its threads")->check(not_negative());
  command
      .add_option(
          "--level-bytes", arguments.level_bytes,
          "bytes read from and written to a cache or the memory, LEVEL=READ,WRITTEN; once for each level: "
          "L3=9e9,3e9 or DRAM=33.7e9,0.8e9")
      ->allow_extra_args(false);
  command
      .add_option("--access", arguments.access,
                  "bytes read from and written to a memory node, NODE=load:BYTES,store:BYTES; once for each "
                  "node: 0=load:3e9,store:1e9")
      ->allow_extra_args(false);
}

void define_point_run(CLI::App& command) {
  const auto arguments = std::make_shared<PointRunArguments>();
  std::vector<std::string> counters = {"auto", "marker"};
  for (const points::Backend& backend : points::backends()) counters.emplace_back(backend.name);
  add_folder_option(command, arguments->point);
  command.add_option("COMMAND", arguments->command, "the program and its arguments, after --");
  command.add_option("--name", arguments->point.name,
                     "name of the point (default: name of the program or script, with the --policy if one is "
                     "given); replaces "
                     "a point of the same name");
  add_from_option(command, arguments->point);
  command.add_option("--wrapper", arguments->wrapper,
                     "a command that starts the program in every run but the counted one: 'gable kmaf run "
                     "--', 'numactl -i all'");
  command.add_option("--counted", arguments->counted,
                     "a command that does the same work and is counted in place of the program: a build for "
                     "AVX2 of one with AVX-512, which Valgrind does not support");
  add_list(command, "--managed", arguments->managed,
           "also run the program under these policies of gable kmaf run, separated by commas; each "
           "adds a point NAME by POLICY, with an arrow from the unmanaged one")
      ->check(one_of(managed_policies()));
  command.add_option("--counter", arguments->counter, "what counts flops and bytes")
      ->check(one_of(counters))
      ->capture_default_str();
  command
      .add_option("--policy", arguments->policy,
                  "first-touch, interleave[:N,...], bind:N, preferred:N, weighted[:N=W,...]")
      ->capture_default_str();
  command
      .add_option("--repetitions", arguments->repetitions,
                  "number of timed runs (default: 3 to 7 in half a minute)")
      ->check(positive());
  command.add_flag("--smt", arguments->smt, "use all hardware threads of a core, not only one");
  command.add_flag("--functions", arguments->functions, "record and print the work of every function");
  command.add_flag("--regions", arguments->regions,
                   "add a point NAME: REGION for each region that the program marks (gable-marker.h, "
                   "likwid's macros); --from NAME then compares regions");
  command.add_option("--flops", arguments->flops, "flops, if known: nothing is counted")
      ->check(not_negative());
  command.add_option("--load-bytes", arguments->load_bytes, "bytes loaded, if known")
      ->transform(amount_of_bytes());
  command.add_option("--store-bytes", arguments->store_bytes, "bytes stored, if known")
      ->transform(amount_of_bytes());
  add_note(
      command,
      {"The first run has the program's input and output; the other runs read the same input, and their "
       "output is dropped. gable prints its results after the program's output, also with --json. If the "
       "program fails, gable exits with its status and records nothing.",
       {}});
  command.callback([arguments] { run_point(*arguments); });
}

void define_point_add(CLI::App& command) {
  const auto arguments = std::make_shared<PointAddArguments>();
  add_folder_option(command, arguments->point);
  command.add_option("--name", arguments->point.name, "name of the point; replaces a point of the same name")
      ->required();
  command.add_option("--flops", arguments->flops, "floating-point operations, an FMA counts 2")
      ->required()
      ->check(not_negative());
  command
      .add_option("--load-bytes", arguments->load_bytes,
                  "bytes that its instructions loaded: 16.9e9, 16.9GB or 16GiB")
      ->required()
      ->transform(amount_of_bytes());
  command.add_option("--store-bytes", arguments->store_bytes, "bytes that its instructions stored")
      ->transform(amount_of_bytes());
  command.add_option("--seconds", arguments->seconds, "wall clock time")->required()->check(positive());
  command.add_option("--seconds-lo", arguments->seconds_lo, "lower end of the 95 % interval")
      ->check(positive());
  command.add_option("--seconds-hi", arguments->seconds_hi, "upper end of this interval")->check(positive());
  command.add_option("--policy", arguments->policy,
                     "memory policy under which it ran, as for gable point run");
  command.add_flag(
      "--others-busy", arguments->busy,
      "the other clusters ran the same program at the same time: roofs of all clusters at once apply");
  add_from_option(command, arguments->point);
  add_figure_options(command, arguments->point);
  command.callback([arguments] { add_point(*arguments); });
}

void define_point_import(CLI::App& command) {
  const auto arguments = std::make_shared<PointImportArguments>();
  add_folder_option(command, arguments->point);
  add_file(command, "FILE", arguments->file, "file that the tool wrote")->required();
  command
      .add_option(
          "--format", arguments->format,
          "likwid (likwid-perfctr -O), perf (perf stat -j), advisor (CSV), cachegrind (cachegrind.out)")
      ->check(one_of({"auto", "likwid", "perf", "advisor", "cachegrind"}))
      ->capture_default_str();
  command.add_option("--name", arguments->point.name, "label (default: the regions' names, or the file's)");
  command.add_option("--region", arguments->region, "only this region, loop or function");
  command.add_option("--seconds", arguments->seconds, "wall clock time, instead of the file's")
      ->check(positive());
  CLI::Option* load = command.add_option("--load-bytes", arguments->load_bytes,
                                         "bytes loaded, if known, instead of the file's");
  CLI::Option* store = command.add_option("--store-bytes", arguments->store_bytes, "bytes stored, likewise");
  load->transform(amount_of_bytes())->needs(store);
  store->transform(amount_of_bytes())->needs(load);
  command
      .add_option("--access-bytes", arguments->access_bytes,
                  "width of every load and store in bytes: 32 if all of them are AVX2")
      ->check(positive())
      ->excludes(load);
  add_figure_options(command, arguments->point);
  command.callback([arguments] { import_points(*arguments); });
}

void define_point_list(CLI::App& command) {
  const auto arguments = std::make_shared<PointListArguments>();
  add_machine(command, "DIR", arguments->folder, "folder of a recorded machine, or a published name")
      ->required();
  command.add_option("NAME", arguments->names, "only points whose names contain this text");
  command.add_flag("--table", arguments->table, "print a line for each point");
  command.add_flag("--json", arguments->json, "print points.json, with the roofs that bind the points now");
  command.add_flag("--functions", arguments->functions,
                   "also print the functions of points for which they were counted");
  command.add_flag("--objects", arguments->objects,
                   "also print the objects (arrays, variables, stacks) of points that have a profile");
  command.callback([arguments] {
    arguments->folder = machine_folder(arguments->folder);
    list_points(*arguments);
  });
}

void define_point_remove(CLI::App& command) {
  const auto arguments = std::make_shared<PointArguments>();
  add_folder(command, "DIR", arguments->folder, "folder of a recorded machine")->required();
  command.add_option("--name,NAME", arguments->name, "the point's name, with or without --name")->required();
  command.callback([arguments] { remove_point(arguments->folder, arguments->name); });
}

}  // namespace

void define_point(CLI::App& command) {
  command.require_subcommand(1);
  define_point_run(
      *command.add_subcommand("run", "run a program, count its work and find where its data lies"));
  define_point_add(*command.add_subcommand("add", "add a point from figures of your own"));
  define_point_import(*command.add_subcommand(
      "import", "add points from likwid-perfctr, perf stat, Intel Advisor or cachegrind"));
  define_point_list(*command.add_subcommand("list", "list the points and the roofs that bind them"));
  define_point_remove(*command.add_subcommand("remove", "remove a point"));
}

}  // namespace gable::cli
