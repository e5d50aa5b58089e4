#include <fmt/format.h>

#include <cmath>
#include <cstdio>
#include <optional>

#include "base/error.hpp"
#include "cli/text/arguments.hpp"
#include "cli/text/columns.hpp"
#include "cli/virt/tables.hpp"
#include "cli/virt/virt.hpp"
#include "kmaf/traces/trace.hpp"
#include "model/virt/paging.hpp"

namespace gable::cli {
namespace {

using model::VirtSummary;

VirtSummary summary_with_walks(const std::string& folder) {
  const std::vector<model::VirtSample> samples = virt_samples_of(folder);
  require_kind(samples, folder, model::VirtKind::walk);
  VirtSummary summary = model::virt_summary(samples);
  if (!model::walk_cost(summary, model::VirtPages::small)) {
    const model::WalkLadder* const ladder = summary.ladder(model::VirtPages::small);
    throw Error::usage(
        fmt::format("{}: the cost of a walk of 4 KiB pages is not known: {}; `gable measure {} --only "
                    "virt,walk --preset full` measures more",
                    folder, ladder == nullptr ? "their ladder is missing" : sentence(ladder->fit.unknown),
                    shell_quoted(folder)));
  }
  return summary;
}

// Entries of the last level of the TLB, by its reach with small pages.
std::size_t tlb_entries(const VirtSummary& native) {
  const model::WalkFit& fit = native.ladder(model::VirtPages::small)->fit;
  const double reach = fit.levels.size() > 1 ? fit.levels[1].reach.value : fit.levels[0].reach.value;
  return std::max<std::size_t>(16, static_cast<std::size_t>(reach / 4096));
}

std::string read_trace(VirtAdviseArguments& arguments, const VirtSummary& native) {
  const std::size_t entries = tlb_entries(native);
  constexpr int small = 12, large = 21;
  model::TlbSimulation tlb_4k(entries, small), tlb_2m(entries, large);
  kmaf::TraceReader reader(arguments.trace);
  for (auto block = reader.next(); !block.empty(); block = reader.next()) {
    for (const kmaf::Access& access : block) {
      tlb_4k.access(access.address);
      tlb_2m.access(access.address);
    }
  }
  if (tlb_4k.accesses() == 0)
    throw Error::usage(fmt::format("--trace {}: it has no accesses", arguments.trace));
  arguments.workload.misses_4k = static_cast<double>(tlb_4k.misses()) / arguments.trace_seconds;
  arguments.workload.misses_2m = static_cast<double>(tlb_2m.misses()) / arguments.trace_seconds;
  return fmt::format("{} accesses of {}; a TLB of {} entries that replaces the least recently used one.",
                     tlb_4k.accesses(), arguments.trace, entries);
}

Cell percent(const model::Estimate& share) {
  return {fmt::format("{:.2f} %", 100 * share.value),
          fmt::format("({:.2f} to {:.2f})", 100 * share.lo, 100 * share.hi)};
}

// What is not given is not known, not 0.
Table choices_table(const VirtSummary& native, const model::VirtWorkload& workload,
                    const model::ExitCost& exit) {
  Table table{"Predicted overhead", columns({"guest", "host"},
                                            {"reads of a walk", "walk natively", "nested",
                                             "nested paging (95 %)", "shadow paging", "better"},
                                            {"break-even"})};
  const auto known = [](bool is_known, const Cell& cell) { return is_known ? cell : Cell("not known"); };
  const bool walks = workload.misses_4k.has_value(), changes = workload.maps && workload.switches;
  bool overlap = false;
  for (const model::PagingChoice& choice : model::paging_choices(native, workload, exit)) {
    overlap = overlap || !choice.known;
    const double nested = choice.nested.value, shadow = choice.shadow;
    const char* const better = nested == shadow ? "equal" : nested < shadow ? "nested" : "shadow";
    table.rows.push_back(
        {std::string(row_of(choice.guest_pages).size), std::string(row_of(choice.host_pages).size),
         std::to_string(choice.reads), fmt::format("{:.3g} ns", choice.native_walk_ns),
         fmt::format("{:.3g} ns", choice.nested_walk_ns.value),
         known(walks && choice.known, percent(choice.nested)),
         known(walks && changes && choice.known, fmt::format("{:.2f} %", 100 * shadow)),
         known(walks && changes && choice.known, better),
         std::isinf(choice.break_even) ? Cell("none")
                                       : known(changes, fmt::format("{:.3g} walks/s", choice.break_even))});
  }
  table.notes.emplace_back(
      "Overheads are shares of the native time with the guest's pages. Guest pages of 2 MiB in host pages of "
      "4 KiB reach no further in the TLB than those of 4 KiB: walks and break-even of that line are of 4 KiB "
      "pages.");
  if (!model::walk_cost(native, model::VirtPages::huge) &&
      !model::walk_cost(native, model::VirtPages::transparent))
    table.notes.emplace_back(
        "The cost of a walk of 2 MiB pages was not measured: it is taken to be 3/4 of that of 4 KiB pages, "
        "as "
        "it reads 3 entries instead of 4.");
  if (overlap)
    table.notes.emplace_back(
        "The walks with 4 KiB pages would take all of the time one after the other, so they overlap, and the "
        "native time with 2 MiB pages is not known.");
  if (!walks) table.notes.emplace_back("Nested paging costs time for page walks: give --tlb-misses.");
  if (!changes)
    table.notes.emplace_back(
        "Shadow paging costs time for changed page-table entries and switches: give both --maps and "
        "--switches, 0 if there are none.");
  return table;
}

Table held_table(const VirtSummary& native, const VirtSummary& guest) {
  Table table{"Predictions beside the guest",
              columns({""}, {"predicted (95 %)", "measured (95 %)", ""}, {""})};
  for (const model::HeldAgainst& held : model::held_against_guest(native, guest))
    table.rows.push_back({held.what, with_ends(held.predicted), with_ends(held.measured), held.unit,
                          held.agrees()                                ? "agrees"
                          : held.measured.value < held.predicted.value ? "the guest is faster"
                                                                       : "the guest is slower"});
  if (!table.empty())
    table.notes.emplace_back(
        "The predictions are upper limits: they count every read of a walk, but caches of page-table entries "
        "save reads.");
  const model::Paging paging = model::paging_of(guest, &native);
  table.notes.push_back("The guest: " + model::paging_text(paging) + ".");
  if (guest.emulated()) table.notes.emplace_back("It is emulated: its costs are the emulator's.");
  return table;
}

}  // namespace

void virt_advise(VirtAdviseArguments arguments) {
  const VirtSummary native = summary_with_walks(arguments.native);
  require_native(native, arguments.native);
  std::optional<VirtSummary> guest;
  if (!arguments.guest.empty()) guest = summary_with_walks(arguments.guest);
  std::string note;
  if (!arguments.trace.empty()) {
    if (arguments.trace_seconds <= 0)
      throw Error::usage("--trace: a trace has no times; give the program's native run time by --seconds");
    note = read_trace(arguments, native);
  }
  model::VirtWorkload& workload = arguments.workload;
  if (!workload.misses_4k && !workload.maps && !workload.switches)
    throw Error::usage(
        "virt advise: describe the workload: --tlb-misses, --maps and --switches per second (perf stat "
        "-e dtlb_load_misses.walk_completed,page-faults,context-switches), or --trace FILE --seconds S");
  constexpr double small_in_huge = 512;  // the most that huge pages may save
  const bool guessed = workload.misses_4k && !workload.misses_2m;
  if (guessed) workload.misses_2m = *workload.misses_4k / small_in_huge;
  Table table = choices_table(native, workload, arguments.exit);
  const auto rate = [](std::optional<double> value, const char* what, const std::string& more) {
    return value ? fmt::format("{:.3g} {}{}", *value, what, more) : fmt::format("{} not known", what);
  };
  table.notes.push_back(
      fmt::format("The workload, a second: {}; {}; {}.",
                  rate(workload.misses_4k, "walks with 4 KiB pages",
                       fmt::format(", {:.3g} with 2 MiB{}", workload.misses_2m.value_or(0),
                                   guessed ? " (assumed: 1/512)" : "")),
                  rate(workload.maps, "entries mapped or changed", ""),
                  rate(workload.switches, "switches",
                       fmt::format(" with {:.3g} pages touched after each", workload.pages_per_switch))));
  const bool assumed = arguments.exit.us == model::ExitCost().us;
  table.notes.push_back(fmt::format("Shadow paging: {:g} µs per exit{}, {:g} exits per entry. {} by Gable.",
                                    arguments.exit.us, assumed ? "" : " (--exit-us)", arguments.exit.per_map,
                                    assumed ? "Both are assumed" : "The exits per entry are assumed"));
  if (!note.empty()) table.notes.push_back(note);
  add_notes(table, native, model::VirtKind::walk, "Walks natively, ");
  std::fputs(table_text(table, false).c_str(), stdout);
  if (guest) std::fputs(("\n" + table_text(held_table(native, *guest), false)).c_str(), stdout);
}

}  // namespace gable::cli
