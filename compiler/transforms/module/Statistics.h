//===- Statistics.h - what the passes counted -----------------------------===//
#ifndef TG_COMPILER_TRANSFORMS_MODULE_STATISTICS_H
#define TG_COMPILER_TRANSFORMS_MODULE_STATISTICS_H

#include "mlir/Pass/PassInstrumentation.h"
#include "llvm/Support/raw_ostream.h"
#include <memory>

namespace tg {

/// Prints the statistics of every pass of ours after it has run, in the layout
/// of `--mlir-pass-statistics`. The stream must live as long as the pass
/// manager. MLIR as Debian builds it counts and prints nothing itself.
std::unique_ptr<mlir::PassInstrumentation>
createStatisticsPrinter(llvm::raw_ostream &stream);

} // namespace tg

#endif // TG_COMPILER_TRANSFORMS_MODULE_STATISTICS_H
