/// A model in name scopes that counts its steps and adds up its outputs:
/// product + sum of a list, for ten lists. The outputs are 26, 37, 16, 12, 59,
/// 9, 32, 27, 2, 135, the totals 26 to 355, the averages 26 to 35.5. An event
/// file has the graph, and the three numbers of each step.
#include "EventFile.h"
#include "Scenario.h"
#include <algorithm>
#include <tg/graph/graph_nodes.h>
using namespace tg;

namespace {
/// The graph of the exercise.
struct RunningTotal {
  Program program{"running_total"};
  DefaultGraph building{program};
  Variable step, total;
  Tensor input, output;
  Assignment newTotal, newStep;
  SummaryOp merged;

  RunningTotal() {
    {
      NameScope scope("variables");
      VariableOptions fixed = {.trainable = false};
      step = variable(0, {.name = "global_step", .variable = fixed});
      total = variable(0.0f, {.name = "total_output", .variable = fixed});
    }
    transform();
    {
      NameScope scope("update");
      newTotal = assignAdd(total, output);
      newStep = assignAdd(step, 1);
    }
    NameScope scope("summaries");
    Tensor average = newTotal.value() / cast(newStep.value(), f32);
    summaryScalar("output", output);
    summaryScalar("total", newTotal.value());
    summaryScalar("average", average);
    merged = mergeAllSummaries();
  }

  /// Computes the product and the sum of the input.
  void transform() {
    NameScope scope("transformation");
    {
      NameScope inner("input");
      input = placeholder(f32, {dim()}, "a");
    }
    Tensor product, sum;
    {
      NameScope inner("intermediate_layer");
      product = reduceProd(input).named("b");
      sum = reduceSum(input).named("c");
    }
    NameScope inner("output");
    output = (product + sum).named("output");
  }
};
} // namespace

static const std::vector<std::vector<float>> kInputs = {
    {2, 8}, {3, 1, 3, 3}, {8},    {1, 2, 3}, {11, 4},
    {4, 1}, {7, 3, 1},    {6, 3}, {0, 2},    {4, 5, 6}};
static const std::vector<float> kOutputs = {26, 37, 16, 12, 59,
                                            9,  32, 27, 2,  135};

int main() {
  RunningTotal model;
  Session session;
  session.run(model.program.initializer());
  Directory logs("running-total");
  training::EventWriter events(logs.path);
  events.addGraph(graphNodes(model.program));
  for (const std::vector<float> &input : kInputs) {
    auto [output, step, summary] =
        session.run(std::tuple(model.output, model.newStep, model.merged),
                    {{model.input, input}});
    std::cout << "step " << step << ": " << output << '\n';
    events.add(summary, int64_t(step.scalar()));
  }
  events.close();

  std::vector<ShownValue> values = readEvents(events.path());
  check(values.size() == 30, "10 steps of 3 numbers");
  std::vector<std::string> names = readGraph(events.path());
  for (const char *name :
       {"variables/total_output", "transformation/input/a",
        "transformation/intermediate_layer/b", "transformation/output/output",
        "update/AssignAdd", "update/AssignAdd_1"})
    check(std::ranges::count(names, name) == 1,
          std::string(name) + " in the graph");
  float total = 0;
  for (size_t i = 0; i < kInputs.size(); ++i) {
    total += kOutputs[i];
    float expected[] = {kOutputs[i], total, total / float(i + 1)};
    const char *tags[] = {"output", "total", "average"};
    for (size_t k = 0; k < 3; ++k) {
      const ShownValue &found = values[3 * i + k];
      check(found.step == int64_t(i) + 1 &&
                found.tag == std::string("summaries/") + tags[k],
            std::string(tags[k]) + " of step " + std::to_string(i + 1));
      check(std::abs(found.scalar - expected[k]) < 1e-4,
            std::to_string(expected[k]) + ", found " +
                std::to_string(found.scalar));
    }
  }
  check(total == 355 && std::abs(values[29].scalar - 35.5) < 1e-5,
        "a total of 355 and an average of 35.5");
}
