//===- ChildProcess.h - a process with a line protocol --------------------===//
#ifndef TG_TOOLS_TGC_BENCH_CHILDPROCESS_H
#define TG_TOOLS_TGC_BENCH_CHILDPROCESS_H

#include "Workloads.h"
#include "llvm/Support/JSON.h"
#include <cstdio>
#include <sys/types.h>

namespace tg::bench {

/// A child process of this program, which runs the measured code.
class ChildProcess {
public:
  /// Starts `program` --child; pins it to one CPU if it has one thread.
  ChildProcess(const std::string &program, llvm::json::Object specification,
               unsigned threads);
  ChildProcess(const ChildProcess &) = delete;
  ~ChildProcess();
  /// Sends `word`, if any. Returns the answer; empty if the child has ended.
  llvm::json::Object ask(const char *word = nullptr);

private:
  pid_t process = -1;
  FILE *to = nullptr, *from = nullptr;
};

/// The results of alternating turns of a child and of the machine.
struct Turns {
  /// The seconds of each sample.
  std::vector<double> times;
  /// For each turn: the machine's rate for the limit, and the time that the
  /// machine needs for the work at this rate, divided by the child's time.
  std::vector<double> rates, shares;
};

/// Runs the child and the machine in alternating turns. `amount` is the work of
/// a call, in the unit of the limit's rate.
Turns takeTurns(ChildProcess &child, Machine &machine, Limit limit,
                double amount, int rounds);
/// Runs turns of a child on a device, whose limits are unknown.
Turns takeTurns(ChildProcess &child, int rounds);

/// Returns the median; infinity for an empty list.
double median(std::vector<double> values);

/// Rounds a value to a multiple of `unit`, for output.
double rounded(double value, double unit);

/// Adds a summary of the times and shares of turns to a record of the output.
void summarize(llvm::json::Object &record, const Turns &turns);

} // namespace tg::bench

#endif // TG_TOOLS_TGC_BENCH_CHILDPROCESS_H
