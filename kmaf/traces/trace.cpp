#include "kmaf/traces/trace.hpp"
#include "base/error.hpp"
#include "base/reading.hpp"
#include "base/words.hpp"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <optional>
#include <string_view>
#include <system_error>

namespace gable::kmaf {

namespace {

// The start of a binary trace; the first version knows neither instructions nor events.
constexpr std::string_view first_magic = "GABLETR1", magic = "GABLETR2";
constexpr std::string_view first_header = "tid,address,bytes,write",
                           header = "tid,address,bytes,write,instructions";
constexpr int bytes_bits = 22;  // of the last word: write, bytes; above them the instructions
constexpr auto most_event = static_cast<std::uint32_t>(Event::unlock) - 1;
constexpr std::uint32_t most_instructions = 1023;
constexpr std::size_t record_bytes = 16;
constexpr std::size_t buffer_bytes = 1 << 18;
constexpr std::uint64_t most_bytes = std::uint64_t{1} << 20;

// A decimal number or one that starts with 0x, at most `most`.
bool parse(std::string_view text, std::uint64_t most, std::uint64_t& value) {
  int base = 10;
  if (text.starts_with("0x") || text.starts_with("0X")) {
    text.remove_prefix(2);
    base = 16;
  }
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  return error == std::errc() && end == text.data() + text.size() && value <= most;
}

// Replaces bytes that are not text, for messages: they must not reach a terminal.
std::string shown(std::string_view text) {
  if (!std::ranges::all_of(text, [](unsigned char c) { return c >= ' ' && c < 0x7f; })) return "not text";
  return "'" + std::string(text.substr(0, 40)) + "'";
}

}  // namespace

TraceReader::TraceReader(const std::string& path, bool with_events)
    : path_(path), file_(std::fopen(path.c_str(), "rb")), with_events_(with_events), buffer_(buffer_bytes) {
  if (!file_) throw Error::format(path, std::strerror(errno));
  kept_ = std::fread(buffer_.data(), 1, magic.size(), file_.get());
  if (std::ferror(file_.get()) != 0) throw Error::format(path, std::strerror(errno));
  const std::string_view start(buffer_.data(), kept_);
  binary_ = start == magic ? 2 : start == first_magic ? 1 : 0;
  if (is_utf16(start)) throw Error::format(path, 1, save_as_utf8);
  if (!start.starts_with(utf8_mark)) return;
  kept_ -= utf8_mark.size();
  std::memmove(buffer_.data(), &buffer_[utf8_mark.size()], kept_);
}

void TraceReader::refuse(const std::string& what) const {
  throw binary_ != 0 ? Error::format(path_, what) : Error::format(path_, line_, what);
}

std::span<const Access> TraceReader::next() {
  block_.clear();
  binary_ != 0 ? read_binary() : read_csv();
  return block_;
}

namespace {

// The event of a record without bytes; empty: none that is known.
std::optional<Event> event_of(std::uint32_t number) {
  if (number > most_event) return {};
  return static_cast<Event>(number + 1);
}
std::uint32_t number_of(const Access& access) {
  return access.event == Event::access ? std::min(access.instructions, most_instructions)
                                       : static_cast<std::uint32_t>(access.event) - 1;
}

}  // namespace

void TraceReader::read_binary() {
  while (block_.empty()) {
    const std::size_t got = std::fread(buffer_.data(), 1, buffer_.size(), file_.get());
    if (got < buffer_.size() && std::ferror(file_.get()) != 0) refuse(std::strerror(errno));
    if (got == 0) return;
    if (got % record_bytes != 0) refuse("truncated: it ends in the middle of an access");
    for (std::size_t at = 0; at < got; at += record_bytes) parse_record(&buffer_[at]);
  }
}

void TraceReader::parse_record(const char* record) {
  Access access;
  std::uint32_t word = 0;
  std::memcpy(&access.address, record, sizeof access.address);
  std::memcpy(&access.tid, record + sizeof access.address, sizeof access.tid);
  std::memcpy(&word, record + sizeof access.address + sizeof access.tid, sizeof word);
  access.write = (word & 1) != 0;
  access.bytes = word >> 1;
  if (binary_ == 2) {
    access.bytes = (word & ((1u << bytes_bits) - 1)) >> 1;
    access.instructions = word >> bytes_bits;
    if (access.bytes == 0) {
      const auto event = event_of(access.instructions);
      if (!event || access.write) refuse("an event that is not known");
      access.instructions = 0;
      access.event = *event;
      take(access);
      return;
    }
  }
  if (access.bytes > most_bytes) refuse("an access of more than 1 MiB");
  if (access.bytes == 0 || access.address + access.bytes < access.address)
    refuse("not a trace: an access of no bytes");
  take(access);
}

void TraceReader::read_csv() {
  while (block_.empty()) {
    const std::size_t got = std::fread(&buffer_[kept_], 1, buffer_.size() - kept_, file_.get());
    if (got == 0 && std::ferror(file_.get()) != 0) refuse(std::strerror(errno));
    const char* at = buffer_.data();
    const char* const end = at + kept_ + got;
    while (const void* found = std::memchr(at, '\n', static_cast<std::size_t>(end - at))) {
      const char* const line_end = static_cast<const char*>(found);
      parse_line(at, line_end);
      at = line_end + 1;
    }
    if (got == 0) {
      if (at < end) parse_line(at, end);  // a last line without a line end
      kept_ = 0;
      return;
    }
    kept_ = static_cast<std::size_t>(end - at);
    if (kept_ == buffer_.size()) {
      ++line_;
      refuse("a line of more than " + std::to_string(buffer_.size()) + " bytes: not a trace");
    }
    std::memmove(buffer_.data(), at, kept_);
  }
}

void TraceReader::parse_line(const char* begin, const char* end) {
  ++line_;
  const std::string_view line = trimmed({begin, end});
  if (line.empty() || (line_ == 1 && (line == header || line == first_header))) return;
  constexpr std::size_t fields = 5;
  std::uint64_t values[fields] = {0, 0, 0, 0, usual_instructions};
  constexpr const char* names[] = {"tid", "address", "bytes", "write", "instructions"};
  constexpr std::uint64_t most[] = {UINT32_MAX, UINT64_MAX, most_bytes, 1, most_instructions};
  const char* at = line.data();
  const char* const line_end = at + line.size();
  std::size_t field = 0;
  for (; field < fields && at <= line_end; ++field) {
    const char* const comma = std::find(at, line_end, ',');
    const std::string_view text = trimmed({at, comma});
    if (!parse(text, most[field], values[field])) {
      if (text.find_first_of(";\t") != std::string_view::npos)
        refuse("the fields are separated by commas: " + std::string(first_header));
      refuse(std::string(names[field]) + " is " + shown(text) + ", expected a whole number up to " +
             std::to_string(most[field]));
    }
    at = comma + 1;
  }
  if (field < fields - 1 || at <= line_end)
    refuse("expected four fields: " + std::string(first_header) + ", or also instructions");
  Access access{values[1], static_cast<std::uint32_t>(values[0]), static_cast<std::uint32_t>(values[2]),
                values[3] == 1, static_cast<std::uint32_t>(values[4])};
  if (access.bytes == 0) {
    const auto event = event_of(access.instructions);
    if (field < fields || !event || access.write) refuse("bytes is 0");
    access.instructions = 0;
    access.event = *event;
  }
  if (access.address + access.bytes < access.address) refuse("the access goes beyond the last address");
  take(access);
}

TraceFormat trace_format(const std::string& path) {
  return path.ends_with(".trace") ? TraceFormat::binary : TraceFormat::csv;
}

TraceWriter::TraceWriter(const std::string& path, TraceFormat format)
    : TraceWriter(File(std::fopen(path.c_str(), "wb")), path, format) {}

TraceWriter::TraceWriter(File file, std::string name, TraceFormat format)
    : path_(std::move(name)), file_(std::move(file)), format_(format) {
  if (!file_) fail("cannot write " + path_);
  buffer_.reserve(buffer_bytes + 128);
  const std::string_view start = format == TraceFormat::binary ? magic : header;
  buffer_.insert(buffer_.end(), start.begin(), start.end());
  if (format == TraceFormat::csv) buffer_.push_back('\n');
}

void TraceWriter::write(const Access& access) {
  if (format_ == TraceFormat::binary) {
    const std::uint32_t word = number_of(access) << bytes_bits | access.bytes << 1 | (access.write ? 1u : 0u);
    const std::size_t at = buffer_.size();
    buffer_.resize(at + record_bytes);
    std::memcpy(&buffer_[at], &access.address, 8);
    std::memcpy(&buffer_[at + 8], &access.tid, 4);
    std::memcpy(&buffer_[at + 12], &word, 4);
  } else {
    char line[64];
    const int length = std::snprintf(line, sizeof line, "%u,%llu,%u,%d,%u\n", access.tid,
                                     static_cast<unsigned long long>(access.address), access.bytes,
                                     access.write ? 1 : 0, number_of(access));
    buffer_.insert(buffer_.end(), line, line + length);
  }
  if (buffer_.size() >= buffer_bytes) flush();
}

void TraceWriter::flush() {
  if (std::fwrite(buffer_.data(), 1, buffer_.size(), file_.get()) != buffer_.size()) {
    fail("cannot write " + path_);
  }
  buffer_.clear();
}

File TraceWriter::finish() {
  flush();
  if (std::fflush(file_.get()) != 0) fail("cannot write " + path_);
  return std::move(file_);
}

}  // namespace gable::kmaf
