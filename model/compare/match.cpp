#include "model/compare/match.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <utility>

#include "base/sorting.hpp"
#include "base/words.hpp"
#include "model/records/question.hpp"

namespace gable::model {
namespace {

using Indices = std::vector<std::size_t>;

std::string failure_of(const Figure& figure) {
  return fmt::format("{}: {}", name_of(figure.status), sentence(figure.reason));
}

// The figures of one question in both folders.
class Question {
 public:
  Question(const std::vector<Figure>& first, const std::vector<Figure>& other, Indices of_first,
           Indices of_other)
      : first_(first),
        other_(other),
        all_first_(of_first),
        all_other_(of_other),
        of_first_(std::move(of_first)),
        of_other_(std::move(of_other)) {}

  Matching matching() {
    pair_equal();
    pair_by_variant();
    pair_best();
    for (const std::size_t i : of_first_) {
      if (first_[i].status == Status::ok) add_lone({i, std::nullopt, {}}, other_, all_other_);
    }
    for (const std::size_t i : of_other_) {
      if (other_[i].status == Status::ok) add_lone({std::nullopt, i, {}}, first_, all_first_);
    }
    return std::move(found_);
  }

 private:
  void pair(std::size_t i, std::size_t j, const std::string& note) {
    const Figure &a = first_[i], &b = other_[j];
    std::erase(of_first_, i);
    std::erase(of_other_, j);
    if (a.status == Status::ok && b.status == Status::ok) {
      found_.matched.push_back({i, j, note});
    } else if (a.status == Status::ok) {
      found_.lone.push_back({i, std::nullopt, b.reason, b.status});
    } else if (b.status == Status::ok) {
      found_.lone.push_back({std::nullopt, j, a.reason, a.status});
    } else {
      found_.lone.push_back(
          {i, j,
           Note(a.status == b.status ? failure_of(b)
                                     : failure_of(a) + "; in the other folder " + failure_of(b))});
    }
  }

  template <typename Same>
  void pair_if(const Same& same) {
    for (const std::size_t i : Indices(of_first_)) {
      const auto j = std::ranges::find_if(of_other_, [&](std::size_t k) { return same(i, k); });
      if (j != of_other_.end()) pair(i, *j, note_of(first_[i], other_[*j]));
    }
  }

  void pair_equal() {
    pair_if([&](std::size_t i, std::size_t j) {
      return first_[i].variant == other_[j].variant && first_[i].bytes == other_[j].bytes;
    });
  }

  void pair_by_variant() {
    const auto alone = [](const std::vector<Figure>& figures, const Indices& of, const std::string& variant) {
      return std::ranges::count(of, variant, [&](std::size_t k) { return figures[k].variant; }) == 1;
    };
    pair_if([&](std::size_t i, std::size_t j) {
      const std::string& variant = first_[i].variant;
      return variant == other_[j].variant && alone(first_, of_first_, variant) &&
             alone(other_, of_other_, variant);
    });
  }

  void pair_best() {
    if (!found_.matched.empty()) return;
    const auto i = best(first_, of_first_), j = best(other_, of_other_);
    if (i && j) pair(*i, *j, note_of(first_[*i], other_[*j]));
  }

  static std::optional<std::size_t> best(const std::vector<Figure>& figures, const Indices& of) {
    std::optional<std::size_t> found;
    for (const std::size_t i : of) {
      if (figures[i].status != Status::ok) continue;
      if (!found || is_better(rank_of(figures[i]), rank_of(figures[*found]))) found = i;
    }
    return found;
  }

  static Rank rank_of(const Figure& figure) {
    return {figure.status, figure.other_state, figure.better == Better::lower, figure.estimate.value};
  }

  static std::string note_of(const Figure& a, const Figure& b) {
    std::string note;
    if (a.variant != b.variant)
      note = a.variant.empty()   ? "the other figure: " + b.variant
             : b.variant.empty() ? "the first figure: " + a.variant
                                 : fmt::format("{} and {}", a.variant, b.variant);
    if (a.bytes != b.bytes && a.bytes > 0 && b.bytes > 0)
      note += fmt::format("{}working sets of {} and {} per thread", note.empty() ? "" : "; ",
                          bytes_text(a.bytes), bytes_text(b.bytes));
    if (a.at_small_load != b.at_small_load)
      note +=
          fmt::format("{}the {} figure is of a small load, which raises the clocks, not of an idle machine",
                      note.empty() ? "" : "; ", a.at_small_load ? "first" : "other");
    return note;
  }

