//===- LibraryReport.h - kernels, steps and memory of a model ---*- C++ -* ===//
#ifndef TG_COMPILER_LIBRARY_REPORT_LIBRARYREPORT_H
#define TG_COMPILER_LIBRARY_REPORT_LIBRARYREPORT_H

#include "compiler/library/tables/Metadata.h"

namespace tg {

/// Returns the text of `describe` with data that a library does not carry: the
/// ops, layers and lines of kernels, the steps of functions with their costs,
/// the buffers of the workspace with their offsets and live ranges, and the
/// offsets of variables. Emits a diagnostic and fails if a limit of the tables
/// is exceeded.
llvm::FailureOr<llvm::json::Object> report(const ModelPlan &plan,
                                           const LibraryOptions &options);

} // namespace tg

#endif // TG_COMPILER_LIBRARY_REPORT_LIBRARYREPORT_H
