#include "cli/report/sections.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/sorting.hpp"
#include "base/words.hpp"
#include "cli/text/columns.hpp"
#include "plots/html/tables.hpp"

namespace gable::cli {
namespace {

using Terms = std::vector<std::pair<std::string, std::string>>;

// What the visits of samples.jsonl have in common.
class Visits {
 public:
  explicit Visits(const std::vector<model::Sample>& samples) {
    for (const model::Sample& sample : samples) add(sample);
  }

  Terms terms() const {
    Terms terms;
    const auto count = [](std::size_t n) { return static_cast<std::int64_t>(n); };
    terms.emplace_back("visits",
                       fmt::format("{} to {}, {} ok, {} skipped, {} invalid",
                                   count_text(count(ok_ + skipped_ + invalid_), "visit"),
                                   count_text(count(cases_.size()), "case"), ok_, skipped_, invalid_));
    terms.emplace_back("rounds over the whole plan", std::to_string(rounds_.size()));
    terms.emplace_back("repetitions kept", std::to_string(repetitions_));
    terms.emplace_back("repetitions dropped, because a thread was stopped", std::to_string(disturbed_));
    if (crowded_ > 0)
      terms.emplace_back("repetitions dropped, because another hardware thread used a core",
                         std::to_string(crowded_));
    terms.emplace_back("measured (UTC)", first_ == last_ ? first_ : first_ + " to " + last_);
    if (!clocks_.empty())
      terms.emplace_back("core clock",
                         number_range(std::ranges::min(clocks_), std::ranges::max(clocks_)) + " GHz");
    if (steal_ > 0)
      terms.emplace_back("CPU time that the hypervisor took, in the worst visit", number(steal_) + " %");
    add_notes(terms);
    return terms;
  }

 private:
  // The most frequent first.
  void add_notes(Terms& terms) const {
    constexpr std::size_t most = 12;
    std::vector<model::AlikeNotes> notes;
    for (const auto& [kind, alike] : notes_) notes.push_back(alike);
    sort_down_by(notes, &model::AlikeNotes::count);
    for (std::size_t i = 0; i < std::min(most, notes.size()); ++i)
      terms.emplace_back(fmt::format("note of {}", count_text(notes[i].count(), "visit")), notes[i].text());
    if (notes.size() > most)
      terms.emplace_back("other notes", fmt::format("{}, all in samples.jsonl", notes.size() - most));
  }

  void add(const model::Sample& sample) {
    ++(sample.status == model::Status::ok        ? ok_
       : sample.status == model::Status::skipped ? skipped_
                                                 : invalid_);
    cases_.insert(model::key(sample.spec));
    rounds_.insert(sample.round);
    repetitions_ += sample.seconds.size();
    disturbed_ += sample.disturbed;
    crowded_ += sample.crowded;
    if (sample.clock_ghz > 0) clocks_.push_back(sample.clock_ghz);
    steal_ = std::max(steal_, sample.steal_percent);
    if (first_.empty() || sample.started < first_) first_ = sample.started;
    last_ = std::max(last_, sample.started);
    for (const model::Note& note : sample.notes) add_alike(notes_, "", note);
  }

  std::size_t ok_ = 0, skipped_ = 0, invalid_ = 0, repetitions_ = 0;
  int disturbed_ = 0, crowded_ = 0;
  std::set<std::string> cases_;
  std::set<int> rounds_;
  std::vector<double> clocks_;
  double steal_ = 0;
  std::string first_, last_;
  model::NotesByKind notes_;
};

std::string sources_html(const RecordedMachine& machine) {
  if (machine.sources.empty()) return {};
  std::string list;
  for (const std::string& source : machine.sources) list += "<li>" + html::escaped(source) + "</li>";
  return html::paragraph(
             "This machine is described from publications; its figures were not measured by Gable:") +
         "<ul>" + list + "</ul>\n";
}

}  // namespace

std::string method_html(const ReportContent& content) {
  std::string out;
  if (content.shown.machine) out += sources_html(*content.shown.machine);
  Terms host;
  if (content.shown.machine) {
    for (const Fact& fact : content.shown.machine->facts) host.emplace_back(fact.name, fact.value);
  }
  if (!host.empty()) out += "<h3>The host</h3>\n" + html::terms_html(host);
  if (content.samples.empty())
    return out + absent_html(content,
                             "There is no samples.jsonl, which has every visit with its repetitions.",
                             "gable measure DIR");
  out += "<h3>The visits</h3>\n" + html::terms_html(Visits(content.samples).terms());
  return out +
         html::paragraph(
             "Every case is visited once a round, and a round covers the whole plan. In a visit all threads "
             "run without pause; a repetition is a slice of half a millisecond in which all of them ran, and "
             "one in which a thread was stopped, or another hardware thread used a core, is dropped. The "
             "value of a visit is the rate that one "
             "repetition in ten exceeds; where all clusters run together, and for latencies, it is the "
             "median. A figure is the median over the visits; its 95 % interval includes the machine's drift "
             "between rounds. Gable checks where pages and threads are: if they are not where the case "
             "requires, the visit is invalid. Latencies are those of dependent loads by one thread.");
}

}  // namespace gable::cli
