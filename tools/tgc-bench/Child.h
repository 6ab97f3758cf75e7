//===- Child.h - the process that runs one row ----------------------------===//
#ifndef TG_TOOLS_TGC_BENCH_CHILD_H
#define TG_TOOLS_TGC_BENCH_CHILD_H

#include "llvm/ADT/StringRef.h"

namespace tg::bench {

/// Serves the harness: `specification` is a JSON object with workload, mode,
/// batch, threads; lines of JSON go to stdout, `go` and an end come by stdin.
/// Returns the exit status; what failed stands on stderr.
int runChild(llvm::StringRef specification);

} // namespace tg::bench

#endif // TG_TOOLS_TGC_BENCH_CHILD_H
