#include "points/valgrind/profile/report.h"

#include <pub_tool_debuginfo.h>
#include <pub_tool_libcbase.h>
#include <pub_tool_libcproc.h>

#include "points/valgrind/places/loops.h"
#include "points/valgrind/profile/barriers.h"
#include "points/valgrind/profile/profile.h"
#include "points/valgrind/profile/reuse/pages.h"
#include "points/valgrind/profile/reuse/sampling.h"
#include "points/valgrind/profile/reuse/sets.h"
#include "points/valgrind/profile/reuse/uses.h"
#include "points/valgrind/profile/waits.h"

static ULong rounded(double value) {
  return (ULong)(value + 0.5);
}

// A caller is one or more functions: the compiler may have put several into one. Each is described as
// Valgrind does: "0x1234: function (file:line)".
static void write_caller(UInt number, DiEpoch epoch, Addr code, void* opaque) {
  Json* const json = opaque;
  const HChar* image;
  json_text(json, "%s{\"image\":", number ? "," : "");
  json_string(json, VG_(get_objname)(epoch, code, &image) ? image : "???");
  const DebugInfo* const info = VG_(find_DebugInfo)(epoch, code);
  json_text(json, ",\"offset\":%llu,\"functions\":[",
            (ULong)(code - (info ? VG_(DebugInfo_get_text_bias)(info) : 0)));
  InlIPCursor* const cursor = VG_(new_IIPC)(epoch, code);
  const HChar* separator = "";
  do {
    json_text(json, "%s", separator);
    json_string(json, VG_(describe_IP)(epoch, code, cursor));
    separator = ",";
  } while (VG_(next_IIPC)(cursor));
  VG_(delete_IIPC)(cursor);
  json_text(json, "]}");
}

static void write_object(Json* json, const Object* object) {
  static const HChar* const kinds[OBJECT_KINDS] = {"heap", "mapping", "static", "stack", "file", "other"};
  json_text(json, "{\"kind\":\"%s\"", kinds[object->kind]);
  if (object->name) {
    json_text(json, ",\"name\":");
    json_string(json, object->name);
  }
  if (object->image) {
    json_text(json, ",\"image\":");
    json_string(json, object->image);
  }
  if (object->callers) {
    json_text(json, ",\"callers\":[");
    VG_(apply_ExeContext)(write_caller, json, object->callers);
    json_text(json, "]");
  }
  if (object->is_thread_local) json_text(json, ",\"thread_local\":true");
  json_text(json, ",\"blocks\":%llu,\"peak_bytes\":%llu,\"first_ms\":%llu,\"last_ms\":%llu}", object->blocks,
            object->peak_bytes, object->first,
            object->is_alive ? VG_(read_millisecond_timer)() : object->last);
}

static void write_place(Json* json, const Place* place) {
  json_text(json, "{\"function\":");
  json_string(json, place->function ? place->function->name : "???");
  json_text(json, ",\"image\":");
  json_string(json, place->function ? place->function->object : "???");
  json_text(json, ",\"loop\":%llu", place->function ? loop_joined(place->function)->offset : 0);
  if (place->file) {
    json_text(json, ",\"file\":");
    json_string(json, place->file);
    json_text(json, ",\"line\":%u", place->line);
  }
  json_text(json, "}");
}

// The executions of an access, by object.
static void write_site(Json* json, const Site* site, const HChar** separator) {
  const ULong executed = profile_executed(site);
  double sum = 0;
  for (UInt i = 0; i < site->share_count; ++i) sum += site->shares[i].weight;
  if (!executed) return;
  if (!site->share_count) {
    json_text(json, "%s[%u,-1,%u,%llu,%u]", *separator, site->place->number, site->kind != LOADS, executed,
              site->bytes);
    *separator = ",\n";
  }
  for (UInt i = 0; i < site->share_count; ++i) {
    json_text(json, "%s[%u,%u,%u,%llu,%u]", *separator, site->place->number, site->shares[i].object->number,
              site->kind != LOADS, rounded(executed * (site->shares[i].weight / sum)), site->bytes);
    *separator = ",\n";
  }
}

static void write_pair(Json* json, UInt bucket, double of, const HChar** separator) {
  const ULong lines = rounded(of < 0 ? -of : of);
  if (!lines) return;
  json_text(json, "%s[%u,%s%llu]", *separator, bucket, of < 0 ? "-" : "", lines);
  *separator = ",";
}

static void write_histogram(Json* json, const float* of, UInt count) {
  const HChar* separator = "";
  json_text(json, "[");
  for (UInt i = 0; i < count; ++i) write_pair(json, i, of[i], &separator);
  json_text(json, "]");
}

static void write_numbers(Json* json, const double* of, UInt count) {
  const HChar* separator = "";
  json_text(json, "[");
  for (UInt i = 0; i < count; ++i) write_pair(json, i, of[i], &separator);
  json_text(json, "]");
}

// As differences, by the bucket with which the octave begins.
static void write_near(Json* json, const Reuse* reuse) {
  const HChar* separator = "";
  json_text(json, ",\"near\":[");
  for (UInt i = 0; i < octaves; ++i) {
    const double next = i + 1 < octaves ? reuse->near[i + 1] : 0;
    write_pair(json, 1 + 4 * i, reuse->near[i] - next, &separator);
  }
  json_text(json, "]");
}

static const HChar* const orders[ORDERS] = {"sequential", "independent", "chained"};

