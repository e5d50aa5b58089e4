#include "kmaf/replay/prepared_trace.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <limits>
#include <system_error>
#include <unordered_map>

#include "base/system_error.hpp"
#include "kmaf/traces/metrics.hpp"

namespace gable::kmaf {

namespace {

constexpr int page_shift = 12, line_shift = 6;
constexpr std::size_t block_records = 1 << 15;

// A file without a name, which disappears when it is closed.
File temporary_file() {
  const char* const folder = std::getenv("TMPDIR");
  std::string name = std::string(folder == nullptr || *folder == '\0' ? "/tmp" : folder) + "/gable-XXXXXX";
  const int descriptor = mkstemp(name.data());
  if (descriptor < 0) fail("cannot make a temporary file " + name);
  unlink(name.c_str());
  File file(fdopen(descriptor, "w+b"));
  if (!file) fail("cannot make a temporary file " + name);
  return file;
}

AffinityMatrix scaled(const SharingMatrix& matrix) {
  double most = 1;
  for (const auto& row : matrix) most = std::max(most, *std::max_element(row.begin(), row.end()));
  const double scale = std::min(1.0, 1e9 / most);
  AffinityMatrix result(static_cast<int>(matrix.size()));
  for (std::size_t i = 0; i < matrix.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      result.add(static_cast<int>(i), static_cast<int>(j), static_cast<std::uint32_t>(scale * matrix[i][j]));
    }
  }
  return result;
}

void count(std::vector<std::pair<int, std::uint64_t>>& use, int thread) {
  for (auto& [user, accesses] : use) {
    if (user != thread) continue;
    ++accesses;
    return;
  }
  use.emplace_back(thread, 1);
}

}  // namespace

PreparedTrace::PreparedTrace(const std::function<void(const Sink&)>& source) : file_(temporary_file()) {
  ThreadNumbers numbers;
  Sharing sharing;
  std::unordered_map<std::uint64_t, std::uint64_t> page_of_number;
  std::uint64_t last_number = std::numeric_limits<std::uint64_t>::max(), last_page = 0;
  const auto take = [&](const Access& access) {
    const int thread = numbers.of(access.tid);
    const std::uint64_t end = access.address + access.bytes - 1;
    for (std::uint64_t line = access.address >> line_shift; line <= end >> line_shift; ++line) {
      const std::uint64_t address = std::max(access.address, line << line_shift);
      if (address >> page_shift != last_number) {
        last_number = address >> page_shift;
        const auto [found, is_new] = page_of_number.try_emplace(last_number, page_numbers_.size());
        last_page = found->second;
        if (is_new) {
          page_numbers_.push_back(last_number);
          use_.emplace_back();
        }
      }
      count(use_[last_page], thread);
      sharing.access(thread, line);
      const Record record =
          make_record(last_page, address & 0xfff, static_cast<std::uint64_t>(thread), access.write);
      if (std::fwrite(&record, sizeof record, 1, file_.get()) != 1) fail("cannot write the temporary trace");
      ++records_;
    }
  };
  source(take);
  if (std::fflush(file_.get()) != 0) fail("cannot write the temporary trace");
  threads_ = numbers.size();
  sharing_ = scaled(sharing.matrix(threads_));
}

void PreparedTrace::replay(const std::function<void(const Record*, std::size_t)>& block) const {
  std::vector<Record> buffer(block_records);
  for (std::uint64_t done = 0; done < records_;) {
    const std::size_t wanted = std::min<std::uint64_t>(block_records, records_ - done);
    const ssize_t got = pread(fileno(file_.get()), buffer.data(), wanted * sizeof(Record),
                              static_cast<off_t>(done * sizeof(Record)));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0 || got % static_cast<ssize_t>(sizeof(Record)) != 0) fail("cannot read the temporary trace");
    block(buffer.data(), static_cast<std::size_t>(got) / sizeof(Record));
    done += static_cast<std::uint64_t>(got) / sizeof(Record);
  }
}

}  // namespace gable::kmaf
