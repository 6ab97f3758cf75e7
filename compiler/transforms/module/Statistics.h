//===- Statistics.h - statistics of passes --------------------------------===//
#ifndef TG_COMPILER_TRANSFORMS_MODULE_STATISTICS_H
#define TG_COMPILER_TRANSFORMS_MODULE_STATISTICS_H

#include "mlir/Pass/PassInstrumentation.h"
#include "llvm/Support/raw_ostream.h"
#include <memory>

namespace tg {

/// Prints the statistics of each tg pass after it has run, in the layout of
/// `--mlir-pass-statistics`. The stream must outlive the pass manager. MLIR as
/// packaged by Debian does not count or print anything itself.
std::unique_ptr<mlir::PassInstrumentation>
createStatisticsPrinter(llvm::raw_ostream &stream);

} // namespace tg

#endif // TG_COMPILER_TRANSFORMS_MODULE_STATISTICS_H
