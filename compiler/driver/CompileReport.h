//===- CompileReport.h - the costs of a compilation -----------------------===//
#ifndef TG_COMPILER_DRIVER_COMPILEREPORT_H
#define TG_COMPILER_DRIVER_COMPILEREPORT_H

#include "compiler/driver/Pipeline.h"
#include "tools/report/ReportPage.h"

namespace tg {

/// Returns times, sizes, costs and the signatures as JSON, or as an HTML page
/// that shows them.
std::string formatReport(const CompileResult &result, ReportFormat format);

/// Returns the seconds of each phase and the peak memory as lines for people.
std::string formatTiming(const CompileResult &result);

} // namespace tg

#endif // TG_COMPILER_DRIVER_COMPILEREPORT_H
