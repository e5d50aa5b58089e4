#include "bench/apps/graphs/edge_text.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <limits>
#include <map>
#include <mutex>
#include <utility>

#include "base/error.hpp"

namespace gable::bench {

namespace {

constexpr std::size_t names_at_once = NameTable::at_once;
constexpr std::size_t piece_edges = EdgeList::piece_edges;
constexpr std::uint64_t narrow_limit = std::numeric_limits<Vertex>::max();

bool separates(char c) {
  return c == ' ' || c == '\t' || c == ',' || c == ';' || c == '\r';
}

// A fault in a line of a block. Its line number in the file is known once all earlier blocks are read.
struct Fault {
  std::uint64_t block = std::numeric_limits<std::uint64_t>::max();
  std::uint64_t line = 0;  // of the block, from 0
  std::string what;
};

// Reads blocks in one thread.
class Reader {
 public:
  Reader(EdgeText& all, std::optional<std::uint64_t> limit, std::string path)
      : all_(all), limit_(limit), path_(std::move(path)) {}

  // Reads all lines of the block and returns their number, or stops at a fault.
  std::uint64_t read(std::string_view text, std::string& fault) {
    const char* at = text.data();
    const char* const end = at + text.size();
    std::uint64_t lines = 0;
    if (all_.table.size() > 0) use_table();  // another thread has found names that need it
    for (; at < end; ++lines) {
      const char* const next = read_plain_line(at, end);
      at = next != nullptr ? next : read_line(at, end, fault);
      if (!fault.empty()) return lines;
    }
    return lines;
  }

  // This is not thread-safe.
  void end() {
    number_waiting();
    put_piece();
    for (const EdgePiece& piece : filled_) all_.list.add(piece);
    all_.numbered.insert(all_.numbered.end(), numbered_.begin(), numbered_.end());
    all_.edges += edges_;
    all_.largest = std::max(all_.largest, largest_);
  }

 private:
  // Fast path for the usual line: number, separator, number. Null, without side effects, for any other line.
  const char* read_plain_line(const char* at, const char* end) {
    std::uint64_t from = 0, to = 0;
    if (!read_digits(at, from) || !separates(*at++) || !read_digits(at, to)) return nullptr;
    if (limit_ && (from < 1 || from > *limit_ || to < 1 || to > *limit_)) return nullptr;
    if (*at != '\n') {
      if (!separates(*at)) return nullptr;
      at = static_cast<const char*>(memchr(at, '\n', static_cast<std::size_t>(end - at)));
      if (at == nullptr) at = end;
    }
    add(from, to);
    return at + 1;
  }

  const char* read_line(const char* at, const char* end, std::string& fault) {
    while (at < end && separates(*at)) ++at;
    if (at < end && *at != '\n' && *at != '#' && *at != '%') {
      std::uint64_t from = 0, to = 0;
      at = read_number(at, end, from, fault);
      if (at < end && fault.empty() && !separates(*at) && *at != '\n') fault = unexpected(at, end);
      while (at < end && separates(*at)) ++at;
      if (fault.empty()) at = read_number(at, end, to, fault);
      if (at < end && fault.empty() && !separates(*at) && *at != '\n') fault = unexpected(at, end);
      if (!fault.empty()) return at;
      add(from, to);
    }
    const auto* next = static_cast<const char*>(memchr(at, '\n', static_cast<std::size_t>(end - at)));
    return next == nullptr ? end : next + 1;
  }

  const char* read_number(const char* at, const char* end, std::uint64_t& number, std::string& fault) {
    const auto [after, error] = std::from_chars(at, end, number);
    if (error == std::errc::result_out_of_range) {
      fault = fmt::format("vertex {} does not fit in 64 bits", std::string_view(at, after));
    } else if (error != std::errc()) {
      fault = unexpected(at, end);
    } else if (limit_ && (number < 1 || number > *limit_)) {
      fault = fmt::format("row or column {} is outside 1 to {}", number, *limit_);
    }
    return after;
  }

  static std::string unexpected(const char* at, const char* end) {
    const char* stop = std::find_if(at, end, [](char c) { return separates(c) || c == '\n'; });
    if (stop == at) return "one number; an edge needs two";
    const std::string word(at, std::min(stop, at + 40));
    if (word.starts_with('-'))
      return fmt::format("vertex {} is negative; vertices are whole numbers from 0", word);
    return fmt::format("'{}' is not a whole number; a line is 'vertex vertex'", word);
  }

  void add(std::uint64_t from, std::uint64_t to) {
    ++edges_;
    largest_ = std::max({largest_, from, to});
    if (from > narrow_limit || to > narrow_limit) use_table();
    if (!uses_table_) {
      put({static_cast<Vertex>(from), static_cast<Vertex>(to)});
    } else {
      waiting_[waits_++] = from;
      waiting_[waits_++] = to;
      if (waits_ == std::size(waiting_)) number_waiting();
    }
  }

  void put(Edge edge) {
    if (piece_.edges == nullptr) piece_.edges = all_.list.room();
    piece_.edges[piece_.used++] = edge;
    if (piece_.used == piece_edges) put_piece();
  }

  void put_piece() {
    if (piece_.used > 0) (uses_table_ ? numbered_ : filled_).push_back(std::exchange(piece_, {}));
  }

  void use_table() {
    if (uses_table_) return;
    put_piece();
    uses_table_ = true;
  }

  void number_waiting() {
    Vertex numbers[names_at_once];
    if (!all_.table.number({waiting_, waits_}, {numbers, waits_})) too_many_vertices(path_);
    for (std::size_t i = 0; i < waits_; i += 2) put({numbers[i], numbers[i + 1]});
    waits_ = 0;
  }

  EdgeText& all_;
  std::optional<std::uint64_t> limit_;
  std::string path_;
  EdgePiece piece_;  // being filled
  std::vector<EdgePiece> filled_, numbered_;
  bool uses_table_ = false;
  std::uint64_t waiting_[names_at_once];  // names of edges, for the table
  std::size_t waits_ = 0;
  std::uint64_t edges_ = 0, largest_ = 0;
};

}  // namespace

void too_many_vertices(const std::string& path) {
  throw Error::format(path, fmt::format("too many vertices; at most {} are supported", narrow_limit));
}

void read_edge_text(EdgeText& all, TextSource& source, std::uint64_t first_line,
                    std::optional<std::uint64_t> limit, Crew& crew) {
  // An edge has at least four characters. A thread that starts to use the table leaves one more piece
  // unfilled.
  all.list = EdgeList(source.most_bytes() / 4, 2 * crew.threads());
  std::mutex mutex;
  std::map<std::uint64_t, std::uint64_t> lines;  // by block
  Fault first;
  crew.run([&](std::size_t) {
    Reader reader(all, limit, source.path());
    for (TextSource::Block block; source.next(block);) {
      std::string fault;
      const std::uint64_t count = reader.read(block.view(), fault);
      const std::lock_guard lock(mutex);
      lines[block.index] = count;
      if (!fault.empty() && block.index < first.block) first = {block.index, count, fault};
      if (first.block < block.index) break;  // later faults do not matter
    }
    const std::lock_guard lock(mutex);
    reader.end();
  });
  all.list.close();
  for (const auto& [block, count] : lines) {
    if (block < first.block) all.lines += count;
  }
  if (!first.what.empty()) {
    throw Error::format(source.path(), first_line + all.lines + first.line, first.what);
  }
}

}  // namespace gable::bench
