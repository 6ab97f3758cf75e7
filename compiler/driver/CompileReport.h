//===- CompileReport.h - what a compilation cost --------------------------===//
#ifndef TG_COMPILER_DRIVER_COMPILEREPORT_H
#define TG_COMPILER_DRIVER_COMPILEREPORT_H

#include "compiler/driver/Pipeline.h"
#include "tools/report/ReportPage.h"

namespace tg {

/// Times, sizes, costs and the signature as JSON, or as a page that shows them.
std::string formatReport(const CompileResult &result, ReportFormat format);

/// Seconds per phase and the peak of memory as lines for people.
std::string formatTiming(const CompileResult &result);

} // namespace tg

#endif // TG_COMPILER_DRIVER_COMPILEREPORT_H
