#include <charconv>
#include <map>

#include "base/json.hpp"
#include "model/json/visits/lines_of.hpp"
#include "model/records/placed.hpp"

namespace gable::model {

template <typename Io>
void describe(Io& io, As<PlacedPart> auto& part) {
  io.required("name", part.name);
  io.required("tier", part.tier);
  io.required("kind", part.kind);
  io.required("how", part.how);
  io.required("bytes", part.bytes);
  io.required("node_bytes", part.node_bytes);
}

template <>
constexpr std::string_view next_step<Placed> = "place again";

namespace {

// Older files have the ranks of PageRank only in the variant: "16 ranks".
[[maybe_unused]] void add_ranks(const Placed&) {}
void add_ranks(Placed& placed) {
  const std::string& variant = placed.variant;
  if (placed.ranks == 0 && placed.workload == "pagerank")
    std::from_chars(variant.data(), variant.data() + variant.size(), placed.ranks);
}

}  // namespace

template <typename Io>
void describe(Io& io, As<Placed> auto& placed) {
  io.required("workload", placed.workload);
  io.required("variant", placed.variant);
  io.unless(0, "ranks", placed.ranks);
  add_ranks(placed);
  io.required("graph", placed.graph);
  io.required("vertices", placed.vertices);
  io.required("edges", placed.edges);
  io.required("cluster", placed.cluster);
  io.required("threads", placed.threads);
  io.required("smt", placed.smt);
  io.required("parts", placed.parts);
  io.required("how", placed.how);
  io.required("ways_teps", placed.ways);
  io.required("seconds", placed.seconds);
  io.required("traversed", placed.traversed);
  io.optional("flops", placed.flops);  // older files lack it, and the bytes
  io.optional("load_bytes", placed.load_bytes);
  io.optional("store_bytes", placed.store_bytes);
  io.required("verified", placed.verified);
  io.required("disturbed", placed.disturbed);
  io.required("status", placed.status);
  io.required("reason", placed.reason);
  describe_notes(io, placed);
  const bool is_published = !placed.source.empty();
  io.given(is_published, "teps", placed.published_teps);
  io.given(is_published, "runs", placed.published_runs);
  io.given(is_published, "source", placed.source);
}

namespace {

// A published figure is a rate and the number of runs behind it; the runs themselves are not published.
void check_published(const Fields& fields, const Placed& placed) {
  if (placed.source.empty()) fields.fail("\"source\" is empty");
  if (!(placed.published_teps > 0)) fields.fail("\"teps\" must be above 0");
  if (placed.status != Status::ok) fields.fail("a published figure must be \"ok\"");
  if (!placed.seconds.empty() || !placed.traversed.empty())
    fields.fail("a published figure has no \"seconds\" and no \"traversed\"");
}

}  // namespace

void check(const Fields& fields, const Placed& placed) {
  fields.integer("threads", 1);
  if (fields.has("source"))
    check_published(fields, placed);
  else
    check_result(fields, placed.seconds, "traversed", placed.traversed, placed.status, placed.reason);
  if (placed.parts.empty()) fields.fail("no \"parts\"");
}

template std::string to_line(const Placed&);
template Placed from_line(std::string_view, const std::string&);

template <>
std::vector<Placed> read_lines(const std::string& path) {
  std::vector<Placed> all;
  std::map<std::string, std::size_t> place;
  for_each_line(path, [&](const Line& line) {
    Placed placed = from_line<Placed>(line.text, line.where);
    const auto [known, added] = place.try_emplace(key(placed), all.size());
    if (added) {
      all.push_back(std::move(placed));
    } else {
      all[known->second] = std::move(placed);
    }
  });
  return all;
}

}  // namespace gable::model
