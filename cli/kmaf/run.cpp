// gable kmaf run: a program under a policy, while it runs.

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <optional>

#include "base/whole_file.hpp"
#include "cli/commands.hpp"
#include "cli/kmaf/kmaf.hpp"
#include "cli/kmaf/knowledge.hpp"
#include "cli/kmaf/run_report.hpp"
#include "cli/output_file.hpp"
#include "kmaf/live/run.hpp"
#include "kmaf/live/samplers/sampler.hpp"
#include "machines/machine.hpp"
#include "points/run.hpp"

namespace gable::cli {

namespace {

namespace live = kmaf::live;

struct ManagedRunOptions {
  live::Options live;
  std::string overhead = "1%";
  std::string unit = "auto";
  std::string report;          // empty: standard error
  std::string learn, knowing;  // files; empty: none
  bool threads_only = false, data_only = false;
  bool json = false;
};

double share_of(const std::string& text) {
  char* rest = nullptr;
  const double percent = std::strtod(text.c_str(), &rest);
  const std::string unit = rest;
  if (rest == text.c_str() || (!unit.empty() && unit != "%") || !(percent > 0 && percent <= 50))
    throw UsageError(
        fmt::format("--overhead {}: give a share of the CPU time in percent, above 0 and up to 50", text));
  return percent / 100;
}

// With transparent huge pages everywhere a sample stands for 2 MiB, and pages move by as much.
unsigned unit_of(const ManagedRunOptions& options) {
  if (options.unit == "4k") return 4096;
  constexpr unsigned huge = 2u << 20;
  if (options.unit == "2m") return huge;
  live::Settings settings(options.live.root);
  const std::string mode = settings.read("/sys/kernel/mm/transparent_hugepage/enabled").value_or("");
  return mode.find("[always]") != std::string::npos ? huge : 4096;
}

// As the caller has it: main changes it.
const bool pipes_ignored = [] {
  struct sigaction now = {};
  return sigaction(SIGPIPE, nullptr, &now) == 0 && now.sa_handler == SIG_IGN;
}();

// A program that takes on rights when it is executed which this user lacks. Root has all capabilities
// already.
std::string unmanageable(const std::string& program) {
  const std::string more = points::privileges_of(program);
  struct stat status = {};
  if (more.empty() || stat(program.c_str(), &status) != 0) return {};
  const bool other_user = (status.st_mode & S_ISUID) && status.st_uid != geteuid();
  const bool other_group = (status.st_mode & S_ISGID) && status.st_gid != getegid();
  const bool capabilities = (status.st_mode & (S_ISUID | S_ISGID)) == 0 && geteuid() != 0;
  if (!other_user && !other_group && !capabilities) return {};
  return fmt::format("{} {}: it has rights that its user lacks, and is nobody else's to manage", program,
                     more);
}

// The report on standard error is all that is there with --json, for whoever reads it.
bool says_nothing(const ManagedRunOptions& options) {
  return options.json && options.report.empty();
}

// Nobody may read it, which is no reason not to run the program: stdio does not throw.
void say(const ManagedRunOptions& options, const std::string& text) {
  if (!says_nothing(options)) std::fputs(fmt::format("gable: {}\n", text).c_str(), stderr);
}

void check_managed_run(const ManagedRunOptions& options) {
  const std::string& policy = options.live.policy;
  if (policy == "oracle" && options.knowing.empty())
    throw UsageError(
        "--policy oracle: it has to know the program's accesses from an earlier run: gable kmaf run --learn "
        "FILE -- ./app arguments, then gable kmaf run --policy oracle --knowing FILE -- ./app arguments");
  if (policy != "oracle" && !options.knowing.empty())
    throw UsageError(fmt::format("--knowing is for --policy oracle, not {}", policy));
  if (policy != "kmaf" && options.live.sampler != "auto")
    throw UsageError(fmt::format("--sampler is for --policy kmaf, which looks at accesses, not {}", policy));
  if (policy != "kmaf" && !options.learn.empty())
    throw UsageError(fmt::format("--learn is for --policy kmaf, which looks at accesses, not {}", policy));
  if (options.live.command.empty()) throw UsageError("which program? gable kmaf run -- ./app arguments");
  if (!options.report.empty()) require_output("--report", options.report);
  if (!options.learn.empty()) require_output("--learn", options.learn);
  if (options.threads_only && options.data_only)
    throw UsageError("--threads-only and --data-only exclude each other");
  if ((options.threads_only || options.data_only) && policy != "kmaf" && policy != "oracle")
    throw UsageError(
        fmt::format("--threads-only and --data-only are for --policy kmaf and oracle, not {}", policy));
}

void write_report(const ManagedRunOptions& options, const live::Report& report) {
  const std::string text = options.json ? run_report_json(report).dump(2) + "\n" : run_report_text(report);
  if (options.report.empty()) {
    std::fputs(text.c_str(), stderr);
    return;
  }
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(options.report.c_str(), "we"),
                                                             std::fclose);
  if (!file || std::fputs(text.c_str(), file.get()) < 0 || std::fflush(file.get()) != 0)
    std::fputs(fmt::format("gable: --report {}: cannot be written\n{}", options.report, text).c_str(),
               stderr);
}

// Pages are in the units that were learned, and huge pages are denied again where they were. Appends to
// `notes`.
void read_knowledge(ManagedRunOptions& options, std::vector<std::string>& notes) {
  live::Options& live = options.live;
  live.unit_bytes = unit_of(options);
  live.no_huge_pages = options.unit == "4k";
  if (options.knowing.empty()) return;
  live.knowledge = knowledge_from_text(read_whole(options.knowing), options.knowing);
  const kmaf::Knowledge& known = live.knowledge;
  if (known.tasks.empty())
    throw UsageError(
        fmt::format("--knowing {}: no thread is in it, so nothing can be placed by it; make it "
                    "anew: gable kmaf run --learn FILE -- ./app arguments",
                    options.knowing));
  if (options.unit != "auto" &&
      (live.unit_bytes != known.unit_bytes || live.no_huge_pages != known.no_huge_pages))
    throw UsageError(fmt::format("--unit {}: {} was learned with another; leave it to the file", options.unit,
                                 options.knowing));
  live.unit_bytes = known.unit_bytes;
  live.no_huge_pages = known.no_huge_pages;
  if (known.command != live.command)
    notes.push_back(fmt::format("{} was learned from another command: {}", options.knowing,
                                fmt::join(known.command, " ")));
}

// False where what was learned could not be written. Appends to the report's notes.
bool write_knowledge(const ManagedRunOptions& options, OutputFile& file, live::Report& report) {
  const auto tell = [&](const std::string& what) {
    report.notes.push_back(fmt::format("--learn {}: {}", options.learn, what));
    say(options, report.notes.back());
  };
  if (!report.learned) {
    tell("nothing was seen or nothing can be learned, so nothing is written");
    return true;
  }
  try {
    write_whole(file.part(), knowledge_to_text(*report.learned));
    file.keep(file.part());
    return true;
  } catch (const std::exception& error) {
    tell(error.what());
    return false;
  }
}

void run(ManagedRunOptions options) {
  check_managed_run(options);
  if (const char* const root = std::getenv("GABLE_SYSTEM_ROOT")) options.live.root = root;
  std::vector<std::string> notes;
  read_knowledge(options, notes);
  for (const std::string& note : notes) say(options, note);
  options.live.budget = share_of(options.overhead);
  options.live.threads = !options.data_only;
  options.live.pages = !options.threads_only;
  const std::string program = points::find_program(options.live.command.front());
  options.live.unmanageable = unmanageable(program);
  const machines::Machine machine = machines::this_machine();
  options.live.pipes_ignored = pipes_ignored;
  std::optional<OutputFile> learned;
  if (!options.learn.empty()) learned.emplace(options.learn);
  options.live.learns = learned.has_value();
  live::Report report =
      live::run(options.live, machine, [&](const std::string& note) { say(options, note); });
  report.notes.insert(report.notes.begin(), notes.begin(), notes.end());
  const bool kept = !learned || write_knowledge(options, *learned, report);
  learned.reset();
  write_report(options, report);
  // The status is the program's own, unless that says that all is well.
  throw CLI::RuntimeError(report.ending.status == 0 && !kept ? 1 : report.ending.status);
}

template <typename Entries>
std::string described(const Entries& entries) {
  std::string text;
  for (const auto& entry : entries) text += fmt::format("\n  {:12} {}", entry.name, entry.summary);
  return text;
}

}  // namespace

