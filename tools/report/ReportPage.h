/// Reports as HTML pages.
#ifndef TG_TOOLS_REPORT_REPORTPAGE_H
#define TG_TOOLS_REPORT_REPORTPAGE_H

#include <optional>
#include <string>
#include <string_view>

namespace tg {

/// The format of a report, which depends on the name of its file.
enum class ReportFormat { json, page };

/// Returns JSON for "model.json" and "-", page for "model.html"; none for other
/// names.
std::optional<ReportFormat> reportFormatOf(std::string_view file);

/// Returns a one-sentence error for a file name without a known format.
std::string reportFormatError(std::string_view option, std::string_view file);

/// Returns a self-contained HTML page that contains and shows a report of tgc.
/// It loads nothing from the network. `json` is valid JSON; names in it never
/// become markup or code.
std::string makeReportPage(std::string_view json);

/// Returns the JSON in a page of `makeReportPage`; none for other texts.
std::optional<std::string_view> findReportIn(std::string_view page);

} // namespace tg

#endif // TG_TOOLS_REPORT_REPORTPAGE_H
