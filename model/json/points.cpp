#include "model/json/points.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "base/json.hpp"
#include "model/json/document.hpp"
#include "model/json/record_io.hpp"
#include "model/points/access.hpp"
#include "model/points/headroom.hpp"

namespace gable::model {

namespace {

Json point_to_json(const Point& point, const Reading& reading) {
  Json out = record_to_json(point);
  for (std::size_t i = 0; i < point.functions.size(); ++i)
    add_time_to_json(point, point.functions[i], function_reading(reading, i), out["functions"][i]);
  const bool bound = !reading.roof.empty();
  out["binding_roof"] = bound ? Json(reading.roof) : Json(nullptr);
  const auto if_known = [&](double percent) {
    return bound && has_headroom(reading) ? Json(percent) : Json(nullptr);
  };
  out["headroom_percent"] = reading.limit.fitted ? if_known(reading.headroom_percent) : Json(nullptr);
  out["headroom_percent_lo"] = if_known(reading.headroom_lo);
  out["headroom_percent_hi"] = if_known(reading.headroom_hi);
  out["cause"] = reading.verdict.text();
  return out;
}

Point point_from(const Fields& fields) {
  auto point = record_from<Point>(fields);
  if (!fields.has("alone")) point.alone = point.cluster >= 0;
  if (fields.has("cores")) fields.integer("cores", 1);
  if (fields.has("operation"))
    fields.one_of("operation", {"", operations::add.name(), operations::mul.name()});
  if (const std::string wrong = contradiction(point); !wrong.empty()) fields.fail(wrong);
  return point;
}

bool is_text(const std::string& name) {
  try {
    Json(name).dump();
  } catch (const Json::exception&) {
    return false;  // not UTF-8
  }
  for (const char c : name) {
    if (static_cast<unsigned char>(c) < ' ' || c == 0x7f) return false;
  }
  return true;
}

// The levels begin with the second cache, and each occurs once.
std::string wrong_levels(const std::vector<LevelBytes>& levels) {
  const LevelBytes* before = nullptr;
  for (const LevelBytes& bytes : levels) {
    for (const auto amount : LevelBytes::amounts) {
      const double value = bytes.*amount;
      if (!std::isfinite(value) || value < 0) return "the bytes of \"levels\" must be numbers, 0 or more";
      if (value > most_of_a_number) return "the bytes of \"levels\" are beyond any machine";
    }
    if (bytes.irregular + bytes.chained > 1.001 * bytes.read)
      return fmt::format("\"levels\": {} has more irregular and chained bytes than it reads",
                         bytes.level.name());
    if (bytes.irregular_stored > 1.001 * bytes.irregular)
      return fmt::format("\"levels\": {} has more irregular bytes for stores than in all",
                         bytes.level.name());
    if (bytes.strided > 1 + 1.001 * bytes.irregular)
      return fmt::format("\"levels\": {} has more strided than irregular bytes", bytes.level.name());
    if (bytes.from_cores > 1.001 * bytes.read)
      return fmt::format("\"levels\": {} has more bytes from other cores than it reads", bytes.level.name());
    if (bytes.contested_apart > 1.001 * bytes.contested)
      return fmt::format("\"levels\": {} has more contested bytes apart than in all", bytes.level.name());
    if (bytes.streamed > 1.001 * bytes.written)
      return fmt::format("\"levels\": {} has more streamed than written bytes", bytes.level.name());
    if (bytes.conflicts > 1 + 1.001 * (bytes.read + bytes.written))
      return fmt::format("\"levels\": {} has more conflicts than bytes", bytes.level.name());
    if ((!is_cache(bytes.level) && !is_memory(bytes.level)) || is_first_cache(bytes.level))
      return fmt::format("\"levels\" are caches from L2 on and \"memory\", not \"{}\"", bytes.level.name());
    if (before != nullptr && before->level >= bytes.level)
      return fmt::format("\"levels\": {} comes after {}", bytes.level.name(), before->level.name());
    before = &bytes;
  }
  return {};
}

// What a profile tells of the point: levels, functions, objects, and its file.
std::string wrong_profile(const Point& point) {
  std::string wrong = wrong_levels(point.levels);
  for (const FunctionWork& work : point.functions) wrong += wrong.empty() ? wrong_levels(work.levels) : "";
  for (const ObjectBytes& object : point.objects) {
    if (wrong.empty()) wrong = wrong_levels(object.levels);
    if (!std::ranges::equal(object.levels, point.levels, {}, &LevelBytes::level, &LevelBytes::level))
      return fmt::format("the levels of the object \"{}\" are not those of the point", object.name);
  }
  if (!std::isfinite(point.accesses) || point.accesses < 0) return "\"accesses\" must be a number, 0 or more";
  const std::string& file = point.profile;
  if (file.starts_with(".") || file.find('/') != std::string::npos || !is_text(file))
    return "\"profile\" must be the name of a file in the folder profiles";
  return wrong;
}

// Why a Point and its functions cannot have these samples; empty: they can.
std::string wrong_samples(const Point& point) {
  const Samples& samples = point.samples;
  double parts = 0;
  bool valid = std::isfinite(samples.all) && std::isfinite(samples.seconds) && samples.seconds >= 0;
  const auto add = [&](double count) {
    valid = valid && std::isfinite(count) && count >= 0;
    parts += count;
  };
  add(samples.kernel);
  for (const auto& [file, count] : samples.elsewhere) add(count);
  for (const FunctionWork& work : point.functions) add(work.samples);
  double spinning = 0;
  for (const auto& [file, count] : samples.spinning) {
    valid = valid && std::isfinite(count) && count >= 0;
    spinning += count;
  }
  if (!valid) return "\"samples\" must be numbers, 0 or more";
  if (spinning > 1.001 * samples.all) return "\"samples\": more are spinning than there are";
  return parts > 1.001 * samples.all ? "the functions have more \"samples\" than the point" : "";
}

}  // namespace

void add_time_to_json(const Point& point, const FunctionWork& work, const FunctionReading* reading,
                      Json& out) {
  if (const auto time = time_share(point.samples, work.samples)) {
    out["time"] = time->value;
    out["time_lo"] = time->lo;
    out["time_hi"] = time->hi;
  }
  if (reading == nullptr) return;
  out["needs_most"] = reading->what;
  out["need"] = reading->share;
  out["need_lo"] = reading->lo;
  out["need_hi"] = reading->hi;
  if (!reading->measured) return;
  out["remains"] = reading->measured->remains;
  out["verdict"] = name_of(reading->measured->verdict);
}

std::string wrong_name(const std::string& name) {
  if (name.empty()) return "\"name\" is empty";
  return is_text(name) ? "" : "\"name\" must be UTF-8 on one line";
}

std::string contradiction(const Point& point) {
  if (std::string wrong = wrong_name(point.name); !wrong.empty()) return wrong;
  for (const double value : {point.flops, point.load_bytes, point.store_bytes, point.seconds_hi}) {
    if (!std::isfinite(value) || value < 0) return "flops, bytes and seconds must be numbers, 0 or more";
  }
  if (point.flops + point.load_bytes + point.store_bytes <= 0) return "neither flops nor bytes were counted";
  if (const std::string wrong = wrong_profile(point); !wrong.empty()) return wrong;
  if (const std::string wrong = wrong_samples(point); !wrong.empty()) return wrong;
  if (const std::string wrong = wrong_access(point); !wrong.empty()) return "\"access\": " + wrong;
  for (const Arithmetic& work : point.arithmetic) {
    if (!std::isfinite(work.flops) || work.flops <= 0) return "the flops of \"arithmetic\" must be above 0";
  }
  if (const double percent = point.huge_pages_percent.value_or(0); !(percent >= 0 && percent <= 100))
    return "\"huge_pages_percent\" must be 0 to 100";
  if (point.seconds <= 0) return "\"seconds\" must be above 0";
  if (point.seconds_lo <= 0 || point.seconds_lo > point.seconds || point.seconds > point.seconds_hi)
    return "\"seconds\" lies outside \"seconds_lo\" and \"seconds_hi\"";
  for (const double work : {point.flops, point.load_bytes + point.store_bytes, point.accesses}) {
    if (work / point.seconds > most_of_a_number)
      return "flops, bytes or accesses per second are beyond any machine";
  }
  for (const double used : {point.user_seconds, point.kernel_seconds, point.page_faults}) {
    if (!std::isfinite(used) || used < 0) return "CPU seconds and page faults must be numbers, 0 or more";
  }
  if (point.repetitions < 1) return "\"repetitions\" must be 1 or more";
  if (point.cluster < 0 && point.alone) return "a point of all clusters cannot be \"alone\"";
  return {};
}

std::string contradiction(const std::vector<Point>& points) {
  std::map<std::string, const Point*> named;
  for (const Point& point : points) {
    if (!named.emplace(point.name, &point).second)
      return fmt::format("two points are named \"{}\"; rename one", point.name);
  }
  for (const Point& point : points) {
    std::size_t steps = 0;
    for (const Point* at = &point; !at->from.empty();) {
      const auto found = named.find(at->from);
      if (found == named.end())
        return fmt::format("\"{}\" is from \"{}\", which does not exist", at->name, at->from);
      at = found->second;
      if (++steps > points.size()) return fmt::format("\"{}\" is derived from itself", point.name);
    }
  }
  return {};
}

std::string points_to_json(const std::vector<Point>& points, const std::vector<Reading>& readings) {
  for (const Point& point : points) {
    if (const std::string wrong = contradiction(point); !wrong.empty())
      throw Error::format(fmt::format("point \"{}\"", point.name), wrong);
  }
  const auto line = [&](const Point& point) {
    return point_to_json(point, readings.at(static_cast<std::size_t>(&point - points.data())));
  };
  return fmt::format("{{\"schema\":{},\n{}}}\n", schema, array_to_json("points", points, line));
}

std::vector<Point> points_from_json(const std::string& text, const std::string& path) {
  const Document document(text, path, "correct it, or remove it and add the points again");
  std::vector<Point> points = document.array("points", point_from);
  if (const std::string wrong = contradiction(points); !wrong.empty()) throw Error::format(path, wrong);
  return points;
}

}  // namespace gable::model
