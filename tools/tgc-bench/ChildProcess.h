//===- ChildProcess.h - a process that answers lines with lines -----------===//
#ifndef TG_TOOLS_TGC_BENCH_CHILDPROCESS_H
#define TG_TOOLS_TGC_BENCH_CHILDPROCESS_H

#include "Workloads.h"
#include "llvm/Support/JSON.h"
#include <cstdio>
#include <sys/types.h>

namespace tg::bench {

/// This program as the child that runs what is timed.
class ChildProcess {
public:
  /// Starts `program` --child; pinned to one CPU if it has one thread.
  ChildProcess(const std::string &program, llvm::json::Object specification,
               unsigned threads);
  ChildProcess(const ChildProcess &) = delete;
  ~ChildProcess();
  /// Sends `word`, if any; the answer, or nothing after the child's end.
  llvm::json::Object ask(const char *word = nullptr);

private:
  pid_t process = -1;
  FILE *to = nullptr, *from = nullptr;
};

/// The results of turns of a child and of the machine.
struct Turns {
  /// Seconds of each sample.
  std::vector<double> times;
  /// Per turn: the machine's rate, and its time for the work over the child's.
  std::vector<double> rates, shares;
};

/// Lets the child and the machine take turns. `amount` is the work of a call,
/// in the unit of the limit's rate.
Turns takeTurns(ChildProcess &child, Machine &machine, Limit limit,
                double amount, int rounds);

/// The median; infinity of nothing.
double median(std::vector<double> values);

/// Rounds for people and files.
double rounded(double value, double unit);

/// Adds the times and the shares of turns to a record.
void summarize(llvm::json::Object &record, const Turns &turns);

} // namespace tg::bench

#endif // TG_TOOLS_TGC_BENCH_CHILDPROCESS_H
