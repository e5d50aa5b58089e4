#include "points/counters/event_names.hpp"

#include <fmt/format.h>

#include <algorithm>

#ifdef GABLE_LIBPFM
#include <perfmon/pfmlib_perf_event.h>
#endif

namespace gable::points {

std::vector<std::string> pmu_events(const std::string& vendor) {
  std::vector<std::string> events;
  if (vendor == "GenuineIntel") {
    for (const char* width :
         {"SCALAR_SINGLE", "SCALAR_DOUBLE", "128B_PACKED_SINGLE", "128B_PACKED_DOUBLE", "256B_PACKED_SINGLE",
          "256B_PACKED_DOUBLE", "512B_PACKED_SINGLE", "512B_PACKED_DOUBLE"})
      events.push_back(std::string("FP_ARITH_INST_RETIRED:") + width);
    for (const char* access : {"ALL_LOADS", "ALL_STORES"}) {
      events.push_back(std::string("MEM_INST_RETIRED:") + access);
      events.push_back(std::string("MEM_UOPS_RETIRED:") + access);  // before Skylake
    }
  }
  if (vendor == "AuthenticAMD") {
    events.push_back("RETIRED_SSE_AVX_FLOPS:ANY");
    for (const char* kind : {"MULT_ADD", "DIV", "MULT", "ADD_SUB"}) {  // Zen 1
      for (const char* precision : {"DP", "SP"})
        events.push_back(fmt::format("RETIRED_SSE_AVX_OPERATIONS:{}_{}_FLOPS", precision, kind));
    }
    events.push_back("LS_DISPATCH:LD_DISPATCH");
    events.push_back("LS_DISPATCH:STORE_DISPATCH");
  }
  if (vendor == "Arm") events = {"FP_FIXED_OPS_SPEC", "FP_SCALE_OPS_SPEC", "LD_SPEC", "ST_SPEC"};
  return events;
}

#ifdef GABLE_LIBPFM

namespace {

bool is_there(const KnownEvents& known, const perf_event_attr& wanted) {
  return std::ranges::any_of(known.events, [&](const NamedEvent& event) {
    return event.attributes.type == wanted.type && event.attributes.config == wanted.config;
  });
}

}  // namespace

std::string events_unavailable() {
  return {};
}

KnownEvents known_events(const std::string& vendor) {
  KnownEvents known;
  if (pfm_initialize() != PFM_SUCCESS) return known;
  for (const std::string& name : pmu_events(vendor)) {
    NamedEvent event{name};
    pfm_perf_encode_arg_t argument = {};
    argument.attr = &event.attributes;
    argument.size = sizeof argument;
    const int failed =
        pfm_get_os_event_encoding(name.c_str(), PFM_PLM3, PFM_OS_PERF_EVENT, &argument) != PFM_SUCCESS;
    if (!failed && !is_there(known, event.attributes)) known.events.push_back(event);
    if (failed && name.find(":512B") != std::string::npos) known.none.push_back(name);
  }
  if (known.events.empty()) known.none.clear();
  return known;
}

#else

std::string events_unavailable() {
  return "built without libpfm4: install libpfm4-dev and build again";
}

KnownEvents known_events(const std::string&) {
  return {};
}

#endif

}  // namespace gable::points