static void write_depths(Json* json, const Depths* depths) {
  json_text(json, "{");
  for (Order order = 0; order < ORDERS; ++order) {
    json_text(json, "\"%s\":{\"read\":", orders[order]);
    write_numbers(json, depths->fetched[order][0], depth_buckets);
    json_text(json, ",\"write\":");
    write_numbers(json, depths->fetched[order][1], depth_buckets);
    json_text(json, "},");
  }
  json_text(json, "\"written_back\":");
  write_numbers(json, depths->written_back, depth_buckets + 1);
  json_text(json, "}");
}

static void write_reuse(Json* json, const Reuse* reuse) {
  json_text(json, "{");
  for (Order order = 0; order < ORDERS; ++order) {
    json_text(json, "\"%s\":{\"read\":", orders[order]);
    write_histogram(json, reuse->fetched[order][0], buckets);
    json_text(json, ",\"write\":");
    write_histogram(json, reuse->fetched[order][1], buckets);
    json_text(json, "},");
  }
  json_text(json, "\"written_back\":");
  write_histogram(json, reuse->written_back, buckets + 1);
  write_near(json, reuse);
  json_text(json, ",\"sets\":{");
  for (UInt i = 0; reuse->depths && i < set_counts; ++i) {
    json_text(json, "%s\"%u\":", i ? "," : "", sets_of[i]);
    write_depths(json, &reuse->depths[i]);
  }
  json_text(json, "}}");
}

// Of the independent lines, as many as were strided of the accesses.
static double strided_lines(const Record* record) {
  if (!record->independent) return 0;
  double lines = 0;
  for (UInt i = 0; i < buckets; ++i)
    lines += record->own.fetched[INDEPENDENT][0][i] + record->own.fetched[INDEPENDENT][1][i];
  return lines * record->strided / record->independent;
}

static void write_record(Json* json, const Record* record, double weight_of_contest) {
  json_text(json, "{\"place\":%u,\"object\":%u,\"region\":%u,\"own\":", record->place->number,
            record->object->number, record->region);
  write_reuse(json, &record->own);
  if (record->all) {
    json_text(json, ",\"all\":");
    write_reuse(json, record->all);
  }
  json_text(json, ",\"streamed\":%llu,\"pages\":", rounded(record->streamed));
  write_histogram(json, record->pages[0], buckets);
  json_text(json, ",\"huge_pages\":");
  write_histogram(json, record->pages[1], buckets);
  json_text(json, ",\"chains\":");
  write_histogram(json, record->chains, chain_lengths);
  json_text(json, ",\"strided\":%llu,\"contested\":%llu,\"contested_apart\":%llu}",
            rounded(strided_lines(record)), rounded(record->contested * weight_of_contest),
            rounded(record->contested_apart * weight_of_contest));
}

static void write_page(Json* json, const Page* page) {
  json_text(json, "[%llu,%u", (ULong)page->page, page->object->number);
  for (UInt i = 0; i < page->user_count; ++i) {
    json_text(json, ",[%u,%llu,%llu]", page->users[i].thread, page->users[i].reads, page->users[i].writes);
  }
  json_text(json, "]");
}

// A row for each thread; none if there are too many threads.
static void write_sharing(Json* json) {
  const UInt threads = tally_threads();
  for (UInt i = 0; i < threads && threads <= most_sharing_threads; ++i) {
    json_text(json, i ? ",\n[" : "[");
    for (UInt j = 0; j < threads; ++j) json_text(json, "%s%llu", j ? "," : "", rounded(uses_shared(i, j)));
    json_text(json, "]");
  }
}

void profile_report(Json* json) {
  uses_finish();
  sets_finish();
  for (Word i = 0; i < profile_sites(); ++i) profile_place(profile_site_at(i));
  json_text(json,
            ",\n\"profile\":{\"lines_followed\":%llu,\"pages_followed\":%llu,\"of\":%llu,\"ended_ms\":%u",
            followed.lines, followed.pages, 1ULL << hash_bits, VG_(read_millisecond_timer)());
  json_text(json, ",\n\"span_ppm\":%llu,\"barriers\":%llu,\"serial_ppm\":%llu", rounded(1e6 * waits_span()),
            barriers_count(), rounded(1e6 * barriers_serial_part()));
  json_text(json, ",\n\"classes_followed\":%u,\"sets_error_ppm\":%llu", followed.class_count,
            rounded(1e6 * sets_error()));
  json_text(json, ",\n\"objects\":[");
  for (Word i = 0; i < objects_count(); ++i) {
    json_text(json, i ? ",\n" : "");
    write_object(json, object_at(i));
  }
  json_text(json, "],\n\"places\":[");
  for (Word i = 0; i < places_count(); ++i) {
    json_text(json, i ? ",\n" : "");
    write_place(json, place_number(i));
  }
  json_text(json, "],\n\"accesses\":[");
  const HChar* separator = "";
  for (Word i = 0; i < profile_sites(); ++i) write_site(json, profile_site_at(i), &separator);
  json_text(json, "],\n\"reuse\":[");
  const double weight_of_contest = profile_contest_weight();
  for (Word i = 0; i < records_count(); ++i) {
    json_text(json, i ? ",\n" : "");
    write_record(json, record_at(i), weight_of_contest);
  }
  json_text(json, "],\n\"shared_lines\":%lu,\"shared\":[", uses_shared_lines());
  write_sharing(json);
  json_text(json, "],\n\"pages\":[");
  for (Word i = 0; i < pages_count(); ++i) {
    json_text(json, i ? ",\n" : "");
    write_page(json, page_at(i));
  }
  json_text(json, "]}");
}
