#include "kmaf/replay/trace/prepared_trace.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <unordered_map>

#include "base/error.hpp"
#include "kmaf/replay/trace/steady_part.hpp"
#include "kmaf/replay/trace/thread_clocks.hpp"
#include "kmaf/replay/trace/thread_streams.hpp"
#include "kmaf/replay/trace/transfers.hpp"
#include "kmaf/traces/metrics.hpp"

namespace gable::kmaf {

namespace {

constexpr int page_shift = 12, line_shift = 6, part_shift = 4;  // a part of a page: 16 lines
constexpr std::size_t block_records = 1 << 14;

AffinityMatrix scaled(const SharingMatrix& matrix) {
  double most = 1;
  for (const auto& row : matrix) most = std::max(most, *std::ranges::max_element(row));
  const double scale = std::min(1.0, 1e9 / most);
  AffinityMatrix result(static_cast<int>(matrix.size()));
  for (std::size_t i = 0; i < matrix.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      result.add(static_cast<int>(i), static_cast<int>(j), static_cast<std::uint32_t>(scale * matrix[i][j]));
    }
  }
  return result;
}

void count(std::vector<std::pair<int, std::uint64_t>>& use, int thread, std::uint64_t accesses) {
  for (auto& [user, before] : use) {
    if (user != thread) continue;
    before += accesses;
    return;
  }
  use.emplace_back(thread, accesses);
}

}  // namespace

// Makes records of accesses and events.
class PreparedTrace::Writer {
 public:
  explicit Writer(PreparedTrace& trace) : trace_(trace) {}

  void take(const Access& access) {
    const int thread = numbers_.of(access.tid);
    if (thread != thread_) turn_.begin();
    thread_ = thread;
    work_.resize(std::max(work_.size(), static_cast<std::size_t>(thread) + 1));
    std::uint64_t& work = work_[static_cast<std::size_t>(thread)];
    work += access.event == Event::access ? access.instructions
            : access.event == Event::work ? access.address
                                          : 0;
    if (access.event == Event::access) {
      take_lines(access, work);
    } else if (access.event != Event::work) {
      const auto object = objects_.try_emplace(access.address, objects_.size()).first->second;
      has_barriers_ = has_barriers_ || access.event == Event::wake_all;
      if (access.event == Event::wake_all) parts_.meeting(records_ + 1);
      put({static_cast<std::uint32_t>(object), taken(work), 0, 0, 0, false, access.event});
    }
  }

  void finish(int iterations) {
    flush();
    trace_.threads_ = numbers_.size();
    trace_.end_ = records_;
    trace_.objects_ = objects_.size();
    trace_.looped_ = iterations > 1 || (iterations == 0 && has_barriers_);
    if (trace_.looped_) std::tie(trace_.begin_, trace_.end_) = parts_.steady(records_);
    if (std::fflush(trace_.file_.get()) != 0) fail("cannot write the temporary trace");
  }

 private:
  // The lines that a thread used in its present turn. A line in its place here was the last of its cache set
  // that the thread used, if the L1 has at least as many sets as there are places.
  class Turn {
   public:
    void begin() { ++number_; }
    // Whether the access repeats one of this turn without any effect on caches.
    bool repeats(std::uint64_t line, bool write) {
      Place& place = places_[line % places_.size()];
      if (place.line != line || place.turn != number_) place = {line, number_, false, true};
      const bool is_repeat = !place.is_new && (place.written || !write);
      place.written = place.written || write;
      place.is_new = false;
      return is_repeat;
    }

   private:
    struct Place {
      std::uint64_t line = 0, turn = 0;
      bool written = false, is_new = true;
    };
    std::array<Place, 64> places_;
    std::uint64_t number_ = 1;
  };

  static std::uint32_t taken(std::uint64_t& work) {
    return static_cast<std::uint32_t>(
        std::min<std::uint64_t>(std::exchange(work, 0), std::numeric_limits<std::uint32_t>::max()));
  }

  void take_lines(const Access& access, std::uint64_t& work) {
    const std::uint64_t end = access.address + access.bytes - 1;
    trace_.bytes_ += access.bytes;
    for (std::uint64_t line = access.address >> line_shift; line <= end >> line_shift; ++line) {
      ++trace_.accesses_;
      const bool is_new = find_page(line >> (page_shift - line_shift));
      parts_.access(records_, thread_, is_new);
      const bool is_repeat = turn_.repeats(line, access.write);
      if (is_repeat && has_pending_ && pending_.thread == thread_ && pending_.event == Event::access &&
          pending_.repeats < std::numeric_limits<std::uint16_t>::max()) {
        ++pending_.repeats;
        pending_.instructions += taken(work);
      } else {
        put({static_cast<std::uint32_t>(page_), taken(work), 0, 0, static_cast<std::uint8_t>(line & 63),
             access.write, Event::access});
      }
    }
  }

  // Sets page_; whether it is new.
  bool find_page(std::uint64_t number) {
    if (number == last_number_) return false;
    last_number_ = number;
    const auto [found, is_new] = page_of_number_.try_emplace(number, trace_.page_numbers_.size());
    page_ = found->second;
    if (is_new) trace_.page_numbers_.push_back(number);
    return is_new;
  }

  void put(Record record) {
    flush();
    record.thread = static_cast<std::uint16_t>(thread_);
    pending_ = record;
    has_pending_ = true;
    ++records_;
  }
  void flush() {
    if (has_pending_ && std::fwrite(&pending_, sizeof pending_, 1, trace_.file_.get()) != 1)
      fail("cannot write the temporary trace");
    has_pending_ = false;
  }

