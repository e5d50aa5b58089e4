#include "cli/kmaf/run.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "base/error.hpp"
#include "base/files.hpp"
#include "base/lists.hpp"
#include "base/pages.hpp"
#include "cli/folder.hpp"
#include "cli/kmaf/machine.hpp"
#include "cli/output_file.hpp"
#include "cli/text/message.hpp"
#include "kmaf/live/samplers/sampler.hpp"
#include "machines/machine.hpp"
#include "points/run.hpp"

namespace gable::cli {

namespace {

namespace live = kmaf::live;

double share_of(const std::string& text) {
  char* rest = nullptr;
  const double percent = std::strtod(text.c_str(), &rest);
  const std::string unit = rest;
  if (rest == text.c_str() || (!unit.empty() && unit != "%") || !(percent > 0 && percent <= 50))
    throw Error::usage(
        fmt::format("--overhead {}: give a share of the CPU time in percent, above 0 and up to 50", text));
  return percent / 100;
}

// With transparent huge pages everywhere, a sample represents a huge page, and pages move in this unit.
unsigned unit_of(const KmafRunArguments& arguments) {
  const auto small = static_cast<unsigned>(small_page()), huge = static_cast<unsigned>(huge_page());
  if (arguments.unit != "auto") return static_cast<unsigned>(page_size_bytes(arguments.unit));
  live::Settings settings(arguments.live.root);
  const std::string mode = settings.read("/sys/kernel/mm/transparent_hugepage/enabled").value_or("");
  return mode.find("[always]") != std::string::npos ? huge : small;
}

// Why a program that gains rights at its exec cannot be managed. Root already has all
// capabilities.
std::string unmanageable(const std::string& program) {
  const std::string more = points::privileges_of(program);
  struct stat status = {};
  if (more.empty() || stat(program.c_str(), &status) != 0) return {};
  const bool other_user = (status.st_mode & S_ISUID) && status.st_uid != geteuid();
  const bool other_group = (status.st_mode & S_ISGID) && status.st_gid != getegid();
  const bool capabilities = (status.st_mode & (S_ISUID | S_ISGID)) == 0 && geteuid() != 0;
  if (!other_user && !other_group && !capabilities) return {};
  return fmt::format("{} {}: it has rights that its user lacks, so this user cannot manage it", program,
                     more);
}

// The report must be the only output on standard error if --json writes it there.
bool says_nothing(const KmafRunArguments& arguments) {
  return arguments.json && arguments.report.empty();
}

// The notes that the user has read on standard error, where the report does not repeat them.
using Said = model::Notes;

// Uses stdio, which does not throw: the program must run even if stderr cannot be written.
void say(const KmafRunArguments& arguments, const model::Note& note, Said& said) {
  if (says_nothing(arguments)) return;
  tell(sentence(note));
  said.push_back(note);
}

void check_managed_run(const KmafRunArguments& arguments) {
  using live::Policy;
  const Policy policy = arguments.live.policy;
  if (policy == Policy::oracle && arguments.knowing.empty())
    throw Error::usage(
        "--policy oracle needs the program's accesses from an earlier run: gable kmaf run --learn "
        "FILE -- ./app arguments, then gable kmaf run --policy oracle --knowing FILE -- ./app arguments");
  if (policy != Policy::oracle && !arguments.knowing.empty())
    throw Error::usage(fmt::format("--knowing is for --policy oracle, not {}", name_of(policy)));
  if (policy != Policy::kmaf && arguments.live.sampler != "auto")
    throw Error::usage(
        fmt::format("--sampler is for --policy kmaf, which samples accesses, not {}", name_of(policy)));
  if (!arguments.live.trials && (policy != Policy::kmaf || arguments.data_only))
    throw Error::usage("--no-trials is for --policy kmaf, where it maps threads");
  if (policy != Policy::kmaf && !arguments.learn.empty())
    throw Error::usage(
        fmt::format("--learn is for --policy kmaf, which samples accesses, not {}", name_of(policy)));
  if (arguments.live.command.empty())
    throw Error::usage("no program given: gable kmaf run -- ./app arguments");
  if (!arguments.report.empty()) require_output("--report", arguments.report);
  if (!arguments.learn.empty()) require_output("--learn", arguments.learn);
  if (arguments.threads_only && arguments.data_only)
    throw Error::usage("--threads-only and --data-only exclude each other");
  if ((arguments.threads_only || arguments.data_only) && policy != Policy::kmaf && policy != Policy::oracle)
    throw Error::usage(fmt::format("--threads-only and --data-only are for --policy kmaf and oracle, not {}",
                                   name_of(policy)));
}

void write_report(const KmafRunArguments& arguments, live::Report report, const Said& said) {
  if (arguments.report.empty())
    std::erase_if(report.notes, [&](const model::Note& note) { return is_among(said, note); });
  const std::string text =
      arguments.json ? json_text(run_report_json(report), 2) + "\n" : run_report_text(report);
  if (arguments.report.empty()) {
    std::fputs(text.c_str(), stderr);
    return;
  }
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(arguments.report.c_str(), "we"),
                                                             std::fclose);
  if (file && std::fputs(text.c_str(), file.get()) >= 0 && std::fflush(file.get()) == 0) return;
  tell(fmt::format("--report {}: cannot be written", arguments.report));
  std::fputs(text.c_str(), stderr);
}

// Uses the record's page unit, and disables huge pages if the learning run did. Appends to
// `notes`.
void read_knowledge(KmafRunArguments& arguments, model::Notes& notes) {
  live::Options& live = arguments.live;
  live.unit_bytes = unit_of(arguments);
  live.no_huge_pages = page_size_bytes(arguments.unit) == small_page();
  if (arguments.knowing.empty()) return;
  live.knowledge = knowledge_from_text(read_whole(arguments.knowing), arguments.knowing);
  const kmaf::Knowledge& known = live.knowledge;
  if (known.tasks.empty())
    throw Error::usage(
        fmt::format("--knowing {}: contains no thread, so it cannot place anything; create it "
                    "again: gable kmaf run --learn FILE -- ./app arguments",
                    arguments.knowing));
  if (arguments.unit != "auto" &&
      (live.unit_bytes != known.unit_bytes || live.no_huge_pages != known.no_huge_pages))
    throw Error::usage(fmt::format("--unit {}: {} was learned with another unit; omit --unit", arguments.unit,
                                   arguments.knowing));
  live.unit_bytes = known.unit_bytes;
  live.no_huge_pages = known.no_huge_pages;
  if (known.command != live.command)
    notes.push_back({model::NoteCode::other_command_learned,
                     {arguments.knowing, fmt::format("{}", fmt::join(known.command, " "))}});
}

kmaf::MeasuredCost costs_of(const std::string& folder, const machines::Machine& machine) {
  const auto costs = measured_costs(folder, machine);
  if (!costs)
    throw Error::usage(
        fmt::format("--machine {}: no figures between cores; {}", folder, measuring_advice(folder, "c2c")));
  return costs->cost;
}

// False if the record could not be written. Appends to the report's notes.
bool write_knowledge(const KmafRunArguments& arguments, OutputFile& file, live::Report& report, Said& said) {
  const auto note_learning = [&](const model::Note& note) {
    report.notes.push_back(note);
    say(arguments, report.notes.back(), said);
  };
  if (!report.learned) {
    note_learning({model::NoteCode::nothing_learned, {arguments.learn}});
    return true;
  }
  try {
    write_whole(file.part(), knowledge_to_text(*report.learned));
    file.keep(file.part());
    return true;
  } catch (const std::exception& error) {
    note_learning({model::NoteCode::learning, {arguments.learn, error.what()}});
    return false;
  }
}

}  // namespace

