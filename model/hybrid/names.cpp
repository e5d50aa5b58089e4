// The names of transfers, terms and laws.

#include "model/hybrid/hybrid.hpp"

namespace gable::model {

const char* name_of(Transfer transfer) {
  static constexpr PerTransfer<const char*> names = {{"ls", "ss", "lf", "sf"}};
  return names[transfer];
}

const char* meaning(Transfer transfer) {
  static constexpr PerTransfer<const char*> meanings = {
      {"loads from the slow memory", "stores into the slow memory", "loads from the fast memory",
       "stores into the fast memory"}};
  return meanings[transfer];
}

const char* name_of(Term term) {
  static constexpr PerTerm<const char*> names = {{"turns_slow", "turns_fast", "contention"}};
  return names[term];
}

const char* meaning(Term term) {
  static constexpr PerTerm<const char*> meanings = {{"turnarounds of the slow memory",
                                                     "turnarounds of the fast memory",
                                                     "contention of equally long transfers"}};
  return meanings[term];
}

const char* name_of(Law law) {
  static constexpr PerLaw<const char*> names = {{"equation5", "phased", "turnaround"}};
  return names[law];
}

const char* title(Law law) {
  static constexpr PerLaw<const char*> titles = {{"equation 5", "phased", "turnaround"}};
  return titles[law];
}

}  // namespace gable::model
