#include "bench/plan/preset.hpp"

namespace gable::bench {

namespace {

constexpr Preset preset_table[] = {
    {.name = "quick",
     .summary = "a first look: about 20 seconds with one memory node, two minutes with eight",
     .rounds = 6,
     .visit_seconds = 0.02,
     .tight = 0.002,
     .ladder_rounds = 3,
     .ladder_seconds = 0.008,
     .steps_per_octave = 1,
     .load_steps = 4,
     .grid_level = 2,
     .all_grid_level = 0,
     .grid_pairs = 1,
     .grid_rounds = 3,
     .validation = false,
     .every_isa = false,
     .all_operations = false,
     .all_pages = false},
    {.name = "standard",
     .summary = "what a report needs: about a minute with one memory node, four minutes with eight",
     .rounds = 9,
     .visit_seconds = 0.036,
     .tight = 0.001,
     .ladder_rounds = 6,
     .ladder_seconds = 0.01,
     .steps_per_octave = 2,
     .load_steps = 10,
     .grid_level = 3,
     .all_grid_level = 1,
     .grid_pairs = 2,
     .grid_rounds = 4,
     .validation = true,
     .every_isa = true,
     .all_operations = false,
     .all_pages = false},
    {.name = "full",
     .summary = "every bandwidth kernel and all page sizes, for a paper: 6 minutes with one memory node, "
                "half an hour with eight",
     .rounds = 15,
     .visit_seconds = 0.06,
     .tight = 0.001,
     .ladder_rounds = 9,
     .ladder_seconds = 0.02,
     .steps_per_octave = 2,
     .load_steps = 20,
     .grid_level = 4,
     .all_grid_level = 3,
     .grid_pairs = 4,
     .grid_rounds = 6,
     .validation = true,
     .every_isa = true,
     .all_operations = true,
     .all_pages = true},
};

}  // namespace

std::span<const Preset> presets() {
  return preset_table;
}

const Preset* find_preset(std::string_view name) {
  for (const Preset& preset : preset_table) {
    if (preset.name == name) return &preset;
  }
  return nullptr;
}

}  // namespace gable::bench