void define_kmaf_run(CLI::App& command) {
  const auto options = std::make_shared<ManagedRunOptions>();
  std::vector<std::string> policies, samplers = {"auto"};
  for (const auto& entry : live::policies()) policies.emplace_back(entry.name);
  for (const auto& entry : live::samplers()) samplers.emplace_back(entry.name);
  command.add_option("COMMAND", options->live.command, "the program and its arguments, after --");
  command.add_option("--policy", options->live.policy, "who decides where threads run and pages lie")
      ->check(CLI::IsMember(policies))
      ->capture_default_str();
  command.add_flag("--threads-only", options->threads_only, "kmaf and oracle leave pages to the OS");
  command.add_flag("--data-only", options->data_only, "kmaf and oracle leave threads to the OS");
  command.add_option("--learn", options->learn, "file for what the run shows of the accesses, for --knowing");
  command.add_option("--knowing", options->knowing, "file that --learn wrote, for --policy oracle");
  command
      .add_option("--overhead", options->overhead, "share of the program's CPU time that managing may take")
      ->capture_default_str();
  command
      .add_option("--sampler", options->live.sampler, "what sees the accesses; auto: the first that works")
      ->check(CLI::IsMember(samplers))
      ->capture_default_str();
  command
      .add_option(
          "--unit", options->unit,
          "pages are counted and moved in units of 4k (no transparent huge pages for the program), or 2m; "
          "auto: 2m where huge pages are for all")
      ->check(CLI::IsMember({"auto", "4k", "2m"}))
      ->capture_default_str();
  command.add_option("--report", options->report,
                     "file for the report (default: standard error, at the end)");
  command.add_flag("--json", options->json, "the report is JSON");
  command.footer(
      "Output, input and exit status are the program's own; 128 + N when signal N ended it. Where what was "
      "learned could not be written, 1 instead of 0.\n\npolicies:" +
      described(live::policies()) + "\n\nsamplers:" + described(live::samplers()));
  command.callback([options] { run(*options); });
}

}  // namespace gable::cli
