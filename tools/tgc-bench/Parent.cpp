//===- Parent.cpp - rows of results, measured beside the machine ----------===//
#include "Parent.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>
#include <fcntl.h>
#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace tg::bench;
namespace json = llvm::json;

/// A check of inference above this is a failure.
static constexpr double kTolerance = 1e-4;

namespace {

/// A process that answers lines with lines.
class ChildProcess {
public:
  ChildProcess(const std::string &program, const std::string &specification,
               bool isPinned);
  ~ChildProcess();
  /// Sends `word`, if any; the answer, or nothing after the child's end.
  json::Object ask(const char *word = nullptr);

private:
  pid_t process = -1;
  FILE *to = nullptr, *from = nullptr;
};

} // namespace

ChildProcess::ChildProcess(const std::string &program,
                           const std::string &specification, bool isPinned) {
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
    if (isPinned)
      sched_setaffinity(0, sizeof(first), &first);
    execl(program.c_str(), program.c_str(), "--child", specification.c_str(),
          nullptr);
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

/// Rounds for people and files.
static double rounded(double value, double unit) {
  return std::round(value / unit) * unit;
}

/// The time that the machine needs at least, in seconds.
static double limitSeconds(const Row &row, double rate) {
  return (row.limit() == Limit::fma ? row.gflop() : row.limitGbyte()) / rate;
}

static void print(const json::Object &record, bool asJson) {
  if (asJson) {
    llvm::outs() << json::Value(json::Object(record)) << '\n';
    llvm::outs().flush();
    return;
  }
  auto number = [&](const char *key) {
    return record.getNumber(key).value_or(0);
  };
  llvm::outs() << llvm::format("%-18s %-5s b%-4d %dt  ",
                               record.getString("workload")->str().c_str(),
                               record.getString("mode")->str().c_str(),
                               int(number("batch")), int(number("threads")));
  if (record.getString("outcome") != "ok")
    llvm::outs() << *record.getString("outcome") << '\n';
  else
    llvm::outs() << llvm::format(
        "%10.4f ms (best %.4f)  share of limit %.3f  check %.3g  first call "
        "%.2f s  %d MB\n",
        number("median_ms"), number("min_ms"), number("share_of_limit"),
        number("check"), number("first_call_s"), int(number("peak_rss_mb")));
  llvm::outs().flush();
}

/// The median; infinity of nothing.
static double median(std::vector<double> values) {
  if (values.empty())
    return std::numeric_limits<double>::infinity();
  llvm::sort(values);
  return values[values.size() / 2];
}

/// The samples of one turn of the workload, in seconds.
static std::vector<double> takeTurn(ChildProcess &child) {
  std::vector<double> times;
  json::Object turn = child.ask("go");
  if (const json::Array *found = turn.getArray("times"))
    for (const json::Value &time : *found)
      times.push_back(time.getAsNumber().value_or(0));
  return times;
}

/// Adds what was measured to a record.
static void summarize(json::Object &record, const Row &row,
                      std::vector<double> times, std::vector<double> shares,
                      std::vector<double> rates) {
  double typical = median(times), best = *llvm::min_element(times);
  record["median_ms"] = rounded(typical * 1e3, 1e-5);
  record["min_ms"] = rounded(best * 1e3, 1e-5);
  record["items_per_s"] = rounded(double(row.batch) / typical, 1e-3);
  record["samples"] = int64_t(times.size());
  record["gflop"] = row.gflop();
  record["gbyte"] = row.workload->gbyte;
  record["limit_rate"] = rounded(median(rates), 1e-3);
  record["share_of_limit"] = rounded(median(shares), 1e-4);
}

/// Whether three steps of training did something: the loss falls, or Adam moved
/// parameters by its rate.
static bool isPlausible(const Row &row, const json::Object &first) {
  double loss = first.getNumber("check").value_or(NAN);
  if (row.workload->kind == Kind::adam)
    return std::abs(loss - 3e-3) < 1e-5;
  return loss < first.getNumber("first_loss").value_or(NAN);
}

bool tg::bench::measureRow(const Row &row, const BenchOptions &options,
                           Machine &machine, const std::string &program) {
  json::Object record{{"workload", row.workload->name},
                      {"mode", row.train ? "train" : "infer"},
                      {"batch", row.batch},
                      {"threads", int64_t(options.threads)},
                      {"peer", "tgc"}};
  json::Object specification(record);
  specification["own"] = true;
  specification["optimization"] = options.optimization;
  std::string text;
  llvm::raw_string_ostream(text) << json::Value(std::move(specification));
  ChildProcess child(program, text, options.threads == 1);
  json::Object first = child.ask();
  record["outcome"] = "failed: see the message above";
  if (!first.empty()) {
    for (const auto &[key, value] : first)
      record[key] = value;
    std::vector<double> times, shares, rates;
    double before = machine.measure(row.limit());
    for (int round = 0; round < options.rounds; ++round) {
      std::vector<double> turn = takeTurn(child);
      double after = machine.measure(row.limit());
      double rate = (before + after) / 2;
      before = after;
      rates.push_back(rate);
      shares.push_back(limitSeconds(row, rate) / median(turn));
      llvm::append_range(times, turn);
    }
    record["peak_rss_mb"] = child.ask("end").getInteger("peak_rss_mb");
    double check = first.getNumber("check").value_or(NAN);
    bool isRight = row.train ? isPlausible(row, first) : check <= kTolerance;
    if (times.empty())
      record["outcome"] = "failed: no times";
    else if (!isRight)
      record["outcome"] = row.train ? "failed: the steps do not train"
                                    : "failed: differs from the interpreter";
    else
      record["outcome"] = "ok";
    if (!times.empty())
      summarize(record, row, std::move(times), std::move(shares),
                std::move(rates));
  }
  print(record, options.json);
  return record.getString("outcome") == "ok";
}
