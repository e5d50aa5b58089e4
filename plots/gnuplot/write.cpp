// Writes charts to files: tables and pictures, all at once.

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "base/error.hpp"
#include "base/files.hpp"
#include "base/lists.hpp"
#include "base/temporary_folder.hpp"
#include "base/words.hpp"
#include "plots/gnuplot/gnuplot.hpp"

namespace gable::gnuplot {

namespace fs = std::filesystem;
using charts::Chart;

namespace {

// Files that are written to a temporary folder and moved to their place together.
class NewFiles {
 public:
  explicit NewFiles(const std::string& folder) : folder_(folder), made_(folder, ".charts.") {}

  /// The temporary path of the file.
  std::string add(const std::string& name) {
    names_.push_back(name);
    return at(name);
  }
  std::string at(const std::string& name) const { return made_.path / name; }
  const std::vector<std::string>& names() const { return names_; }
  void put_in_place() {
    for (const std::string& name : names_) fs::rename(made_.path / name, folder_ / name);
  }

 private:
  fs::path folder_;
  TemporaryFolder made_;
  std::vector<std::string> names_;
};

// The charts' folder; created parts of its path are removed again if there are no charts.
class ChartsFolder {
 public:
  explicit ChartsFolder(const std::string& folder) {
    for (fs::path path = folder; !path.empty() && !fs::exists(path); path = path.parent_path())
      made_.push_back(path);
    fs::create_directories(folder);
  }
  ~ChartsFolder() {
    std::error_code ignored;
    for (const fs::path& path : made_) fs::remove(path, ignored);  // only empty ones
  }
  ChartsFolder(const ChartsFolder&) = delete;
  ChartsFolder& operator=(const ChartsFolder&) = delete;

 private:
  std::vector<fs::path> made_;  // the deepest first
};

// A progress line that is overwritten on a terminal.
class Drawing {
 public:
  explicit Drawing(std::size_t pictures) : pictures_(pictures), shown_(isatty(STDERR_FILENO) == 1) {}
  ~Drawing() {
    if (shown_) fmt::print(stderr, "\r\033[K");
  }
  void next() {
    if (shown_) fmt::print(stderr, "\r\033[Kdrawing {} of {}", ++drawn_, pictures_);
  }

 private:
  std::size_t pictures_, drawn_ = 0;
  bool shown_;
};

void draw_all(const std::vector<Chart>& charts, const std::vector<std::string>& formats,
              const std::string& font, NewFiles& files, const std::function<void()>& check) {
  Drawing drawing(charts.size() * formats.size());
  for (const Chart& chart : charts) {
    for (const std::string& format : formats) {
      check();
      drawing.next();
      try {
        draw(chart, format, files.add(chart.name + "." + format), font);
      } catch (const Error&) {  // Ctrl-C ends gnuplot too
        check();
        throw;
      }
    }
  }
}

// Existing pictures whose table will be replaced.
std::vector<std::string> outdated(const std::vector<Chart>& charts, const std::string& folder,
                                  const std::vector<std::string>& formats) {
  std::vector<std::string> pictures;
  for (const Chart& chart : charts) {
    const fs::path base = fs::path(folder) / chart.name;
    const std::string table = base.string() + ".tsv";
    if (fs::exists(table) && read_whole(table) == chart.table.tsv()) continue;
    for (const std::string& format : picture_formats()) {
      const std::string picture = fmt::format("{}.{}", base.string(), format);
      if (!is_among(formats, format) && fs::exists(picture)) pictures.push_back(picture);
    }
  }
  return pictures;
}

// Its texts as sentences.
std::string caption_of(const Chart& chart) {
  std::string caption;
  for (const std::string& text : {chart.title, chart.subtitle, chart.note}) {
    if (text.empty()) continue;
    caption += (caption.empty() ? "" : " ") + capitalized(text) + (text.back() == '.' ? "" : ".");
  }
  return caption;
}

}  // namespace

void write_and_draw(std::vector<Chart> charts, const std::string& folder,
                    const std::vector<std::string>& wanted, std::FILE* tell,
                    const std::function<void()>& check, const std::string& font) {
  const auto say = [&](const std::string& line) {
    if (tell != nullptr) fmt::print(tell, "{}\n", line);
  };
  std::erase_if(charts, [&](const Chart& chart) {
    if (!chart.omitted.empty()) say(fmt::format("not drawn: {}: {}", chart.name, chart.omitted));
    return !chart.omitted.empty();
  });
  check();
  const ChartsFolder made(folder);
  const std::string no_pictures = no_gnuplot();
  const bool pictures = no_pictures.empty();
  std::vector<std::string> formats = wanted;
  if (pictures)
    std::erase_if(formats, [&](const std::string& format) {
      const std::string reason = no_picture(format);
      if (!reason.empty()) say(fmt::format("not drawn: {} files: {}", format, reason));
      return !reason.empty();
    });
  const std::vector<std::string> old =
      outdated(charts, folder, pictures ? formats : std::vector<std::string>());
  NewFiles files(folder);
  for (const Chart& chart : charts) write_whole(files.add(chart.name + ".tsv"), chart.table.tsv());
  if (pictures) draw_all(charts, formats, font, files, check);
  check();
  files.put_in_place();
  for (const std::string& name : files.names()) say(fmt::format("{}/{}", folder, name));
  for (const Chart& chart : charts) {
    if (chart.column) say(fmt::format("caption of {}: {}", chart.name, caption_of(chart)));
  }
  for (const std::string& picture : old) say(fmt::format("older than its table: {}", picture));
  if (!pictures) throw Error::failed("no pictures, only tables: " + no_pictures);
}

}  // namespace gable::gnuplot
