/// Writes the event files that ReadEvents.py expects: a run that was killed in
/// step 10, and its resumption behind step 5.
#include "tg/training/events.hpp"

#include <cmath>
#include <cstdio>
#include <string>

using namespace tg::training;
using tg::data::Feature;

static void writeImage(EventWriter &events) {
  Feature image({TG_DTYPE_UINT, 8, 1}, {3, 5, 3});
  for (size_t i = 0; i < image.size(); ++i)
    image.values<uint8_t>()[i] = static_cast<uint8_t>(5 * i);
  events.addImage("image", image, 2);
}

static void writeGraph(EventWriter &events) {
  const tg_dtype_t f32 = {TG_DTYPE_FLOAT, 32, 1};
  const GraphNode nodes[] = {
      {"x", "Placeholder", {}, "", {{f32, {-1, 2}}}},
      {"scope/w", "Variable", {}, "cpu:1", {{f32, {2, 3}}}},
      {"scope/MatMul", "MatMul", {"x", "scope/w", "^x"}, "", {{f32, {-1, 3}}}}};
  events.addGraph(nodes);
}

/// Writes values that depend on the step, and those of all kinds.
static void writeRun(EventWriter &events, int first, int last) {
  for (int step = first; step <= last; ++step) {
    events.addScalar("train/loss", 1.0 / step, step);
    // The values i^3 / 1000 for i from -50 to 50, and two that are no numbers.
    std::vector<double> values = {INFINITY, NAN};
    for (int i = -50; i <= 50; ++i)
      values.push_back(i * i * i / 1000.0 * step);
    events.addHistogram("weights", values, step);
  }
}

static void writeAll(const std::string &directory) {
  EventWriter events(directory);
  events.addHparams({{"rate", 0.5},
                     {"layers", 3},
                     {"name", "adam"},
                     {"nesterov", true},
                     {"filters", {16, 32}}},
                    {.metrics = {"train/loss"}});
  writeRun(events, 1, 10);
  events.addScalar("numbers", NAN, 1);
  events.addScalar("numbers", -INFINITY, 2);
  events.addScalar("numbers", 1e-40, int64_t(1) << 40);
  events.addText("note", "# A *note* of \xc3\xa4", 4);
  writeImage(events);
  writeGraph(events);
  events.close();
  EventWriter resumed(directory, {.startStep = 6});
  writeRun(resumed, 6, 8);
  resumed.addResult(RunResult::success);
  resumed.close();
}

int main(int argc, char **argv) {
  try {
    if (argc == 2)
      return writeAll(argv[1]), 0;
    std::fprintf(stderr, "usage: WriteEvents <directory>\n");
  } catch (const std::exception &error) {
    std::fprintf(stderr, "error: %s\n", error.what());
  }
  return 1;
}
