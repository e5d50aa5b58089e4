#include "kmaf/traces/trace.hpp"
#include "base/system_error.hpp"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <string_view>
#include <system_error>

namespace gable::kmaf {

namespace {

constexpr std::string_view magic = "GABLETR1";  // the start of a binary trace
constexpr std::string_view header = "tid,address,bytes,write";
constexpr std::size_t record_bytes = 16;
constexpr std::size_t buffer_bytes = 1 << 18;
constexpr std::uint64_t most_bytes = std::uint64_t{1} << 20;

std::string_view trimmed(const char* begin, const char* end) {
  while (begin < end && (*begin == ' ' || *begin == '\t')) ++begin;
  while (begin < end && (end[-1] == ' ' || end[-1] == '\t' || end[-1] == '\r')) --end;
  return {begin, static_cast<std::size_t>(end - begin)};
}

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

// For messages: replaces bytes that are not text, which must not reach a terminal.
std::string shown(std::string_view text) {
  if (!std::ranges::all_of(text, [](unsigned char c) { return c >= ' ' && c < 0x7f; })) return "not text";
  return "'" + std::string(text.substr(0, 40)) + "'";
}

}  // namespace

TraceReader::TraceReader(const std::string& path)
    : path_(path), file_(std::fopen(path.c_str(), "rb")), buffer_(buffer_bytes) {
  if (!file_) throw TraceError(path + ": " + std::strerror(errno));
  kept_ = std::fread(buffer_.data(), 1, magic.size(), file_.get());
  if (std::ferror(file_.get()) != 0) throw TraceError(path + ": " + std::strerror(errno));
  binary_ = std::string_view(buffer_.data(), kept_) == magic;
  if (binary_) kept_ = 0;
}

void TraceReader::refuse(const std::string& what) const {
  throw TraceError(binary_ ? path_ + ": " + what : path_ + ":" + std::to_string(line_) + ": " + what);
}

std::span<const Access> TraceReader::next() {
  block_.clear();
  binary_ ? read_binary() : read_csv();
  return block_;
}

void TraceReader::read_binary() {
  const std::size_t got = std::fread(buffer_.data(), 1, buffer_.size(), file_.get());
  if (got < buffer_.size() && std::ferror(file_.get()) != 0) refuse(std::strerror(errno));
  if (got % record_bytes != 0) refuse("truncated: it ends in the middle of an access");
  for (std::size_t at = 0; at < got; at += record_bytes) {
    std::uint64_t address = 0;
    std::uint32_t tid = 0, bytes = 0;
    std::memcpy(&address, &buffer_[at], 8);
    std::memcpy(&tid, &buffer_[at + 8], 4);
    std::memcpy(&bytes, &buffer_[at + 12], 4);
    if (bytes >> 1 > most_bytes) refuse("an access of more than 1 MiB");
    if (bytes >> 1 == 0 || address + (bytes >> 1) < address) refuse("not a trace: an access of no bytes");
    block_.push_back({address, tid, bytes >> 1, (bytes & 1) != 0});
  }
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
  const std::string_view line = trimmed(begin, end);
  if (line.empty() || (line_ == 1 && line == header)) return;
  std::uint64_t values[4] = {};
  constexpr const char* names[] = {"tid", "address", "bytes", "write"};
  constexpr std::uint64_t most[] = {UINT32_MAX, UINT64_MAX, most_bytes, 1};
  const char* at = line.data();
  const char* const line_end = at + line.size();
  for (int field = 0; field < 4; ++field) {
    const char* const comma = std::find(at, line_end, ',');
    if ((comma == line_end) != (field == 3)) refuse("expected four fields: " + std::string(header));
    const std::string_view text = trimmed(at, comma);
    if (!parse(text, most[field], values[field])) {
      refuse(std::string(names[field]) + " is " + shown(text) + ", expected a whole number up to " +
             std::to_string(most[field]));
    }
    at = comma + 1;
  }
  if (values[2] == 0) refuse("bytes is 0");
  if (values[1] + values[2] < values[1]) refuse("the access goes beyond the last address");
  block_.push_back({values[1], static_cast<std::uint32_t>(values[0]), static_cast<std::uint32_t>(values[2]),
                    values[3] == 1});
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
    const std::uint32_t bytes = access.bytes << 1 | (access.write ? 1u : 0u);
    const std::size_t at = buffer_.size();
    buffer_.resize(at + record_bytes);
    std::memcpy(&buffer_[at], &access.address, 8);
    std::memcpy(&buffer_[at + 8], &access.tid, 4);
    std::memcpy(&buffer_[at + 12], &bytes, 4);
  } else {
    char line[64];
    const int length =
        std::snprintf(line, sizeof line, "%u,%llu,%u,%d\n", access.tid,
                      static_cast<unsigned long long>(access.address), access.bytes, access.write ? 1 : 0);
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
