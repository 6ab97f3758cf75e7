/// Embeds reports into the page that shows them.
#include "ReportPage.h"

using namespace tg;

// Embeds a file of the page into this program.
#define TG_RESOURCE(NAME, FILE)                                                \
  __asm__(".section .rodata\n"                                                 \
          ".local tgPage" #NAME "Begin\n"                                      \
          ".local tgPage" #NAME "End\n"                                        \
          "tgPage" #NAME "Begin: .incbin \"" TG_PAGE FILE "\"\n"               \
          "tgPage" #NAME "End: .byte 0\n"                                      \
          ".text\n");                                                          \
  extern "C" const char tgPage##NAME##Begin[], tgPage##NAME##End[];            \
  static std::string_view get##NAME() {                                        \
    return {tgPage##NAME##Begin,                                               \
            static_cast<size_t>(tgPage##NAME##End - tgPage##NAME##Begin)};     \
  }

TG_RESOURCE(Frame, "page.html")
TG_RESOURCE(Style, "style.css")
TG_RESOURCE(Values, "values.js")
TG_RESOURCE(Model, "model.js")
TG_RESOURCE(Table, "table.js")
TG_RESOURCE(Graph, "graph.js")
TG_RESOURCE(Memory, "memory.js")
TG_RESOURCE(Page, "page.js")

static constexpr std::string_view dataBegin =
    "<script type=\"application/json\" id=\"report\">";
static constexpr std::string_view dataEnd = "</script>";

/// Escapes '<', which JSON allows only in strings, so that no string can end
/// the element that contains the JSON.
static std::string escape(std::string_view json) {
  std::string text;
  text.reserve(json.size());
  for (char c : json)
    if (c == '<')
      text += "\\u003c";
    else
      text += c;
  return text;
}

std::optional<ReportFormat> tg::reportFormatOf(std::string_view file) {
  if (file == "-" || file.ends_with(".json"))
    return ReportFormat::json;
  if (file.ends_with(".html"))
    return ReportFormat::page;
  return std::nullopt;
}

std::string tg::reportFormatError(std::string_view option,
                                  std::string_view file) {
  return "expected the file of " + std::string(option) +
         " to end in .json, or in .html for a page, found '" +
         std::string(file) + "'";
}

std::string tg::makeReportPage(std::string_view json) {
  std::string page;
  std::string_view frame = getFrame();
  // Copies the frame up to a mark; the marks are used in the order of the
  // frame.
  auto fill = [&](std::string_view mark) {
    size_t at = frame.find(mark);
    page += frame.substr(0, at);
    frame.remove_prefix(at + mark.size());
  };
  fill("@style@");
  page += getStyle();
  fill("@report@");
  page += escape(json);
  fill("@script@");
  for (std::string_view script : {getValues(), getModel(), getTable(),
                                  getGraph(), getMemory(), getPage()})
    page += script;
  page += frame;
  return page;
}

std::optional<std::string_view> tg::findReportIn(std::string_view page) {
  size_t begin = page.find(dataBegin);
  if (begin == std::string_view::npos)
    return std::nullopt;
  page.remove_prefix(begin + dataBegin.size());
  size_t end = page.find(dataEnd);
  if (end == std::string_view::npos)
    return std::nullopt;
  return page.substr(0, end);
}
