//===- StepReport.h - the steps and buffers of a function in a report -----===//
#ifndef TG_COMPILER_LIBRARY_REPORT_STEPREPORT_H
#define TG_COMPILER_LIBRARY_REPORT_STEPREPORT_H

#include "compiler/library/tables/Metadata.h"
#include "llvm/ADT/StringSet.h"

namespace tg {

/// A list of distinct texts in the order of insertion. Invalid UTF-8 in the
/// names of layers and files becomes the replacement character.
class Texts {
public:
  void add(llvm::StringRef text) {
    if (!text.empty() && known.insert(text).second)
      list.push_back(llvm::json::fixUTF8(text));
  }
  llvm::json::Array list;

private:
  llvm::StringSet<> known;
};

/// The layers and source lines of ops.
struct Sources {
  void add(mlir::Location location);
  void addTo(llvm::json::Object &entry);

  Texts layers, lines;
};

/// Adds the steps of a function with their costs and the buffers that they read
/// and write, and the buffers of its workspace with their offsets and live
/// ranges. Emits a diagnostic and fails if a limit of the tables is exceeded.
llvm::LogicalResult addSteps(const FunctionPlan &function,
                             const ModelPlan &plan, llvm::json::Object &entry);

} // namespace tg

#endif // TG_COMPILER_LIBRARY_REPORT_STEPREPORT_H