  PreparedTrace& trace_;
  ThreadNumbers numbers_;
  std::unordered_map<std::uint64_t, std::uint64_t> page_of_number_, objects_;
  std::uint64_t last_number_ = std::numeric_limits<std::uint64_t>::max(), page_ = 0, records_ = 0;
  int thread_ = -1;
  Turn turn_;
  std::vector<std::uint64_t> work_;  // instructions of each thread since its last record
  Record pending_;
  bool has_pending_ = false, has_barriers_ = false;
  SteadyPart parts_;
};

PreparedTrace::PreparedTrace(ParallelOrder& order, int iterations, std::uint64_t lots,
                             const std::function<void()>& watch)
    : file_(temporary_file()) {
  constexpr std::uint64_t often = 1 << 16;
  Writer writer(*this);
  std::uint64_t given = 0;
  order.give(
      [&](const Access& access) {
        if (watch && ++given % often == 0) watch();
        writer.take(access);
      },
      lots);
  writer.finish(iterations);
  use_.resize(pages());
  moments_.assign(pieces + 1, 0);
  count_uses();
  list_visits();
}

void PreparedTrace::count_uses() {
  work_.resize(static_cast<std::size_t>(threads_));
  Sharing sharing;
  Transfers transfers(threads_, pages());
  replay(Part::steady, [&](const Record* records, std::size_t size) {
    for (const Record* record = records; record != records + size; ++record) {
      work_[record->thread] += record->instructions;
      if (record->event != Event::access) continue;
      steady_accesses_ += record->repeats + 1u;
      count(use_[record->page], record->thread, record->repeats + 1u);
      transfers.access(record->thread, record->page, record->line, record->write);
      sharing.access(record->thread, page_numbers_[record->page] << (page_shift - line_shift) | record->line);
    }
  });
  sharing_ = scaled(sharing.matrix(threads_));
  transfers_ = scaled(transfers.matrix());
}

// The time of a visit is that of a machine without caches, whose threads meet where they wait for each other;
// without synchronization it is the position in the trace. Two passes: the first counts.
void PreparedTrace::list_visits() {
  constexpr std::uint64_t none = std::numeric_limits<std::uint64_t>::max();
  std::vector<std::uint64_t> last(pages(), none), next(pages() + 1);
  double all = 0;
  const auto pass = [&](const auto& visit) {
    std::ranges::fill(last, none);
    ThreadClocks clocks(threads_, objects_);
    std::uint64_t position = 0;
    double latest = 0;
    replay(Part::steady, [&](const Record* records, std::size_t size) {
      for (const Record* record = records; record != records + size; ++record, ++position) {
        clocks.resume(record->thread);
        const double time = looped_ ? clocks.of(record->thread) + record->instructions + 1
                                    : static_cast<double>(position + 1);
        if (looped_) clocks.set(record->thread, time);
        latest = std::max(latest, time);
        if (position * pieces % (end_ - begin_) < pieces)
          moments_[position * pieces / (end_ - begin_)] =
              static_cast<std::uint32_t>(all > 0 ? latest / all : 0);
        if (record->event != Event::access) {
          clocks.take(*record);
          continue;
        }
        const std::uint64_t key = std::uint64_t{record->thread} << 8 | record->line >> part_shift;
        visit(*record, time, key != last[record->page]);
        last[record->page] = key;
      }
    });
    return latest;
  };
  all = pass([&](const Record& record, double, bool is_new) { next[record.page + 1] += is_new ? 1 : 0; });
  for (std::size_t page = 1; page < next.size(); ++page) next[page] += next[page - 1];
  first_visit_ = next;
  visits_.resize(next.back());
  all /= std::numeric_limits<std::uint32_t>::max() / 2;  // of this length is a moment
  const double latest = pass([&](const Record& record, double time, bool is_new) {
    if (is_new) visits_[next[record.page]++] = {0, record.thread, record.line, record.write};
    visits_[next[record.page] - 1].end = static_cast<std::uint32_t>(time / all);
  });
  moments_.front() = 0;
  moments_.back() = latest > 0 ? static_cast<std::uint32_t>(latest / all) + 1 : 1;
  for (std::size_t page = 0; page < pages(); ++page) {
    std::sort(visits_.begin() + static_cast<std::ptrdiff_t>(first_visit_[page]),
              visits_.begin() + static_cast<std::ptrdiff_t>(first_visit_[page + 1]),
              [](const Visit& a, const Visit& b) { return a.end < b.end; });
  }
}

std::optional<Visit> PreparedTrace::visit(std::uint64_t page, double chance, std::uint32_t from,
                                          std::uint32_t to) const {
  const auto first = visits_.begin() + static_cast<std::ptrdiff_t>(first_visit_[page]);
  const auto last = visits_.begin() + static_cast<std::ptrdiff_t>(first_visit_[page + 1]);
  const auto after = [&](std::uint32_t time) {
    return std::lower_bound(first, last, time,
                            [](const Visit& visit, std::uint32_t at) { return visit.end < at; });
  };
  auto found = after(from + static_cast<std::uint32_t>(chance * (to - from)));
  if (found == last || found->end >= to) found = after(from);  // in the next pass
  if (found == last || found->end >= to) return {};
  return *found;
}

void PreparedTrace::replay(Part part, const std::function<void(const Record*, std::size_t)>& block) const {
  std::vector<Record> buffer(block_records);
  const std::uint64_t end = part == Part::start ? begin_ : end_;
  for (std::uint64_t done = part == Part::start ? 0 : begin_; done < end;) {
    const std::size_t wanted = std::min<std::uint64_t>(block_records, end - done);
    read_at(file_, buffer.data(), wanted * sizeof(Record), done * sizeof(Record));
    block(buffer.data(), wanted);
    done += wanted;
  }
}

}  // namespace gable::kmaf
