#include "kmaf/replay/trace/thread_streams.hpp"

#include <unistd.h>
#include <cerrno>
#include <cstdlib>
#include <string>

#include "base/error.hpp"
#include "base/numbers.hpp"

namespace gable::kmaf {

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

void read_at(const File& file, void* to, std::size_t bytes, std::uint64_t offset) {
  char* at = static_cast<char*>(to);
  while (bytes > 0) {
    const ssize_t got = pread(fileno(file.get()), at, bytes, static_cast<off_t>(offset));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) fail("cannot read a temporary file");
    at += got;
    bytes -= static_cast<std::size_t>(got);
    offset += static_cast<std::uint64_t>(got);
  }
}

void ThreadStreams::put(int thread, const StreamItem& item) {
  if (thread == threads()) streams_.emplace_back();
  Stream& stream = streams_[index(thread)];
  const Access& access = item.access;
  const std::uint32_t number = item.ends_turn                  ? Packed::turn
                               : access.event == Event::access ? access.instructions
                                                               : static_cast<std::uint32_t>(access.event);
  stream.block[stream.items % block_items] = {access.address, access.bytes, access.write, number,
                                              item.moment};
  if (++stream.items % block_items == 0) write_block(stream);
}

void ThreadStreams::write_block(Stream& stream) {
  if (std::fwrite(stream.block.data(), sizeof stream.block, 1, file_.get()) != 1)
    fail("cannot write the temporary trace");
  stream.blocks.push_back(blocks_++);
}

void ThreadStreams::rewind() {
  for (Stream& stream : streams_) {
    if (!is_written_ && stream.items % block_items != 0) write_block(stream);
  }
  is_written_ = true;
  if (std::fflush(file_.get()) != 0) fail("cannot write the temporary trace");
  for (Stream& stream : streams_) {
    stream.at = 0;
    unpack(stream);
  }
}

void ThreadStreams::unpack(Stream& stream) {
  if (stream.at == stream.items) return;
  if (stream.at % block_items == 0) {
    read_at(file_, stream.block.data(), sizeof stream.block,
            stream.blocks[stream.at / block_items] * sizeof stream.block);
  }
  const Packed& packed = stream.block[stream.at % block_items];
  const std::uint32_t number = packed.instructions;
  const bool is_access = packed.bytes > 0, ends_turn = !is_access && number == Packed::turn;
  stream.next = {{packed.address, 0, packed.bytes, packed.write != 0, is_access ? number : 0,
                  is_access || ends_turn ? Event::access : static_cast<Event>(number)},
                 packed.moment,
                 ends_turn};
}

bool ThreadStreams::at_end(int thread) const {
  const Stream& stream = streams_[index(thread)];
  return stream.at == stream.items;
}

const StreamItem& ThreadStreams::next(int thread) const {
  return streams_[index(thread)].next;
}

void ThreadStreams::pass(int thread) {
  Stream& stream = streams_[index(thread)];
  ++stream.at;
  unpack(stream);
}

}  // namespace gable::kmaf
