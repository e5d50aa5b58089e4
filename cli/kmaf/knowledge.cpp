#include "cli/kmaf/run.hpp"

#include <fmt/format.h>

#include <bit>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "base/json.hpp"
#include "base/reading.hpp"
#include "kmaf/engine/knowledge.hpp"
#include "model/json/fields.hpp"
#include "model/records/records.hpp"

namespace gable::cli {

namespace {

using kmaf::Knowledge;
using model::Fields;

constexpr const char* advice = "create it again: gable kmaf run --learn FILE -- ./app arguments";

std::string line_of(const Json& json) {
  return json_text(json) + "\n";
}

Json page_json(const kmaf::KnownPage& page) {
  std::vector<int> tasks;
  std::vector<std::uint64_t> accesses;
  for (const kmaf::TaskUse& use : page.uses) {
    tasks.push_back(use.task);
    accesses.push_back(use.accesses);
  }
  Json json = {{"page", page.address}, {"program", page.program}, {"tasks", tasks}, {"accesses", accesses}};
  if (page.first_task >= 0) json["first"] = page.first_task;
  if (page.others > 0) json["others"] = page.others;
  return json;
}

// The number of lines of each kind after the first.
struct Lines {
  std::uint64_t programs = 0, tasks = 0, pairs = 0, pages = 0;
};

// The limits of --learn, because tables are allocated by the record's sizes.
std::uint64_t at_most(std::uint64_t most, const Fields& fields, const char* name) {
  const std::uint64_t number = fields.bytes(name);
  if (number > most)
    fields.fail(fmt::format("\"{}\" is {}, but at most {} are recorded; {}", name, number, most, advice));
  return number;
}

Lines head_from(const Fields& fields, Knowledge& into) {
  fields.schema();
  into.command = fields.texts("command");
  into.unit_bytes = static_cast<unsigned>(fields.integer("unit_bytes", 4096, 512 << 20));
  if (!std::has_single_bit(into.unit_bytes)) fields.fail("\"unit_bytes\" is not the size of a page");
  into.no_huge_pages = fields.boolean("no_huge_pages");
  into.tasks_at_once = fields.integer("tasks_at_once");
  into.tasks_left_out = fields.bytes("tasks_left_out");
  into.samples_left_out = fields.bytes("samples_left_out");
  const kmaf::Learning::Limits limits;
  return {at_most(limits.tasks, fields, "programs"), at_most(limits.tasks, fields, "tasks"),
          at_most(limits.tasks * (limits.tasks - 1) / 2, fields, "pairs"),
          at_most(limits.pages, fields, "pages")};
}

int place_in(std::size_t size, const Fields& fields, const char* name) {
  const int place = fields.integer(name);
  if (static_cast<std::size_t>(place) >= size)
    fields.fail(fmt::format("\"{}\" is {}, but only {} came before", name, place, size));
  return place;
}

std::uint64_t whole(const Fields& fields, const char* name, const Json& value) {
  if (!value.is_number_unsigned()) fields.fail(fmt::format("\"{}\" must contain only whole numbers", name));
  return value.get<std::uint64_t>();
}

kmaf::KnownPage page_from(const Fields& fields, const Knowledge& known) {
  constexpr std::uint64_t system_page = 4096;
  kmaf::KnownPage page{place_in(known.programs.size(), fields, "program"), fields.bytes("page"), {}};
  if (page.address % system_page != 0) fields.fail("\"page\" is not a multiple of 4096");
  if (fields.has("first")) page.first_task = place_in(known.tasks.size(), fields, "first");
  if (fields.has("others")) page.others = fields.bytes("others");
  const auto &tasks = fields.at("tasks"), &accesses = fields.at("accesses");
  if (!tasks.is_array() || !accesses.is_array() || tasks.empty() || tasks.size() != accesses.size())
    fields.fail("\"tasks\" and \"accesses\" are not arrays of one length, 1 or more");
  const std::size_t most = kmaf::Learning::Limits().uses;
  if (tasks.size() > most)
    fields.fail(
        fmt::format("\"tasks\" has {} entries, but at most {} are recorded per page", tasks.size(), most));
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    const std::uint64_t task = whole(fields, "tasks", tasks[i]);
    if (task >= known.tasks.size())
      fields.fail(fmt::format("\"tasks\" names {}, but there are {}", task, known.tasks.size()));
    page.uses.push_back({static_cast<int>(task), whole(fields, "accesses", accesses[i])});
  }
  return page;
}

kmaf::KnownSharing pair_from(const Fields& fields, const Knowledge& known) {
  const kmaf::KnownSharing pair{place_in(known.tasks.size(), fields, "pair"),
                                place_in(known.tasks.size(), fields, "with"), fields.bytes("events")};
  if (pair.one == pair.other) fields.fail("\"pair\" and \"with\" are the same");
  return pair;
}

// `lines`: the maximum of each kind.
void line_from(const Fields& fields, const Lines& lines, Knowledge& into) {
  const auto room = [&](std::size_t there, std::uint64_t said, const char* name) {
    if (there >= said)
      fields.fail(fmt::format("more \"{}\" lines than the first line says ({})", name, said));
  };
  if (fields.has("page")) {
    room(into.pages.size(), lines.pages, "page");
    into.pages.push_back(page_from(fields, into));
  } else if (fields.has("pair")) {
    room(into.sharing.size(), lines.pairs, "pair");
    into.sharing.push_back(pair_from(fields, into));
  } else if (fields.has("task")) {
    room(into.tasks.size(), lines.tasks, "task");
    into.tasks.push_back({place_in(into.programs.size(), fields, "program"), fields.integer("task"),
                          fields.bytes("accesses")});
  } else if (fields.has("name")) {
    room(into.programs.size(), lines.programs, "name");
    into.programs.push_back({fields.text("name"), fields.text("image")});
  } else {
    fields.fail("not a program (\"name\"), \"task\", \"pair\" or \"page\"");
  }
}

void check_whole(const Knowledge& known, const Lines& lines, const std::string& where) {
  const auto check = [&](std::size_t found, std::uint64_t said, const char* what) {
    if (found != said)
      throw Error::format(where,
                          fmt::format("{} {} where the first line says {}; {}", found, what, said, advice));
  };
  check(known.programs.size(), lines.programs, "programs");
  check(known.tasks.size(), lines.tasks, "tasks");
  check(known.sharing.size(), lines.pairs, "pairs");
  check(known.pages.size(), lines.pages, "pages");
}

}  // namespace

