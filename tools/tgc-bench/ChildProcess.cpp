//===- ChildProcess.cpp - a process with a line protocol ------------------===//
#include "ChildProcess.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>
#include <fcntl.h>
#include <limits>
#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace tg;
using namespace tg::bench;
namespace json = llvm::json;

ChildProcess::ChildProcess(const std::string &program,
                           json::Object specification, unsigned threads) {
  std::string text;
  llvm::raw_string_ostream(text) << json::Value(std::move(specification));
  int down[2], up[2];
  if (pipe2(down, O_CLOEXEC) || pipe2(up, O_CLOEXEC))
    return;
  process = fork();
  if (process == 0) {
    dup2(down[0], 0);
    dup2(up[1], 1);
    cpu_set_t first;
    CPU_ZERO(&first);
    CPU_SET(0, &first);
    if (threads == 1)
      sched_setaffinity(0, sizeof(first), &first);
    execl(program.c_str(), program.c_str(), "--child", text.c_str(), nullptr);
    _exit(127);
  }
  close(down[0]);
  close(up[1]);
  to = fdopen(down[1], "w");
  from = fdopen(up[0], "r");
}

ChildProcess::~ChildProcess() {
  if (to)
    std::fclose(to);
  if (from)
    std::fclose(from);
  if (process > 0)
    waitpid(process, nullptr, 0);
}

json::Object ChildProcess::ask(const char *word) {
  if (!from || !to)
    return {};
  if (word) {
    std::fprintf(to, "%s\n", word);
    std::fflush(to);
  }
  std::string line;
  for (int c = std::fgetc(from); c != EOF && c != '\n'; c = std::fgetc(from))
    line += char(c);
  llvm::Expected<json::Value> value = json::parse(line);
  if (!value) {
    llvm::consumeError(value.takeError());
    return {};
  }
  return value->getAsObject() ? *value->getAsObject() : json::Object();
}

double tg::bench::rounded(double value, double unit) {
  return std::round(value / unit) * unit;
}

double tg::bench::median(std::vector<double> values) {
  if (values.empty())
    return std::numeric_limits<double>::infinity();
  llvm::sort(values);
  return values[values.size() / 2];
}

/// Returns the samples of one turn of the workload, in seconds.
static std::vector<double> takeTurn(ChildProcess &child) {
  std::vector<double> times;
  json::Object turn = child.ask("go");
  if (const json::Array *found = turn.getArray("times"))
    for (const json::Value &time : *found)
      times.push_back(time.getAsNumber().value_or(0));
  return times;
}

Turns tg::bench::takeTurns(ChildProcess &child, Machine &machine, Limit limit,
                           double amount, int rounds) {
  Turns turns;
  double before = machine.measure(limit);
  for (int round = 0; round < rounds; ++round) {
    std::vector<double> turn = takeTurn(child);
    double after = machine.measure(limit);
    double rate = (before + after) / 2;
    before = after;
    turns.rates.push_back(rate);
    turns.shares.push_back(amount / rate / median(turn));
    llvm::append_range(turns.times, turn);
  }
  return turns;
}

Turns tg::bench::takeTurns(ChildProcess &child, int rounds) {
  Turns turns;
  for (int round = 0; round < rounds; ++round)
    llvm::append_range(turns.times, takeTurn(child));
  return turns;
}

void tg::bench::summarize(json::Object &record, const Turns &turns) {
  record["median_ms"] = rounded(median(turns.times) * 1e3, 1e-5);
  record["min_ms"] = rounded(*llvm::min_element(turns.times) * 1e3, 1e-5);
  record["samples"] = int64_t(turns.times.size());
  if (turns.rates.empty())
    return;
  record["limit_rate"] = rounded(median(turns.rates), 1e-3);
  record["share_of_limit"] = rounded(median(turns.shares), 1e-4);
}