void run_managed(KmafRunArguments arguments) {
  check_managed_run(arguments);
  if (const char* const root = std::getenv("GABLE_SYSTEM_ROOT")) arguments.live.root = root;
  model::Notes notes;
  read_knowledge(arguments, notes);
  Said said;
  for (const model::Note& note : notes) say(arguments, note, said);
  arguments.live.budget = share_of(arguments.overhead);
  arguments.live.threads = !arguments.data_only;
  arguments.live.pages = !arguments.threads_only;
  const std::string program = points::find_program(arguments.live.command.front());
  arguments.live.unmanageable = unmanageable(program);
  const machines::Machine machine = machines::this_machine();
  if (!arguments.machine.empty()) arguments.live.cost = costs_of(machine_folder(arguments.machine), machine);
  std::optional<OutputFile> learned;
  if (!arguments.learn.empty()) learned.emplace(arguments.learn);
  arguments.live.learns = learned.has_value();
  live::Report report =
      live::run(arguments.live, machine, [&](const model::Note& note) { say(arguments, note, said); });
  report.notes.insert(report.notes.begin(), notes.begin(), notes.end());
  const bool kept = !learned || write_knowledge(arguments, *learned, report, said);
  learned.reset();
  const int status = report.ending.status;
  write_report(arguments, std::move(report), said);
  // The program's status, except that 0 becomes 1 if the record is lost.
  throw Error::program("", status == 0 && !kept ? 1 : status);
}

}  // namespace gable::cli
