//===- Report.h - what a compilation cost ---------------------------------===//
#ifndef TG_TOOLS_TGC_REPORT_H
#define TG_TOOLS_TGC_REPORT_H

#include "compiler/driver/Pipeline.h"
#include "tools/report/ReportPage.h"

/// Times, sizes, costs and the signature as JSON, or as a page that shows them.
std::string formatReport(const tg::CompileResult &result,
                         tg::ReportFormat format);

/// Seconds per phase and the peak of memory as lines for people.
std::string formatTiming(const tg::CompileResult &result);

#endif // TG_TOOLS_TGC_REPORT_H
