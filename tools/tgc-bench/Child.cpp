//===- Child.cpp - the process that runs one row --------------------------===//
#include "Child.h"
#include "CompiledRow.h"
#include "UserModel.h"
#include "tools/common/Targets.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"
#include <chrono>
#include <cmath>
#include <cstdio>

using namespace tg::bench;
namespace json = llvm::json;

using Clock = std::chrono::steady_clock;

/// The seconds of a turn (the samples between two measurements of the machine),
/// of a sample (the mean of some calls) and of the warm-up.
static constexpr double kTurn = 0.25, kSample = 0.005, kWarmUp = 0.3;

/// The number of calls whose steps are timed.
static constexpr int kTimedCalls = 3;

static int fail(const std::string &message) {
  llvm::errs() << "tgc-bench: error: " << message << '\n';
  return 1;
}

static void say(json::Object line) {
  llvm::outs() << json::Value(std::move(line)) << '\n';
  llvm::outs().flush();
}

static double since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

/// Returns the peak resident set size of this process in MB.
static int64_t peakMegabytes() {
  int64_t kilobytes = 0;
  if (FILE *status = std::fopen("/proc/self/status", "r")) {
    char line[256];
    while (std::fgets(line, sizeof(line), status))
      if (std::sscanf(line, "VmHWM: %ld", &kilobytes) == 1)
        break;
    std::fclose(status);
  }
  return kilobytes / 1024;
}

/// The measured call. Returns an error, or "".
using Step = llvm::function_ref<std::string()>;

/// A measured call whose steps are timed; sets the seconds. Returns an error,
/// or
/// "".
using TimedStep = llvm::function_ref<std::string(double &seconds)>;

/// Runs the warm-up. Returns the number of calls in a sample, 0 on failure.
static int64_t warmUp(Step step) {
  Clock::time_point begin = Clock::now();
  int64_t calls = 0;
  while (calls < 3 || (since(begin) < kWarmUp && calls < 100000)) {
    if (!step().empty())
      return 0;
    ++calls;
  }
  return std::max<int64_t>(1, int64_t(kSample * calls / since(begin)));
}

/// Returns the seconds of a call, measured repeatedly for one turn.
static json::Array measureTurn(Step step, int64_t calls) {
  json::Array times;
  Clock::time_point turn = Clock::now();
  while (times.size() < 2 || since(turn) < kTurn) {
    Clock::time_point begin = Clock::now();
    for (int64_t i = 0; i < calls; ++i)
      step();
    times.push_back(since(begin) / double(calls));
  }
  return times;
}

/// Returns the least seconds that the steps of a call took; infinity on
/// failure.
static double timeSteps(TimedStep step) {
  double least = HUGE_VAL;
  for (int call = 0; call < kTimedCalls; ++call) {
    double seconds;
    if (!step(seconds).empty())
      return HUGE_VAL;
    least = std::min(least, seconds);
  }
  return least;
}

/// Returns the device of a request; a CPU if it names none.
static tg_device_t deviceOf(const json::Object &object) {
  return tg::parseDevice(object.getString("device").value_or("cpu").str())
      .value_or(tg_device_t{TG_DEVICE_CPU, 0});
}

/// Reports the preparation, then the times of a turn for each request. At the
/// end reports the peak memory, and for a device the times of the steps.
static int serve(Step step, TimedStep timedStep, tg_device_t device,
                 json::Object line, int64_t peak) {
  int64_t calls = warmUp(step);
  say(std::move(line));
  char word[16];
  while (std::fgets(word, sizeof(word), stdin) &&
         llvm::StringRef(word).trim() == "go")
    say(json::Object{{"times", measureTurn(step, calls)}});
  json::Object last{{"peak_rss_mb", peak}};
  if (device.device_type != TG_DEVICE_CPU)
    last["steps_ms"] = timeSteps(timedStep) * 1e3;
  say(std::move(last));
  return 0;
}

/// Checks the results. Returns an error, or adds the losses of the first and
/// the third step to `line`. Only tgc-bench itself (`isOwn`) gets losses: other
/// harnesses would compare them with losses of other initial weights.
static std::string check(Session &session, const Row &row, bool isOwn,
                         json::Object &line) {
  std::string error;
  if (!row.train) {
    line["check"] = session.compareWithInterpreter(error);
    return error;
  }
  if (!isOwn)
    return error;
  line["first_loss"] = session.loss();
  for (int step = 2; step <= 3 && error.empty(); ++step)
    error = session.step();
  line["check"] = session.loss();
  return error;
}

/// Serves a row of the table of workloads.
static int runRow(const json::Object &object) {
  std::vector<Row> rows = findRows(object.getString("workload").value_or(""),
                                   object.getString("mode").value_or(""),
                                   object.getInteger("batch").value_or(0));
  if (rows.size() != 1)
    return fail("tgc has no such workload");
  Session session;
  std::string error = session.prepare(
      rows[0], unsigned(object.getInteger("threads").value_or(1)),
      int(object.getInteger("optimization").value_or(2)),
      object.getString("conv_algorithm").value_or("auto").str(),
      deviceOf(object));
  json::Object line{{"version", TG_VERSION},
                    {"first_call_s", session.firstCallSeconds}};
  // The peak memory is measured before the interpreter runs, so that it does
  // not include the interpreter's tensors.
  int64_t peak = peakMegabytes();
  if (error.empty())
    error =
        check(session, rows[0], object.getBoolean("own").value_or(false), line);
  if (!error.empty())
    return fail(error);
  return serve([&] { return session.step(); },
               [&](double &seconds) { return session.timeSteps(seconds); },
               deviceOf(object), std::move(line), peak);
}

/// Serves a function of a user's model.
static int runUserModel(const json::Object &object) {
  UserRun run;
  run.path = object.getString("model").value_or("").str();
  run.function = object.getString("function").value_or("").str();
  run.dims = object.getString("dims").value_or("").str();
  run.threads = unsigned(object.getInteger("threads").value_or(1));
  run.optimization = int(object.getInteger("optimization").value_or(2));
  run.level = int(object.getInteger("level").value_or(0));
  run.device = deviceOf(object);
  UserModel model;
  if (llvm::Error error = model.prepare(run))
    return fail(llvm::toString(std::move(error)));
  json::Object line{{"first_call_s", model.firstCallSeconds},
                    {"dims", model.extents},
                    {"gflop", model.gflop},
                    {"gbyte", model.gbyte}};
  return serve([&] { return model.step(); },
               [&](double &seconds) { return model.timeSteps(seconds); },
               run.device, std::move(line), peakMegabytes());
}

int tg::bench::runChild(llvm::StringRef specification) {
  llvm::Expected<json::Value> parsed = json::parse(specification);
  if (!parsed)
    return fail(llvm::toString(parsed.takeError()));
  const json::Object *object = parsed->getAsObject();
  if (!object)
    return fail(
        ("expected a JSON object after --child, found '" + specification + "'")
            .str());
  return object->get("model") ? runUserModel(*object) : runRow(*object);
}
