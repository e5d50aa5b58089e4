#include "points/counters/marker.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "base/json.hpp"
#include "base/words.hpp"

namespace gable::points {

namespace {

namespace fs = std::filesystem;

// A program that was compiled with an older header does not tell it.
Usage usage_of(const Json& from) {
  if (!from.contains("user_seconds")) return {};
  return {from.at("user_seconds").get<double>(), from.at("kernel_seconds").get<double>(),
          from.at("page_faults").get<double>()};
}

void add_region(const Json& from, std::vector<MarkedRegion>& regions) {
  const auto name = from.at("name").get<std::string>();
  require_closed(name, from.at("open").get<int>());
  auto same = std::ranges::find(regions, name, &MarkedRegion::name);
  if (same == regions.end()) same = regions.insert(regions.end(), {name});
  same->seconds = std::max(same->seconds, from.at("seconds").get<double>());
  const auto threads = from.at("threads").get<int>();
  same->threads += from.value("most_inside", threads);  // a program that was compiled with an older header
  if (threads == 1) same->by_one = true;
  same->calls += from.at("calls").get<std::uint64_t>();
  same->usage += usage_of(from);
  same->flops += from.at("flops").get<double>();
  same->load_bytes += from.at("load_bytes").get<double>();
  same->store_bytes += from.at("store_bytes").get<double>();
}

}  // namespace

void require_closed(const std::string& region, int open) {
  if (open == 0) return;
  throw Error::failed(
      fmt::format("the region '{}' was never closed in {}: stop it in every thread that starts it", region,
                  count_text(open, "thread")));
}

std::vector<MarkedRegion> read_markers(const fs::path& folder, const std::string& prefix) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.path().filename().string().starts_with(prefix + ".")) files.push_back(entry.path());
  }
  std::ranges::sort(files);
  std::vector<MarkedRegion> regions;
  for (const fs::path& file : files) {
    std::ifstream in(file);
    const std::string text{std::istreambuf_iterator<char>(in), {}};
    try {
      const Json root = json_from(text);
      if (root.at("strays").get<int>() > 0) {
        throw Error::failed(fmt::format("the region '{}' was stopped by a thread that had not started it",
                                        root.at("stray").get<std::string>()));
      }
      for (const Json& region : root.at("regions")) add_region(region, regions);
    } catch (const Json::exception& error) {
      throw Error::failed(
          fmt::format("{}: incomplete: {}; was the program killed?", file.string(), error.what()));
    }
  }
  if (regions.empty()) {
    throw Error::failed(
        "the program marked no region: include gable-marker.h (or build likwid's macros with it and "
        "-DLIKWID_PERFMON), and make it end with exit() or a return from main()");
  }
  return regions;
}

}  // namespace gable::points
