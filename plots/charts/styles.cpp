#include "plots/charts/styles.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <string_view>

namespace gable::charts {

namespace {

struct Look {
  std::string_view name;
  Colour colour;
  std::vector<double> dash;
};

const Look roof_looks[] = {{"L1", 0x222222, {}},
                           {"L2", 0x4a5a70, {16, 4}},
                           {"L3", 0x7a4b12, {7, 4}},
                           {"cache", 0x222222, {3, 3}},
                           {"local", 0x0072b2, {}},
                           {"local_all", 0x2a93d5, {18, 5}},
                           {"remote", 0x00805e, {9, 5}},
                           {"contended", 0xc24e00, {2, 4}},
                           {"congested", 0xa8437f, {11, 4, 2, 4}},
                           {"core", 0x555555, {}},
                           {"hybrid", 0x5d3fb3, {14, 3, 3, 3, 3, 3}},
                           {"hybrid_all", 0x5d3fb3, {7, 3, 3, 3}},
                           {"mix", 0x5d3fb3, {14, 3, 3, 3, 3, 3}}};

constexpr std::array<Colour, 8> series_colours = {0x0072b2, 0xc24e00, 0x00805e, 0xa8437f,
                                                  0x222222, 0x1f87bd, 0x8a6d00, 0x7a3b00};
constexpr std::array<Symbol, 8> series_symbols = {Symbol::disc,        Symbol::square,       Symbol::triangle,
                                                  Symbol::inverted,    Symbol::diamond,      Symbol::ring,
                                                  Symbol::open_square, Symbol::open_triangle};
constexpr std::array<Colour, 2> point_colours = {0xc8102e,
                                                 0x7d0018};  // red, which no roof is; names tell them apart
constexpr std::array<Symbol, 5> point_symbols = {Symbol::square, Symbol::triangle, Symbol::diamond,
                                                 Symbol::inverted, Symbol::pentagon};
constexpr std::array<Symbol, 5> simulated_symbols = {Symbol::open_square, Symbol::open_triangle,
                                                     Symbol::open_diamond, Symbol::open_inverted,
                                                     Symbol::open_pentagon};

const Look& look_of(const model::Case& spec) {
  const auto named = [](std::string_view name) { return std::ranges::find(roof_looks, name, &Look::name); };
  const auto level = named(spec.level.name());
  if (is_in_cache(spec.pattern) && level != std::end(roof_looks)) return *level;
  const auto found = named(name_of(spec.pattern));
  return found == std::end(roof_looks) ? roof_looks[3] : *found;
}

// Fused multiply-adds of double precision are the highest peak of most programs, and solid. Additions and
// multiplications have the same peak and dash.
std::vector<double> peak_dash(const model::Case& spec) {
  const bool is_fused = spec.op == model::operations::fma;
  if (spec.precision == model::Precision::sp)
    return is_fused ? std::vector<double>{7, 4} : std::vector<double>{2, 4};
  return is_fused ? std::vector<double>{} : std::vector<double>{16, 4, 2, 4};
}

}  // namespace

Style roof_style(const model::Case& spec) {
  const Look& look = look_of(spec);
  Style style{look.colour, 1.8, look.dash};
  if (is_peak(spec.kind)) style.dash = peak_dash(spec);
  if (spec.kind == model::Kind::random) style.dash = {2, 3};
  if (const auto tier = spec.tier.single()) style.width = row_of(*tier).line_width;
  return style;
}

Style overlay_style() {
  return {0x707070, 1.3, {5, 4}};
}

Style series_style(std::size_t index) {
  Style style{series_colours[index % series_colours.size()]};
  style.symbol = series_symbols[index % series_symbols.size()];
  style.opacity = 0.8;
  return style;
}

Style point_style(std::size_t index, bool simulated) {
  Style style{point_colours[index % point_colours.size()]};
  style.symbol = (simulated ? simulated_symbols : point_symbols)[index % point_symbols.size()];
  if (simulated) style.dash = {5, 4};
  style.size = 1.1;
  style.width = 1.2;
  style.capped = true;
  return style;
}

Style filled(Style style, std::size_t index) {
  style.hatched = index % 2 == 1;
  style.falling = index % 4 == 3;
  if (index % 4 == 2) style.opacity = 0.35;
  return style;
}

Style policy_style(const std::string& name, std::size_t index) {
  Style style = series_style(index);
  if (name == "kmaf") style.colour = 0x111111;
  if (name == "oracle") style.colour = 0xa9a9a9;
  return name == "kmaf" || name == "oracle" ? style : filled(style, index);
}

Style law_style(bool is_best, std::size_t rank) {
  if (is_best) return {0x0072b2, 2.4};
  return rank == 0 ? Style{0xc24e00, 1.5, {7, 4}} : Style{0x00805e, 1.5, {3, 3}};
}

Colour mixed(Colour from, Colour to, double share) {
  Colour result = 0;
  for (const int shift : {16, 8, 0}) {
    const double a = from >> shift & 0xff, b = to >> shift & 0xff, part = a + share * (b - a);
    result |= static_cast<Colour>(std::clamp(part, 0.0, 255.0)) << shift;
  }
  return result;
}

}  // namespace gable::charts