std::string knowledge_to_text(const Knowledge& knowledge) {
  std::string text = line_of({{"schema", model::schema},
                              {"command", knowledge.command},
                              {"unit_bytes", knowledge.unit_bytes},
                              {"no_huge_pages", knowledge.no_huge_pages},
                              {"tasks_at_once", knowledge.tasks_at_once},
                              {"tasks_left_out", knowledge.tasks_left_out},
                              {"samples_left_out", knowledge.samples_left_out},
                              {"programs", knowledge.programs.size()},
                              {"tasks", knowledge.tasks.size()},
                              {"pairs", knowledge.sharing.size()},
                              {"pages", knowledge.pages.size()}});
  for (const kmaf::KnownProgram& program : knowledge.programs)
    text += line_of({{"name", program.name}, {"image", program.image}});
  for (const kmaf::KnownTask& task : knowledge.tasks)
    text += line_of({{"task", task.number}, {"program", task.program}, {"accesses", task.accesses}});
  for (const kmaf::KnownSharing& pair : knowledge.sharing)
    text += line_of({{"pair", pair.one}, {"with", pair.other}, {"events", pair.events}});
  for (const kmaf::KnownPage& page : knowledge.pages) text += line_of(page_json(page));
  return text;
}

Knowledge knowledge_from_text(const std::string& text, const std::string& path) {
  Knowledge known;
  Lines lines;
  int number = 0;
  TextStream all(text);
  for (std::string line; std::getline(all, line);) {
    const std::string where = fmt::format("{}:{}", path, ++number);
    model::refuse_deep(line, where);
    Json json;
    try {
      json = json_from(line);
    } catch (const Json::exception&) {
      throw Error::format(where, fmt::format("not a JSON object in a line, as --learn writes; {}", advice));
    }
    reading(path, where, [&] {
      const Fields fields(json, where);
      if (number == 1) {
        lines = head_from(fields, known);
      } else {
        line_from(fields, lines, known);
      }
    });
  }
  if (number == 0) throw Error::format(path, 1, fmt::format("empty file; {}", advice));
  check_whole(known, lines, fmt::format("{}:{}", path, number));
  return known;
}

}  // namespace gable::cli
