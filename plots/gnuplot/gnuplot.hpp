#pragma once

// Runs gnuplot on one of the scripts of plots/.

#include <map>
#include <stdexcept>
#include <string>
#include <variant>

namespace gable::cli {

/// gnuplot is not there, cannot be run, or did not draw; the message names the script and carries gnuplot's
/// own words.
struct GnuplotError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// What a script is told before it starts: gnuplot variables by name.
using Variables = std::map<std::string, std::variant<double, std::string>>;

/// The formats a script can draw, by the ending of the file: "svg", "png", "pdf".
bool is_picture_format(const std::string& format);

/// The folder of the scripts, found from where the program lies: plots beside it, beside its folder, or in
/// ../share/gable. Throws GnuplotError naming the places that were looked at.
std::string scripts_folder();

/// Whether gnuplot can be started.
bool gnuplot_found();

/// A value as gnuplot source: text in single quotes, numbers so that they read back the same.
std::string as_source(const std::variant<double, std::string>& value);

/// Draws the file `output` with `scripts`/`script`, which finds `data` (the table), `format`, `output` and
/// `variables` set. Throws GnuplotError, and a part of a picture may then be there.
void draw(const std::string& scripts, const std::string& script, const std::string& data,
          const std::string& format, const std::string& output, const Variables& variables);

}  // namespace gable::cli
