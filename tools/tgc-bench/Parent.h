//===- Parent.h - the process that measures and prints results ------------===//
#ifndef TG_TOOLS_TGC_BENCH_PARENT_H
#define TG_TOOLS_TGC_BENCH_PARENT_H

#include "UserModel.h"
#include "Workloads.h"
#include <string>

namespace tg::bench {

/// The options of measurements and their output.
struct BenchOptions {
  unsigned threads = 2;
  int optimization = 2;
  /// The algorithm of convolutions in workloads, as in tgc.
  std::string convAlgorithm = "auto";
  /// The number of turns of the child, each of 0.25 s.
  int rounds = 5;
  /// The device that runs the workloads and models: "cpu", "cuda:1".
  std::string device = "cpu";
  bool json = false;
};

/// Starts `program` --child for a row of the results, and prints one line.
/// Turns of the child alternate with turns that measure the limit that bounds
/// the row, for example the machine's FMA peak. Returns true if the child
/// computes correct results.
bool measureRow(const Row &row, const BenchOptions &options, Machine &machine,
                const std::string &program);

/// Measures a function of a user's model, compared to the limit that bounds it:
/// multiply-adds or memory.
bool measureFunction(const UserRun &run, const BenchOptions &options,
                     Machine &machine, const std::string &program);

} // namespace tg::bench

#endif // TG_TOOLS_TGC_BENCH_PARENT_H
