// The entry of libFuzzer, for the reader that $GABLE_FUZZ names.

#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "readers.hpp"

namespace {

const gable::fuzz::Reader& asked() {
  const char* const name = std::getenv("GABLE_FUZZ");
  for (const gable::fuzz::Reader& reader : gable::fuzz::readers()) {
    if (name != nullptr && std::string_view(name) == reader.name) return reader;
  }
  std::fputs("GABLE_FUZZ names none of the readers in tests/fuzz/readers.cpp\n", stderr);
  std::exit(2);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const gable::fuzz::Reader& reader = asked();
  try_reader(reader, {reinterpret_cast<const char*>(data), size});
  return 0;
}
