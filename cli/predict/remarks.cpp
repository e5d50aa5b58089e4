#include "cli/predict/elsewhere.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "base/programs/program.hpp"
#include "base/words.hpp"
#include "cli/profile/caches.hpp"
#include "model/points/kernel_time.hpp"
#include "model/points/limits/mix_roof.hpp"
#include "model/profile/spans.hpp"
#include "model/records/note.hpp"
#include "points/profile/build_id.hpp"

namespace gable::cli {

namespace fs = std::filesystem;

std::vector<std::string> remarks_on_profile(const model::Profile& profile) {
  std::vector<std::string> notes;
  if (!profile.command.empty() && !profile.build.empty() && fs::is_regular_file(profile.command.front())) {
    const std::string now = points::build_id(profile.command.front());
    if (!now.empty() && now != profile.build)
      notes.push_back(fmt::format(
          "{} is another build now ({}) than the profile's (\"build\": {}): the prediction is of the old one",
          profile.command.front(), now.substr(0, 12), profile.build.substr(0, 12)));
  }
  if (profile.signal != 0)
    notes.push_back(
        fmt::format("the program was killed by {} while it was profiled: the times are for its work "
                    "until then",
                    signal_text(profile.signal)));
  if (profile.lines_followed < 1) {
    const double error = 100 * model::share_error(profile);
    if (error >= 1)
      notes.push_back(fmt::format(
          "only a part of the program's lines was followed: bytes are uncertain by {}", percent_text(error)));
  }
  constexpr double uneven = 1.2;
  if (profile.threads > 1 && profile.busiest_thread * profile.threads > uneven)
    notes.push_back(fmt::format(
        "one of its {} threads executes {} of the instructions: they do not share the work evenly",
        profile.threads, percent_text(100 * profile.busiest_thread)));
  constexpr double much_more = 0.05;
  if (profile.span > profile.busiest_thread + much_more)
    notes.push_back(
        fmt::format("its threads wait for each other: {} of its instructions come one after the other",
                    percent_text(100 * profile.span)));
  if (const double contested = model::contested_share(profile); contested >= model::much_contested)
    notes.push_back(
        fmt::format("its threads contend for cache lines: {} of its accesses are to lines that another "
                    "thread uses at the same time. How long they wait for each other is not known, and the "
                    "range contains it",
                    percent_text(100 * contested)));
  if (profile.processes > 1)
    notes.push_back(
        fmt::format("it is of {} processes, each as if it had its caches to itself", profile.processes));
  return notes;
}

std::string remark_on_kernel(const model::Profile& profile) {
  constexpr double small_page = 4096, worth_a_word = 1e4;
  const double faults = model::footprint_of(profile) / small_page;
  if (faults < worth_a_word) return {};
  return fmt::format("time in the kernel is not in the prediction, such as that of {} on small pages",
                     model::faults_text(faults));
}

std::string remark_on_pages(const PredictMachine& machine, const ProgramUse& use) {
  const auto size = model::pages_named(use.pages);
  if (use.pages.empty() || !size) return {};
  const bool huge = model::is_huge(*size);
  const bool has_figures = std::ranges::any_of(machine.background.roofs.roofs, [&](const model::Roof& roof) {
    const Case& spec = roof.spec;
    return roof.status == model::Status::ok && model::is_memory(spec.level) && !spec.pages.empty() &&
           spec.kind == model::Kind::latency && model::is_huge(spec.pages) == huge;
  });
  if (has_figures) return {};
  return fmt::format("it has no latencies of {} pages: those of other pages count instead",
                     huge ? "huge" : "small");
}

std::vector<std::string> remarks_on_machine(const PredictMachine& machine, const model::Profile& profile,
                                            const model::Setting& setting) {
  std::vector<std::string> notes;
  if (!machine.architecture.empty() && !profile.architecture.empty() &&
      machine.architecture != profile.architecture)
    notes.push_back(
        fmt::format("it is {}, and the profile of {}: instructions, vectors and lines of caches differ there",
                    machine.architecture, profile.architecture));
  if (setting.caches.size() == 1)
    notes.push_back(
        fmt::format("its machine.json has {} alone: what larger caches hold counts as bytes of the memory",
                    setting.caches.front().level));
  for (const model::ProfileCache& cache : setting.caches) {
    if (cache.stream_bytes > 0)
      notes.push_back(fmt::format("its ladder shows these usable sizes by latency and by bandwidth: {}",
                                  usable_size_text(cache)));
  }
  const int threads = setting.like.threads;
  if (profile.threads == 1 && threads > 1) {
    notes.push_back(
        profile.serial > 0
            ? fmt::format("{} of its instructions are in no parallel region: one thread executes them",
                          percent_text(100 * profile.serial))
            : fmt::format("its work is divided evenly among {}: parts that one thread does alone would make "
                          "it take longer",
                          count_text(threads, "thread")));
    notes.push_back(
        model::sentence({model::NoteCode::profile_of_one_thread, {static_cast<double>(threads)}}));
  }
  if (profile.threads != threads && profile.threads > 1 && threads > 1)
    notes.push_back(
        fmt::format("the profile has {}: how {} share its data is not known, and widens the interval",
                    count_text(profile.threads, "thread"), count_text(threads, "thread")));
  if (setting.like.cores > 0 && setting.like.cores < threads)
    notes.push_back(
        fmt::format("{} share {}", count_text(threads, "thread"), count_text(setting.like.cores, "core")));
  return notes;
}

}  // namespace gable::cli
