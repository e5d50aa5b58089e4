#include "model/json/programs/instructions.hpp"

#include <nlohmann/json.hpp>

#include "model/json/programs/function.hpp"

namespace gable::model {

using nlohmann::ordered_json;

namespace {

ordered_json walks_to_json(const PageWalks& walks) {
  return {{"walks", whole_number(walks.walks)},
          {"seconds_lo", walks.seconds_lo},
          {"seconds_hi", walks.seconds_hi}};
}

PageWalks walks_from(const Fields& fields) {
  const PageWalks found = {fields.number("walks"), fields.number("seconds_lo"), fields.number("seconds_hi")};
  if (found.seconds_lo > found.seconds_hi) fields.fail("\"seconds_lo\" is more than \"seconds_hi\"");
  return found;
}

}  // namespace

ordered_json instructions_to_json(const Instructions& instructions) {
  return {{"executed", whole_number(instructions.executed)},
          {"integer", whole_number(instructions.integer)},
          {"branches", whole_number(instructions.branches)},
          {"mispredicted", whole_number(instructions.mispredicted)}};
}

Instructions instructions_from(const Fields& fields) {
  const Instructions found = {fields.number("executed"), fields.number("integer"), fields.number("branches"),
                              fields.number("mispredicted")};
  if (found.integer > found.executed || found.branches > found.executed ||
      found.mispredicted > found.branches)
    fields.fail("a part of its instructions is more than all of them");
  return found;
}

ordered_json translation_to_json(const Translation& translation) {
  return {{"small", walks_to_json(translation.small)}, {"huge", walks_to_json(translation.huge)}};
}

Translation translation_from(const Fields& fields) {
  return {walks_from(fields.object("small")), walks_from(fields.object("huge"))};
}

}  // namespace gable::model
