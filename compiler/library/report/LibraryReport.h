//===- LibraryReport.h - kernels, steps and memory of a model ---*- C++ -*-===//
#ifndef TG_COMPILER_LIBRARY_REPORT_LIBRARYREPORT_H
#define TG_COMPILER_LIBRARY_REPORT_LIBRARYREPORT_H

#include "compiler/library/tables/Metadata.h"

namespace tg {

/// Returns the text of `describe`, with more than a library carries: the ops,
/// layers and lines of kernels; the steps of functions with their costs; the
/// buffers of the workspace with their places and lives; the places of
/// variables. Fails with a diagnostic if the tables have no room.
llvm::FailureOr<llvm::json::Object> report(const ModelPlan &plan,
                                           const LibraryOptions &options);

} // namespace tg

#endif // TG_COMPILER_LIBRARY_REPORT_LIBRARYREPORT_H