  // Adds a figure with the reason why none of the figures `there`, all of this question, is its counterpart.
  void add_lone(Lone lone, const std::vector<Figure>& figures, const Indices& there) {
    const auto is_ok = [&](std::size_t k) { return figures[k].status == Status::ok; };
    if (there.empty()) {
      lone.reason = NoteCode::not_measured_there;
    } else if (std::ranges::any_of(there, is_ok)) {
      lone.reason = NoteCode::measured_otherwise;
    } else {
      lone.reason = figures[there.front()].reason;
      lone.there = figures[there.front()].status;
    }
    found_.lone.push_back(std::move(lone));
  }

  const std::vector<Figure>&first_, &other_;
  Indices all_first_, all_other_;
  Indices of_first_, of_other_;  // not yet paired
  Matching found_;
};

std::map<std::string, Indices> by_question(const std::vector<Figure>& figures) {
  std::map<std::string, Indices> found;
  for (std::size_t i = 0; i < figures.size(); ++i) {
    if (figures[i].no_partner.empty()) found[figures[i].question].push_back(i);
  }
  return found;
}

// The threads with which each topic was measured, in words.
using ThreadsOfTopics = std::map<std::string, std::set<std::string>>;

ThreadsOfTopics threads_of_topics(const std::vector<Figure>& figures) {
  ThreadsOfTopics found;
  for (const Figure& figure : figures) {
    if (!figure.topic.empty() && figure.status == Status::ok) found[figure.topic].insert(figure.threads);
  }
  return found;
}

// What was measured there with other threads is not said to be unmeasured.
void name_threads(const std::vector<Figure>& first, const std::vector<Figure>& other, Matching& matching) {
  const ThreadsOfTopics of_first = threads_of_topics(first), of_other = threads_of_topics(other);
  for (Lone& lone : matching.lone) {
    if (lone.reason.code != NoteCode::not_measured_there) continue;
    const Figure& figure = lone.first ? first[*lone.first] : other[*lone.other];
    const ThreadsOfTopics& there = lone.first ? of_other : of_first;
    if (const auto found = there.find(figure.topic); found != there.end())
      lone.reason = {NoteCode::other_threads_there,
                     {fmt::format("{}", fmt::join(found->second, " or ")), figure.threads}};
  }
}

}  // namespace

Matching match_figures(const std::vector<Figure>& first, const std::vector<Figure>& other) {
  const auto of_first = by_question(first), of_other = by_question(other);
  const auto of = [](const std::map<std::string, Indices>& all, const std::string& question) {
    const auto found = all.find(question);
    return found == all.end() ? Indices() : found->second;
  };
  std::map<std::string, Indices> questions = of_first;
  questions.insert(of_other.begin(), of_other.end());
  Matching all;
  for (const auto& [question, unused] : questions) {
    Matching one = Question(first, other, of(of_first, question), of(of_other, question)).matching();
    std::ranges::copy(one.matched, std::back_inserter(all.matched));
    std::ranges::copy(one.lone, std::back_inserter(all.lone));
  }
  for (std::size_t i = 0; i < first.size(); ++i) {
    if (!first[i].no_partner.empty() && first[i].status == Status::ok)
      all.lone.push_back({i, std::nullopt, first[i].no_partner});
  }
  for (std::size_t i = 0; i < other.size(); ++i) {
    if (!other[i].no_partner.empty() && other[i].status == Status::ok)
      all.lone.push_back({std::nullopt, i, other[i].no_partner});
  }
  name_threads(first, other, all);
  sort_by(all.matched, &Matched::first);
  sort_by(all.lone, [](const Lone& lone) {
    return lone.first ? std::pair(0, *lone.first) : std::pair(1, *lone.other);
  });
  return all;
}

}  // namespace gable::model
