#include "bench/visit/seen.hpp"

#include <new>
#include <system_error>

#include "base/error.hpp"
#include "bench/buffers/not_available.hpp"

namespace gable::bench {

std::vector<Timeline> Seen::take(const std::vector<Trace>& traces, const std::vector<Work>& work,
                                 const Timekeeping& time) {
  cpus.resize(traces.size());
  std::vector<Timeline> timelines;
  for (std::size_t i = 0; i < traces.size(); ++i) {
    const Trace& trace = traces[i];
    timelines.push_back(trace.timeline);
    const model::Note note = time.clock_note(trace.clock_ghz_before, trace.clock_ghz_after);
    if (!note.empty()) clock_note = note;
    clocks.insert(clocks.end(), {trace.clock_ghz_before, trace.clock_ghz_after});
    for (const unsigned cpu : trace.cpus_seen) {
      cpus[i].insert(cpu);
      if (cpu != work[i].cpu && moved.empty())
        moved = {model::NoteCode::thread_moved, {double(work[i].cpu), double(cpu)}};
    }
  }
  return timelines;
}

model::Note why_not_measured(const std::function<void()>& measure) {
  try {
    measure();
    return {};
  } catch (const NotAvailable& error) {
    return error.note;
  } catch (const Error& error) {
    if (error.kind != Error::Kind::unavailable) throw;
    return model::Note(error.what());
  } catch (const std::system_error& error) {
    return model::Note(error.what());
  } catch (const std::bad_alloc&) {
    return model::NoteCode::no_memory_left;
  }
}

}  // namespace gable::bench
