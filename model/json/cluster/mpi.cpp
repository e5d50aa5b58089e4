#include "model/cluster/mpi.hpp"

#include <algorithm>
#include <tuple>

#include "model/json/fields.hpp"
#include "model/json/visits/note.hpp"
#include "model/json/visits/visit.hpp"

namespace gable::model {
namespace {

std::optional<Estimate> interval_of(const Fields& fields, const char* name) {
  if (!fields.has(name) || fields.at(name).is_null()) return std::nullopt;
  const std::vector<double> three = fields.numbers(name);
  if (three.size() != 3) fields.fail(std::string("\"") + name + "\" must have a value and its interval");
  return Estimate{three[0], three[1], three[2], 0};
}

MpiFigure mpi_figure_from(const Fields& fields) {
  MpiFigure figure;
  figure.what = fields.word<MpiMeasure>("what");
  figure.where = fields.word<MpiPlaces>("where");
  figure.bytes = fields.bytes("bytes");
  figure.ranks = fields.integer("ranks", 1);
  figure.nodes = fields.integer("nodes", 1);
  figure.side = fields.integer("side");
  figure.microseconds = interval_of(fields, "microseconds");
  figure.rate = interval_of(fields, fields.has("gflop_per_s") ? "gflop_per_s" : "gb_per_s");
  figure.status = *named<Status>(fields.one_of("status", {name_of(Status::ok), name_of(Status::invalid)}));
  figure.reason = note_from(fields, "reason");
  figure.mpi = fields.text("mpi");
  figure.places = fields.texts("places");
  return figure;
}

MpiClock clock_from(const Fields& fields) {
  return {fields.text("node"), fields.real("offset_us"), fields.number("error_us"), fields.real("drift_ppm")};
}

bool same_measurement(const MpiFigure& a, const MpiFigure& b) {
  return std::tie(a.what, a.where, a.bytes, a.ranks, a.side, a.mpi) ==
         std::tie(b.what, b.where, b.bytes, b.ranks, b.side, b.mpi);
}

}  // namespace

MpiRecords read_mpi(const std::string& path) {
  MpiRecords records;
  for_each_line(path, [&](const Line& line) {
    read_line(line.text, line.where, "remove the line, and run gable-mpi again", [&](const Fields& fields) {
      fields.schema();
      if (fields.text("what") == "clocks") {
        records.clocks = fields.array("clocks", clock_from);
        return;
      }
      MpiFigure figure = mpi_figure_from(fields);
      const auto former = std::ranges::find_if(
          records.figures, [&](const MpiFigure& each) { return same_measurement(each, figure); });
      if (former == records.figures.end())
        records.figures.push_back(std::move(figure));
      else
        *former = std::move(figure);
    });
  });
  return records;
}

}  // namespace gable::model
