#include "cli/cluster/run/sbatch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "base/installation.hpp"
#include "cli/cluster/run/coordinate.hpp"
#include "cli/text/shell_words.hpp"

namespace gable::cli {

std::string sbatch_script(const ClusterMeasureArguments& arguments, double deadline) {
  namespace fs = std::filesystem;
  const fs::path folder = fs::absolute(arguments.folder).lexically_normal();
  const auto gives = [&](const char* name) {
    return std::ranges::any_of(arguments.sbatch,
                               [&](const std::string& word) { return word.starts_with(name); });
  };
  std::string lines;
  const auto add = [&](const std::string& word) { lines += "#SBATCH " + word + "\n"; };
  if (!gives("--job-name")) add("--job-name=gable");
  if (arguments.nodes > 0) add(fmt::format("--nodes={}", arguments.nodes));
  add("--exclusive");
  if (!gives("--time")) {
    constexpr double minute = 60;
    add(fmt::format("--time={}", std::ceil((deadline + grace_after(deadline)) / minute) + 2));
  }
  if (!gives("--output")) add("--output=" + (folder / "slurm-%j.out").string());
  for (const std::string& word : arguments.sbatch) add(word);
  std::string call = shell_quoted(own_program()) + " cluster measure " + shell_quoted(folder);
  for (const std::string& word : arguments.options)
    call += " " + (word.starts_with("--") ? word : shell_quoted(word));
  if (!arguments.deadline.empty()) call += " --deadline " + arguments.deadline;
  if (!arguments.local.empty()) call += " --local " + shell_quoted(arguments.local);
  if (arguments.sample > 0) call += fmt::format(" --sample {}", arguments.sample);
  if (!arguments.gather.empty()) call += " --gather " + shell_quoted(arguments.gather);
  return fmt::format(
      "#!/bin/bash\n"
      "# Every node of this job measures itself into {}; nodes that are complete there are left out.\n"
      "# Written by gable cluster measure --submit. Change and keep it; `sbatch` submits it again.\n"
      "{}"
      "exec {}\n",
      folder.string(), lines, call);
}

}  // namespace gable::cli
