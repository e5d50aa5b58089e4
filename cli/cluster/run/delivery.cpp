#include "cli/cluster/run/delivery.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdint>
#include <string_view>

#include "base/error.hpp"
#include "base/files.hpp"
#include "base/temporary_folder.hpp"

namespace gable::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view mark = "@gable ";
constexpr std::size_t line_bytes = 512;
constexpr const char* digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+-";

std::string base64(std::string_view bytes) {
  std::string text;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t three = 0;
    const std::size_t count = std::min<std::size_t>(3, bytes.size() - i);
    for (std::size_t j = 0; j < 3; ++j)
      three = three << 8 | (j < count ? static_cast<unsigned char>(bytes[i + j]) : 0);
    for (std::size_t j = 0; j <= count; ++j) text += digits[three >> (18 - 6 * j) & 63];
  }
  return text;
}

std::string from_base64(std::string_view text) {
  const std::string_view all = digits;
  std::string bytes;
  std::uint32_t held = 0;
  int bits = 0;
  for (const char letter : text) {
    const std::size_t value = all.find(letter);
    if (value == std::string_view::npos) break;
    held = held << 6 | static_cast<std::uint32_t>(value);
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    bytes += static_cast<char>(held >> bits & 255);
  }
  return bytes;
}

std::uint64_t checksum(std::string_view text) {  // FNV-1a
  std::uint64_t sum = 14695981039346656037u;
  for (const unsigned char each : text) sum = (sum ^ each) * 1099511628211u;
  return sum;
}

using Files = std::map<std::string, std::string>;

// "@gable NODE + BASE64" for every part, "@gable NODE = CHECKSUM" at the end.
std::string stream(const std::string& node, const Files& files) {
  std::string packed;
  for (const auto& [name, text] : files) packed += fmt::format("{} {}\n{}", name, text.size(), text);
  const std::string head = fmt::format("{}{} ", mark, node);
  const std::size_t part = (line_bytes - head.size() - 3) / 4 * 3;
  std::string lines;
  const auto add = [&](const std::string& line) { lines += fmt::format("{:<{}}\n", line, line_bytes - 1); };
  for (std::size_t i = 0; i < packed.size(); i += part)
    add(head + "+ " + base64(std::string_view(packed).substr(i, part)));
  add(fmt::format("{}= {}", head, checksum(packed)));
  return lines;
}

// Nothing where the text is not what stream() packed.
Files unpacked(std::string_view text) {
  Files files;
  while (!text.empty()) {
    const std::size_t end = text.find('\n'), space = text.rfind(' ', end);
    std::size_t bytes = 0;
    if (end == std::string_view::npos || space == std::string_view::npos) return {};
    std::from_chars(text.data() + space + 1, text.data() + end, bytes);
    if (text.size() - end - 1 < bytes) return {};
    files[std::string(text.substr(0, space))] = text.substr(end + 1, bytes);
    text.remove_prefix(end + 1 + bytes);
  }
  return files;
}

bool is_pipe(int descriptor) {
  struct stat about = {};
  return fstat(descriptor, &about) == 0 && S_ISFIFO(about.st_mode);
}

// Sleeps until the other end has read what was written.
void wait_until_read(int pipe) {
  constexpr unsigned between = 200;
  for (int held = 1; ioctl(pipe, FIONREAD, &held) == 0 && held > 0;) usleep(between);
}

// What somebody added to the former folder: charts, points, a report.
void keep_additions(const fs::path& former, const fs::path& to) {
  for (const auto& entry : fs::directory_iterator(former)) {
    const fs::path name = entry.path().filename();
    if (name != "hybrid.json" && !fs::exists(to / name)) fs::rename(entry.path(), to / name);
  }
}

}  // namespace

void put_folder(const fs::path& from, const fs::path& to) {
  const TemporaryFolder incoming(to.parent_path(), fmt::format(".{}-", to.filename().string()));
  const fs::path whole = incoming.path / "whole", former = incoming.path / "former";
  fs::create_directory(whole);
  for (const auto& entry : fs::directory_iterator(from)) {
    if (entry.is_regular_file()) write_whole(whole / entry.path().filename(), read_whole(entry.path()));
  }
  if (!fs::exists(to)) {
    fs::rename(whole, to);
    return;
  }
  if (renameat2(AT_FDCWD, whole.c_str(), AT_FDCWD, to.c_str(), RENAME_EXCHANGE) == 0) {
    keep_additions(whole, to);
    return;
  }
  fs::rename(to, former);  // file systems without an exchange
  fs::rename(whole, to);
  keep_additions(former, to);
}

std::string stream_of(const std::string& node, const fs::path& folder) {
  Files files;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.is_regular_file()) files[entry.path().filename()] = read_whole(entry.path());
  }
  return stream(node, files);
}

std::string stream_of(const std::string& node, const std::string& file, const std::string& text) {
  return stream(node, {{file, text}});
}

// Open MPI makes standard output a terminal, which is read at any byte.
void send(const std::string& lines) {
  constexpr std::size_t most = 4096;  // a pipe takes it whole
  const int to = is_pipe(STDERR_FILENO) && !is_pipe(STDOUT_FILENO) ? STDERR_FILENO : STDOUT_FILENO;
  for (std::size_t at = 0; at < lines.size();) {
    if (is_pipe(to) && at % most == 0) wait_until_read(to);
    const ssize_t count = ::write(to, lines.data() + at, std::min(most - at % most, lines.size() - at));
    if (count >= 0)
      at += static_cast<std::size_t>(count);
    else if (errno != EINTR)
      fail("results to the launcher");
  }
}

bool Gathered::take(const std::string& line, const Deliver& deliver) {
  const std::size_t begin = line.find(mark);  // launchers may put names before it
  if (begin == std::string::npos) return false;
  const std::string_view rest = std::string_view(line).substr(begin + mark.size());
  const std::size_t space = rest.find(' ');
  if (space == std::string_view::npos || rest.size() < space + 3) return false;
  const std::string node(rest.substr(0, space));
  const std::string_view content = rest.substr(space + 3, rest.find(' ', space + 3) - space - 3);
  if (rest[space + 1] == '+') {
    texts_[node] += from_base64(content);
    return true;
  }
  const auto came = texts_.extract(node);
  const std::string text = came ? came.mapped() : "";
  deliver(node, fmt::format("{}", checksum(text)) == content ? unpacked(text) : Files());
  return true;
}

}  // namespace gable::cli
