/// Reports as pages for browsers.
#ifndef TG_TOOLS_REPORT_REPORTPAGE_H
#define TG_TOOLS_REPORT_REPORTPAGE_H

#include <optional>
#include <string>
#include <string_view>

namespace tg {

/// In what form a report is written, which the name of its file tells.
enum class ReportFormat { json, page };

/// "model.json" and "-" are JSON, "model.html" is a page; none for others.
std::optional<ReportFormat> reportFormatOf(std::string_view file);

/// Returns the error for a name without a known form: one sentence.
std::string reportFormatError(std::string_view option, std::string_view file);

/// A page that shows a report of tgc, and holds it: one file that asks nothing
/// of a network. `json` is valid JSON; whatever names are in it, none of them
/// becomes markup or code.
std::string makeReportPage(std::string_view json);

/// The JSON that a page of `makeReportPage` holds; none for other texts.
std::optional<std::string_view> findReportIn(std::string_view page);

} // namespace tg

#endif // TG_TOOLS_REPORT_REPORTPAGE_H
