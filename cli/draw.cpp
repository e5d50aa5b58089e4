#include "cli/draw.hpp"

#include <utility>

#include "base/error.hpp"
#include "cli/interrupt.hpp"
#include "plots/gnuplot/script.hpp"
#include "plots/gnuplot/write.hpp"

namespace gable::cli {

void draw_charts(std::vector<charts::Chart> charts, const std::string& folder,
                 const PictureArguments& arguments, std::FILE* tell) {
  const auto check = [] {
    if (stop_requested()) throw Error::interrupted("interrupted: the charts are as they were");
  };
  std::vector<std::string> formats = arguments.formats;
  if (formats.empty()) formats = {"svg", "png"};
  if (arguments.formats.empty() && arguments.column) formats.emplace_back("pdf");
  gnuplot::write_and_draw(std::move(charts), folder, formats, tell, check,
                          arguments.font.empty() ? gnuplot::usual_font : arguments.font);
}

}  // namespace gable::cli
