//===- Child.h - the process that runs one row ----------------------------===//
#ifndef TG_TOOLS_TGC_BENCH_CHILD_H
#define TG_TOOLS_TGC_BENCH_CHILD_H

#include "llvm/ADT/StringRef.h"

namespace tg::bench {

/// Serves the measuring process: `specification` is a JSON object with
/// workload, mode, batch, threads. Writes lines of JSON to stdout; `go` and
/// `end` arrive on stdin. Returns the exit status, and prints errors to stderr.
int runChild(llvm::StringRef specification);

} // namespace tg::bench

#endif // TG_TOOLS_TGC_BENCH_CHILD_H
