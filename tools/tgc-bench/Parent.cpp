//===- Parent.cpp - the process that measures and prints results ----------===//
#include "Parent.h"
#include "ChildProcess.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>

using namespace tg;
using namespace tg::bench;
namespace json = llvm::json;

/// The maximum relative error of a correct inference.
static constexpr double kTolerance = 1e-4;

/// Returns the work of a call that its limit bounds: 10^9 FLOPs for the FMA
/// peak, otherwise 10^9 bytes.
static double amountOf(const Row &row) {
  return row.limit() == Limit::fma ? row.gflop() : row.limitGbyte();
}

/// Returns true if a device other than a CPU is measured.
static bool isOnDevice(const BenchOptions &options) {
  return options.device != "cpu";
}

/// Adds what a child reports after its turns to a record.
static void finish(ChildProcess &child, json::Object &record) {
  for (const auto &[key, value] : child.ask("end"))
    record[key] = value;
}

/// Returns what limits a line: "share of limit 0.5", or on a device the time of
/// its steps.
static std::string describeLimit(const json::Object &record,
                                 const char *format) {
  std::string text;
  bool isDevice = record.get("steps_ms");
  llvm::raw_string_ostream(text) << llvm::format(
      isDevice ? "steps %.4f ms" : format,
      record.getNumber(isDevice ? "steps_ms" : "share_of_limit").value_or(0));
  return text;
}

/// Returns the threads or the device of a record: "2t", "cuda:0".
static std::string workersOf(const json::Object &record) {
  if (auto device = record.getString("device"))
    return device->str();
  return std::to_string(record.getInteger("threads").value_or(0)) + "t";
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
  llvm::outs() << llvm::format("%-18s %-5s b%-4d %s  ",
                               record.getString("workload")->str().c_str(),
                               record.getString("mode")->str().c_str(),
                               int(number("batch")), workersOf(record).c_str());
  if (record.getString("outcome") != "ok")
    llvm::outs() << *record.getString("outcome") << '\n';
  else
    llvm::outs() << llvm::format(
        "%10.4f ms (best %.4f)  %s  check %.3g  first call %.2f s  %d MB\n",
        number("median_ms"), number("min_ms"),
        describeLimit(record, "share of limit %.3f").c_str(), number("check"),
        number("first_call_s"), int(number("peak_rss_mb")));
  llvm::outs().flush();
}

/// Prints a note if a row or function did more arithmetic than the measured
/// limit.
static void explainShare(const json::Object &record, Limit limit) {
  if (limit == Limit::fma &&
      record.getNumber("share_of_limit").value_or(0) > 1.05)
    llvm::errs() << "tgc-bench: note: the share of the FMA peak is above 1: "
                    "the limit was measured while the machine was busy; "
                    "measure again (or Winograd did less arithmetic than is "
                    "counted)\n";
}

/// Returns true if three training steps had the expected effect: the loss
/// falls, or Adam moved parameters by its learning rate.
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
  if (isOnDevice(options))
    record["device"] = options.device;
  json::Object specification(record);
  specification["own"] = true;
  specification["optimization"] = options.optimization;
  specification["conv_algorithm"] = options.convAlgorithm;
  ChildProcess child(program, std::move(specification), options.threads);
  json::Object first = child.ask();
  record["outcome"] = "failed: see the message above";
  if (!first.empty()) {
    for (const auto &[key, value] : first)
      record[key] = value;
    Turns turns = isOnDevice(options)
                      ? takeTurns(child, options.rounds)
                      : takeTurns(child, machine, row.limit(), amountOf(row),
                                  options.rounds);
    finish(child, record);
    double check = first.getNumber("check").value_or(NAN);
    bool isCorrect = row.train ? isPlausible(row, first) : check <= kTolerance;
    if (turns.times.empty())
      record["outcome"] = "failed: no times";
    else if (!isCorrect)
      record["outcome"] = row.train ? "failed: the steps do not train"
                                    : "failed: differs from the interpreter";
    else
      record["outcome"] = "ok";
    if (!turns.times.empty()) {
      summarize(record, turns);
      record["items_per_s"] =
          rounded(double(row.batch) / median(turns.times), 1e-3);
      record["gflop"] = row.gflop();
      record["gbyte"] = row.workload->gbyte;
    }
  }
  print(record, options.json);
  explainShare(record, row.limit());
  return record.getString("outcome") == "ok";
}

//===----------------------------------------------------------------------===//
// User models
//===----------------------------------------------------------------------===//

/// Returns the readable name of a limit.
static std::string nameOfLimit(Limit limit) {
  return limit == Limit::fma ? "FMA peak" : "copy bandwidth";
}

/// Returns the resource for which the machine needs more time.
static Limit limitOf(Machine &machine, double gflop, double gbyte) {
  return gbyte / machine.measure(Limit::copy) >
                 gflop / machine.measure(Limit::fma)
             ? Limit::copy
             : Limit::fma;
}

static void printFunction(const json::Object &record, Limit limit,
                          bool asJson) {
  auto number = [&](const char *key) {
    return record.getNumber(key).value_or(0);
  };
  if (asJson)
    llvm::outs() << json::Value(json::Object(record)) << '\n';
  else if (record.getString("outcome") != "ok")
    llvm::outs() << llvm::format("%-16s %s\n",
                                 record.getString("function")->str().c_str(),
                                 record.getString("outcome")->str().c_str());
  else
    llvm::outs() << llvm::format(
        "%-16s %-16s %s  %10.4f ms (best %.4f)  %.2f GFLOP/s  %.2f GB/s  "
        "%s  first call %.2f s  %d MB\n",
        record.getString("function")->str().c_str(),
        record.getString("dims")->str().c_str(), workersOf(record).c_str(),
        number("median_ms"), number("min_ms"), number("gflop_per_s"),
        number("gbyte_per_s"),
        describeLimit(record, ("%.3f of " + nameOfLimit(limit)).c_str())
            .c_str(),
        number("first_call_s"), int(number("peak_rss_mb")));
  llvm::outs().flush();
}

bool tg::bench::measureFunction(const UserRun &run, const BenchOptions &options,
                                Machine &machine, const std::string &program) {
  json::Object record{{"model", run.path},
                      {"function", run.function},
                      {"dims", run.dims},
                      {"threads", int64_t(options.threads)},
                      {"optimization", options.optimization},
                      {"level", run.level}};
  if (isOnDevice(options))
    record["device"] = options.device;
  ChildProcess child(program, json::Object(record), options.threads);
  json::Object first = child.ask();
  record["outcome"] = "failed: see the message above";
  Limit limit = Limit::fma;
  if (!first.empty()) {
    for (const auto &[key, value] : first)
      record[key] = value;
    double gflop = record.getNumber("gflop").value_or(0);
    double gbyte = record.getNumber("gbyte").value_or(0);
    Turns turns;
    if (isOnDevice(options)) {
      turns = takeTurns(child, options.rounds);
    } else {
      limit = limitOf(machine, gflop, gbyte);
      record["limit"] = nameOfLimit(limit);
      turns = takeTurns(child, machine, limit,
                        limit == Limit::fma ? gflop : gbyte, options.rounds);
    }
    finish(child, record);
    record["outcome"] = turns.times.empty() ? "failed: no times" : "ok";
    if (!turns.times.empty()) {
      summarize(record, turns);
      double seconds = median(turns.times);
      record["gflop_per_s"] = rounded(gflop / seconds, 1e-3);
      record["gbyte_per_s"] = rounded(gbyte / seconds, 1e-3);
    }
  }
  printFunction(record, limit, options.json);
  explainShare(record, limit);
  return record.getString("outcome") == "ok";
}
