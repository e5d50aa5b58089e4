// Dark colours are made in OKLab (Björn Ottosson, 2020), in which lightness is as the eye sees it.

#include "plots/html/marks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace gable::html {

using charts::Colour;

namespace {

using Three = std::array<double, 3>;

double linear(double part) {
  return part <= 0.04045 ? part / 12.92 : std::pow((part + 0.055) / 1.055, 2.4);
}

double encoded(double part) {
  return part <= 0.0031308 ? 12.92 * part : 1.055 * std::pow(part, 1 / 2.4) - 0.055;
}

Three linear_of(Colour colour) {
  const auto part = [&](int shift) { return linear(static_cast<double>(colour >> shift & 0xffU) / 255); };
  return {part(16), part(8), part(0)};
}

Three times(const std::array<Three, 3>& matrix, const Three& vector) {
  Three result = {};
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) result.at(i) += matrix.at(i).at(j) * vector.at(j);
  }
  return result;
}

Three oklab_of(Colour colour) {
  Three cone = times({{{0.4122214708, 0.5363325363, 0.0514459929},
                       {0.2119034982, 0.6806995451, 0.1073969566},
                       {0.0883024619, 0.2817188376, 0.6299787005}}},
                     linear_of(colour));
  for (double& part : cone) part = std::cbrt(part);
  return times({{{0.2104542553, 0.7936177850, -0.0040720468},
                 {1.9779984951, -2.4285922050, 0.4505937099},
                 {0.0259040371, 0.7827717662, -0.8086757660}}},
               cone);
}

Colour colour_of(const Three& oklab) {
  Three cone = times({{{1, 0.3963377774, 0.2158037573},
                       {1, -0.1055613458, -0.0638541728},
                       {1, -0.0894841775, -1.2914855480}}},
                     oklab);
  for (double& part : cone) part = part * part * part;
  const Three rgb = times({{{4.0767416621, -3.3077115913, 0.2309699292},
                            {-1.2684380046, 2.6097574011, -0.3413193965},
                            {-0.0041960863, -0.7034186147, 1.7076147010}}},
                          cone);
  Colour colour = 0;
  for (const double part : rgb)
    colour = colour << 8U | static_cast<Colour>(std::lround(255 * encoded(std::clamp(part, 0.0, 1.0))));
  return colour;
}

}  // namespace

Colour dark_of(Colour colour) {
  constexpr double lightest = 0.94, darkest = 0.205;
  Three lab = oklab_of(colour);
  // The power keeps the middle, where the colours of lines are, far from the ground.
  lab[0] = lightest - (lightest - darkest) * std::pow(std::clamp(lab[0], 0.0, 1.0), 1.7);
  return colour_of(lab);
}

std::string variable_of(Colour colour) {
  return fmt::format("--c{:06x}", colour);
}

std::string variables(const std::set<Colour>& colours, bool dark) {
  std::string text;
  for (const Colour colour : colours)
    text += fmt::format("{}:#{:06x};", variable_of(colour), dark ? dark_of(colour) : colour);
  return text;
}

}  // namespace gable::html
