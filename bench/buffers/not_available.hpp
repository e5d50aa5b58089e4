#pragma once

// What a visit needs and this machine does not offer: the reason of a skipped result.

#include "base/error.hpp"
#include "model/records/note.hpp"

namespace gable::bench {

struct NotAvailable : Error {
  explicit NotAvailable(model::Note why) : Error(Error::unavailable(sentence(why))), note(std::move(why)) {}
  model::Note note;
};

}  // namespace gable::bench
