// The entry of libFuzzer, for the reader that $GABLE_FUZZ names.

#include <sys/prctl.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>

#include "readers.hpp"

namespace {

const gable::fuzz::Reader& wanted_reader() {
  const char* const name = std::getenv("GABLE_FUZZ");
  for (const gable::fuzz::Reader& reader : gable::fuzz::readers()) {
    if (name != nullptr && std::string_view(name) == reader.name) return reader;
  }
  std::fputs("GABLE_FUZZ names none of the readers in tests/fuzz/readers.cpp\n", stderr);
  std::exit(2);
}

// Tables, charts and replay take longer than reading, and find less: one input of eight gets that far. The
// content chooses, so that an input always does the same.
bool is_drawn(std::string_view content) {
  return std::hash<std::string_view>()(content) % 8 == 0;
}

}  // namespace

extern "C" int LLVMFuzzerInitialize(int*, char***) {
  prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0);  // graphs would clear huge pages for a few edges
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const gable::fuzz::Reader& reader = wanted_reader();
  const std::string_view content(reinterpret_cast<const char*>(data), size);
  try_reader(reader, content, is_drawn(content));
  return 0;
}
