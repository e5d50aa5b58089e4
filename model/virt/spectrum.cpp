// Periodic sources of detours. Detours of similar length are taken together, because one source has similar
// ones; their times, as impulses, have a spectrum. Impulses at random have the same expected power at every
// frequency, and a regular source stands out at its own frequency and its multiples.

#include <algorithm>
#include <cmath>
#include <complex>
#include <map>
#include <string>

#include "base/sorting.hpp"
#include "model/virt/noise.hpp"

namespace gable::model {
namespace {

using Complex = std::complex<double>;
constexpr double turn = 6.283185307179586;
constexpr double bin_us = 50;       // the highest frequency is 10 kHz
constexpr double most_seconds = 4;  // of a record are transformed

// Transforms the values in place; their number is a power of two.
void transform(std::vector<Complex>& values) {
  const std::size_t n = values.size();
  for (std::size_t i = 1, j = 0; i < n; ++i) {
    std::size_t bit = n >> 1;
    for (; (j & bit) != 0; bit >>= 1) j ^= bit;
    j ^= bit;
    if (i < j) std::swap(values[i], values[j]);
  }
  for (std::size_t length = 2; length <= n; length *= 2) {
    const Complex step = std::polar(1.0, -turn / static_cast<double>(length));
    for (std::size_t begin = 0; begin < n; begin += length) {
      Complex factor = 1;
      for (std::size_t k = begin; k < begin + length / 2; ++k) {
        const Complex odd = values[k + length / 2] * factor;
        values[k + length / 2] = values[k] - odd;
        values[k] += odd;
        factor *= step;
      }
    }
  }
}

// The detours of one record that lie in a class of lengths.
struct Train {
  double seconds = 0;
  std::vector<Detour> detours;
};

using Trains = std::vector<Train>;

std::size_t count_of(const Trains& trains) {
  std::size_t count = 0;
  for (const Train& train : trains) count += train.detours.size();
  return count;
}

Trains of_lengths(const std::vector<const VirtSample*>& records, double from_us, double to_us) {
  Trains trains;
  for (const VirtSample* record : records) {
    Train train;
    train.seconds = record->seconds.front();
    for (const Detour& detour : record->detours) {
      if (detour.length_us >= from_us && detour.length_us < to_us) train.detours.push_back(detour);
    }
    trains.push_back(std::move(train));
  }
  return trains;
}

// Power at a frequency (in 1/us) over what impulses at random would have: 1 on average for each train.
double power_at(const Trains& trains, double frequency) {
  double power = 0;
  for (const Train& train : trains) {
    if (train.detours.empty()) continue;
    Complex sum = 0;
    for (const Detour& detour : train.detours) sum += std::polar(1.0, -turn * frequency * detour.begin_us);
    power += std::norm(sum) / static_cast<double>(train.detours.size());
  }
  return power;
}

struct Spectrum {
  double step = 0;  // between frequencies, 1/us
  std::vector<double> power;
};

Spectrum spectrum_of(const Trains& trains) {
  double longest = 0;
  for (const Train& train : trains) longest = std::max(longest, std::min(train.seconds, most_seconds));
  std::size_t bins = 1024;
  while (static_cast<double>(bins) * bin_us < longest * 1e6) bins *= 2;
  Spectrum spectrum{1 / (static_cast<double>(bins) * bin_us), std::vector<double>(bins / 2, 0)};
  for (const Train& train : trains) {
    if (train.detours.empty()) continue;
    std::vector<Complex> values(bins, 0);
    double impulses = 0;
    for (const Detour& detour : train.detours) {
      const auto bin = static_cast<std::size_t>(detour.begin_us / bin_us);
      if (bin >= bins) break;
      values[bin] += 1;
      impulses += 1;
    }
    if (impulses == 0) continue;
    const double level = impulses / (std::min(train.seconds, most_seconds) * 1e6 / bin_us);
    for (Complex& value : values) value -= level;  // what is there at frequency 0
    transform(values);
    for (std::size_t k = 0; k < spectrum.power.size(); ++k)
      spectrum.power[k] += std::norm(values[k]) / impulses;
  }
  return spectrum;
}

// The power of a frequency and its multiples together.
double comb_at(const Trains& trains, double frequency) {
  constexpr int teeth = 4;
  double power = 0;
  for (int tooth = 1; tooth <= teeth; ++tooth) power += power_at(trains, tooth * frequency);
  return power;
}

// The lowest frequency whose power is clearly above chance and not far below the highest; 0: none.
double fundamental(const Trains& trains) {
  constexpr double above_chance = 15, of_highest = 0.4;
  const Spectrum spectrum = spectrum_of(trains);
  const auto count = static_cast<double>(trains.size());
  const double needed = count + 5 * std::sqrt(count) + above_chance;
  double longest = 0;
  for (const Train& train : trains) longest = std::max(longest, std::min(train.seconds, most_seconds) * 1e6);
  constexpr double least_periods = 4;  // in a record: slower changes are no periods
  const auto first = static_cast<std::size_t>(std::ceil(least_periods / (longest * spectrum.step)));
  double highest = 0;
  for (std::size_t k = first; k < spectrum.power.size(); ++k) highest = std::max(highest, spectrum.power[k]);
  if (highest < needed) return 0;
  for (std::size_t k = first; k + 1 < spectrum.power.size(); ++k) {
    const bool peak =
        spectrum.power[k] >= spectrum.power[k - 1] && spectrum.power[k] >= spectrum.power[k + 1];
    if (peak && spectrum.power[k] >= std::max(needed, of_highest * highest))
      return static_cast<double>(k) * spectrum.step;
  }
  return 0;
}

double refined(const Trains& trains, const double rough, double step) {
  constexpr double far = 0.2;  // where another period begins
  double frequency = rough;
  for (double reach = step; reach > step * 1e-3; reach /= 3) {
    double best = frequency, most = comb_at(trains, frequency);
    for (int i = -6; i <= 6; ++i) {
      const double other = frequency + i * reach / 6;
      const double power = std::abs(other / rough - 1) <= far ? comb_at(trains, other) : 0;
      if (power > most) {
        most = power;
        best = other;
      }
    }
    frequency = best;
  }
  return frequency;
}

// The detours of any record that come when the source is due.
NoiseSource members(const std::vector<const VirtSample*>& records, const Trains& trains, double frequency) {
  constexpr double window = 0.08;  // of a period, to each side
  constexpr double shorter = 0.4, longer = 2.5;
  std::vector<double> class_lengths, lengths;
  for (const Train& train : trains) {
    for (const Detour& detour : train.detours) class_lengths.push_back(detour.length_us);
  }
  const double typical = median(class_lengths);
  double seconds = 0;
  for (std::size_t r = 0; r < records.size(); ++r) {
    seconds += records[r]->seconds.front();
    Complex sum = 0;
    for (const Detour& detour : trains[r].detours) sum += std::polar(1.0, turn * frequency * detour.begin_us);
    if (sum == Complex(0)) continue;
    for (const Detour& detour : records[r]->detours) {
      if (detour.length_us < shorter * typical || detour.length_us > longer * typical) continue;
      const double off = std::arg(std::polar(1.0, turn * frequency * detour.begin_us) / sum) / turn;
      if (std::abs(off) <= window) lengths.push_back(detour.length_us);
    }
  }
  NoiseSource source;
  source.period_us = 1 / frequency;
  if (lengths.empty()) return source;
  source.detours = static_cast<int>(lengths.size());
  source.length_us = median(lengths);
  source.seen = static_cast<double>(lengths.size()) / (seconds * 1e6 * frequency);
  for (const double length : lengths) source.share += length / (seconds * 1e6);
  return source;
}

// "LOC Local timer interrupts": what came as often on this CPU.
std::string name_of_rate(const std::vector<const VirtSample*>& records, double per_second) {
  constexpr double tolerance = 0.1;
  std::map<std::string, double> counts;
  double seconds = 0;
  for (const VirtSample* record : records) {
    seconds += record->seconds.front();
    for (const auto& [name, count] : record->interrupts) counts[name] += count;
  }
  std::string best;
  for (const auto& [name, count] : counts) {
    if (std::abs(count / seconds / per_second - 1) > tolerance) continue;
    if (best.empty() || name.starts_with("LOC")) best = name;
  }
  return best;
}

void keep(std::vector<NoiseSource>& sources, const NoiseSource& found) {
  constexpr double same = 0.02;
  for (NoiseSource& known : sources) {
    if (std::abs(known.period_us / found.period_us - 1) > same) continue;
    if (std::abs(std::log2(known.length_us / found.length_us)) > 1.5)
      continue;  // another one at the same times
    if (found.detours > known.detours) known = found;
    return;
  }
  sources.push_back(found);
}

}  // namespace

std::vector<NoiseSource> periodic_sources(const std::vector<const VirtSample*>& records) {
  constexpr std::size_t least_detours = 6;
  constexpr double least_seen = 0.5;
  double shortest = HUGE_VAL, longest = 0;
  for (const VirtSample* record : records) {
    for (const Detour& detour : record->detours) {
      shortest = std::min(shortest, detour.length_us);
      longest = std::max(longest, detour.length_us);
    }
  }
  std::vector<NoiseSource> sources;
  for (double from = shortest; from <= longest; from *= 2) {
    const Trains trains = of_lengths(records, from, from * 3);
    if (count_of(trains) < least_detours * records.size()) continue;
    const double rough = fundamental(trains);
    if (rough <= 0) continue;
    double record_us = 0;
    for (const Train& train : trains) record_us = std::max(record_us, train.seconds * 1e6);
    const double frequency = refined(trains, rough, 1 / record_us);
    NoiseSource source = members(records, trains, frequency);
    if (source.seen < least_seen || source.detours < static_cast<int>(least_detours)) continue;
    source.name = name_of_rate(records, 1e6 / source.period_us);
    keep(sources, source);
  }
  sort_down_by(sources, &NoiseSource::share);
  return sources;
}

}  // namespace gable::model
