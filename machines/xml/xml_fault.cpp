// Walks the tags of an XML text: nesting, quotes and the root element. Entities and names are left to hwloc.

#include "machines/xml/xml_fault.hpp"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <vector>

namespace gable::machines {

namespace {

class Walker {
 public:
  explicit Walker(std::string_view text) : text_(text) {}

  std::optional<XmlFault> walk() {
    if (text_.find_first_not_of(" \t\r\n") == std::string_view::npos) return fault("the file is empty");
    while (skip_text()) {
      if (!(skip_enclosed("<!--", "-->") || skip_enclosed("<?", "?>") || skip_enclosed("<![CDATA[", "]]>") ||
            skip_enclosed("<!", ">"))) {
        read_tag();
      }
      if (found_) return found_;
    }
    if (found_) return found_;
    if (!open_.empty()) {
      return fault("the file ends inside <" + open_.back().name + "> of line " +
                   std::to_string(open_.back().line) + ": it was cut short; export it again");
    }
    if (!rooted_) return fault("not XML: there is no element");
    return std::nullopt;
  }

 private:
  struct Element {
    std::string name;
    int line;
  };

  std::optional<XmlFault> fault(std::string what) {
    if (!found_) found_ = XmlFault{line_, std::move(what)};
    return found_;
  }

  void advance(std::size_t to) {
    to = std::min(to, text_.size());
    line_ += static_cast<int>(std::count(text_.begin() + static_cast<std::ptrdiff_t>(at_),
                                         text_.begin() + static_cast<std::ptrdiff_t>(to), '\n'));
    at_ = to;
  }

  // Goes to the next '<'; returns false at the end of the file or at text outside the root element.
  bool skip_text() {
    const std::size_t next = std::min(text_.find('<', at_), text_.size());
    const std::size_t stray = text_.find_first_not_of(" \t\r\n", at_);
    if (open_.empty() && stray < next && text_.substr(stray, 3) != "\xEF\xBB\xBF") {
      advance(stray);
      fault(rooted_ ? "text after the end of the topology" : "not XML: it does not start with an element");
      return false;
    }
    if (next == text_.size() && !open_.empty()) {
      advance(text_.find_last_not_of(" \t\r\n") + 1);
      return false;
    }
    advance(next);
    return at_ < text_.size();
  }

  bool skip_enclosed(std::string_view start, std::string_view end) {
    if (!text_.substr(at_).starts_with(start)) return false;
    const std::size_t stop = text_.find(end, at_ + start.size());
    if (stop == std::string_view::npos) {
      fault("'" + std::string(start) + "' is never closed: the file was cut short");
    } else {
      advance(stop + end.size());
    }
    return true;
  }

  // The '>' that ends the tag at at_, outside of quotes.
  std::size_t end_of_tag() const {
    char quote = 0;
    for (std::size_t i = at_ + 1; i < text_.size(); ++i) {
      const char c = text_[i];
      if (quote != 0) {
        if (c == quote) quote = 0;
        if (c == '<') return std::string_view::npos;
      } else if (c == '"' || c == '\'') {
        quote = c;
      } else if (c == '>') {
        return i;
      } else if (c == '<') {
        return std::string_view::npos;
      }
    }
    return std::string_view::npos;
  }

  void read_tag() {
    const std::size_t end = end_of_tag();
    if (end == std::string_view::npos) {
      fault("a tag is not closed, or a quote in it is missing");
      return;
    }
    const std::string_view tag = text_.substr(at_ + 1, end - at_ - 1);
    const bool closes = tag.starts_with('/');
    const std::string_view rest = tag.substr(closes ? 1 : 0);
    const std::string name(rest.substr(0, rest.find_first_of(" \t\r\n/")));
    if (name.empty() || !(std::isalpha(static_cast<unsigned char>(name[0])) || name[0] == '_')) {
      fault("<" + std::string(tag.substr(0, 20)) + "> is not an XML tag");
    } else if (closes) {
      close(name);
    } else {
      open(name, tag);
    }
    advance(end + 1);
  }

  void close(const std::string& name) {
    if (open_.empty() || open_.back().name != name) {
      fault("</" + name + "> has no matching start tag" +
            (open_.empty() ? ""
                           : ": <" + open_.back().name + "> of line " + std::to_string(open_.back().line) +
                                 " is open"));
    } else {
      open_.pop_back();
    }
  }

  void open(const std::string& name, std::string_view tag) {
    if (open_.empty() && rooted_) {
      fault("a second root element <" + name + ">");
    } else if (open_.empty()) {
      check_root(name, tag);
    }
    rooted_ = true;
    if (!tag.ends_with('/')) open_.push_back({name, line_});
  }

  void check_root(const std::string& name, std::string_view tag) {
    if (name != "topology") {
      fault("not a hwloc topology: the root element is <" + name + "> instead of <topology>");
      return;
    }
    const std::size_t version = tag.find("version=");
    if (version == std::string_view::npos) return;
    const std::string_view text = tag.substr(std::min(version + 9, tag.size()));
    const std::string value(text.substr(0, text.find_first_of("\"'")));
    if (std::strtol(value.c_str(), nullptr, 10) > 2) {
      fault(
          "hwloc XML version " + value +
          " cannot be read here; export it as version 2 (hwloc 3: `lstopo --export-xml-flags v2 FILE.xml`)");
    }
  }

  std::string_view text_;
  std::size_t at_ = 0;
  int line_ = 1;
  bool rooted_ = false;
  std::vector<Element> open_;
  std::optional<XmlFault> found_;
};

}  // namespace

std::optional<XmlFault> find_xml_fault(std::string_view text) {
  return Walker(text).walk();
}

}  // namespace gable::machines
