#include "cli/draw.hpp"

#include <utility>

#include "cli/interrupt.hpp"
#include "plots/gnuplot/write.hpp"

namespace gable::cli {

void draw_charts(std::vector<charts::Chart> charts, const std::string& folder,
                 const std::vector<std::string>& formats, std::FILE* tell, const std::string& font) {
  const auto check = [] {
    if (stop_requested()) throw Interrupted("interrupted: the charts are as they were");
  };
  gnuplot::write_and_draw(std::move(charts), folder, formats, tell, check, font);
}

}  // namespace gable::cli
