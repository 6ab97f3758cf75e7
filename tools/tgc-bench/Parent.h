//===- Parent.h - rows of results, measured beside the machine ------------===//
#ifndef TG_TOOLS_TGC_BENCH_PARENT_H
#define TG_TOOLS_TGC_BENCH_PARENT_H

#include "UserModel.h"
#include "Workloads.h"
#include <string>

namespace tg::bench {

/// The options of measurements and their print.
struct BenchOptions {
  unsigned threads = 2;
  int optimization = 2;
  /// The algorithm of workloads' convolutions, as tgc's.
  std::string convAlgorithm = "auto";
  /// Turns of 0.25 s.
  int rounds = 5;
  bool json = false;
};

/// Starts `program` --child for the row, measures it and its limit in turns and
/// prints one line. Returns whether the row is right.
bool measureRow(const Row &row, const BenchOptions &options, Machine &machine,
                const std::string &program);

/// The same for a function of a user's model, against the limit that bounds it:
/// multiply-adds or memory.
bool measureFunction(const UserRun &run, const BenchOptions &options,
                     Machine &machine, const std::string &program);

} // namespace tg::bench

#endif // TG_TOOLS_TGC_BENCH_PARENT_H
