#include "points/samples/sampled_run.hpp"

#include <optional>
#include <system_error>

#include "points/run.hpp"
#include "points/samples/code_sampler.hpp"

namespace gable::points {

SampledRun run_sampled(const std::vector<std::string>& command, const std::vector<std::string>& environment) {
  constexpr double pause = 0.5;
  SampledRun run;
  run.ending = gable::points::run(command, environment, [&](RunningProgram& program) {
    std::optional<CodeSampler> sampler;
    try {
      sampler.emplace(program.pid());
    } catch (const std::system_error& error) {
      run.samples.missing = {model::NoteCode::sampling_refused, {std::string(error.code().message())}};
    }
    program.go();
    while (sampler && program.wait(pause)) sampler->read();
    const Ending ending = program.finish();
    if (sampler) run.samples = sampler->finish();
    return ending;
  });
  return run;
}

}  // namespace gable::points
