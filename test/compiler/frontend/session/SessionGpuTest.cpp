// Tests sessions on NVIDIA GPUs, which the simulator stands in for: placement,
// towers, variables in the memory of a GPU, and errors.
#include "../Errors.h"

#include "test/simulator/support/Cuda.h"
#include "tg/graph/variable_scope.h"

#include <cstdlib>

using namespace tg;

namespace {
/// A test on a number of simulated GPUs.
class SessionGpuTest : public testing::Test {
protected:
  void SetUp() override { useGpus("1"); }
  void TearDown() override {
    unsetenv("TG_SIMULATOR_DEVICES");
    test::Cuda::get().reset();
  }
  void useGpus(const char *count) {
    setenv("TG_SIMULATOR_DEVICES", count, 1);
    test::Cuda::get().reset();
  }

  SessionOptions onCpu{.optimization = 1, .levels = {3}, .kernelCache = ""};
  SessionOptions onGpu{
      .optimization = 1, .levels = {3}, .gpus = 1, .kernelCache = ""};
};

/// A model w x + b with its update, built of towers on devices of a type.
struct Line {
  Program program{"line"};
  Tensor x = program.input("x", f32, {dim("n")});
  Tensor y = program.input("y", f32, {dim("n")});
  Tensor loss;
  Updates train;

  Line(const std::string &type, int64_t towers)
      : loss(build(type, towers)),
        train(Adam({.learningRate = 0.1})
                  .minimize(loss, {.colocateGradientsWithOps = true})) {}

  Tensor build(const std::string &type, int64_t towers) {
    Tensor guess = makeParallel(
        [&](Tensor rows) {
          return rows * getVariable(program, "w", {1}) +
                 getVariable(program, "b", {1});
        },
        towers, {x}, {.deviceType = type});
    return reduceMean(square(guess - y));
  }

  /// Trains for some steps. Returns the losses and the variables.
  std::vector<float> run(Session &session) {
    session.run(program.initializer());
    std::vector<float> found;
    for (int i = 0; i < 4; ++i)
      found.push_back(float(
          session
              .run({train, loss}, {{x, {1, 2, 3, 4}}, {y, {3, 5, 7, 9.5}}})[1]
              .scalar()));
    for (const char *name : {"w", "b"})
      found.push_back(
          float(session.value(variablesByName(program, name).front()).at(0)));
    return found;
  }
};

TEST_F(SessionGpuTest, gpusAreCounted) {
  EXPECT_EQ(gpuCount(), 1u);
  useGpus("3");
  EXPECT_EQ(gpuCount(), 3u);
  useGpus("0");
  EXPECT_EQ(gpuCount(), 0u);
}

TEST_F(SessionGpuTest, opsWithoutADeviceRunOnTheFirstGpu) {
  Line line("gpu", 1), other("cpu", 1);
  Session cpu(other.program, onCpu), gpu(line.program, onGpu);
  EXPECT_EQ(line.run(gpu), other.run(cpu));
  ASSERT_EQ(gpu.devices().size(), 2u);
  EXPECT_EQ(gpu.devices()[0].name, "gpu:0");
  EXPECT_GT(gpu.devices()[0].runs, 4u);
  EXPECT_EQ(gpu.devices()[1].name, "cpu:0");
  EXPECT_EQ(gpu.devices()[1].runs, 0u);
  Variable w = variablesByName(line.program, "w").front();
  gpu.setValue(w, {7});
  EXPECT_EQ(gpu.value(w).at(0), 7);
}

TEST_F(SessionGpuTest, placementsAreFollowed) {
  Program graph("sum");
  DefaultGraph building(graph);
  Tensor a = graph.input("a", f32, {dim("n"), 4});
  Tensor b = graph.input("b", f32, {dim("n"), 4});
  Variable scale = variable(2.0, "scale");
  Tensor onHost, onDevice;
  {
    DeviceScope scope(graph, "/cpu:0");
    onHost = (a + b) * scale;
  }
  {
    DeviceScope scope(graph, "/gpu:0");
    onDevice = (a + b) * scale;
  }
  Tensor difference = reduceMax(abs(onHost - onDevice));
  Session session(graph, onGpu);
  session.run(graph.initializer());
  std::vector<float> rows = {1, 2, 3, 4, 5, 6, 7, 8};
  std::vector<Array> found =
      session.run({onHost, onDevice, difference},
                  {{a, {rows, {2, 4}}}, {b, {rows, {2, 4}}}});
  EXPECT_EQ(found[0].to<float>(),
            (std::vector<float>{4, 8, 12, 16, 20, 24, 28, 32}));
  EXPECT_EQ(found[1].to<float>(), found[0].to<float>());
  EXPECT_EQ(found[2].scalar(), 0);
  EXPECT_GE(session.devices()[1].runs, 1u);
}

TEST_F(SessionGpuTest, towersRunOnSeveralGpus) {
  useGpus("2");
  Line gpus("gpu", 2), cpus("cpu", 2);
  onGpu.gpus = 2;
  onCpu.devices = 2;
  Session gpu(gpus.program, onGpu), cpu(cpus.program, onCpu);
  EXPECT_EQ(gpus.run(gpu), cpus.run(cpu));
  EXPECT_EQ(gpu.devices()[1].name, "gpu:1");
  // At least the forward and the backward part of the second tower.
  EXPECT_GE(gpu.devices()[1].runs, 8u);
  EXPECT_EQ(gpu.devices()[2].runs, 0u);
}

TEST_F(SessionGpuTest, hostFunctionsAndPrintsAreCalled) {
  Program graph("host");
  DefaultGraph building(graph);
  Tensor x = graph.input("x", f32, {2});
  Tensor y = hostCall("twice", {x * 3.0}, {f32, {2}}) + 1.0;
  Session session(graph, onGpu);
  session.registerHost("twice", [](const std::vector<Array> &inputs) {
    std::vector<float> values = inputs[0].to<float>();
    for (float &value : values)
      value *= 2;
    return std::vector<Array>{Array(values, {2})};
  });
  EXPECT_EQ(session.run(y, {{x, {1, 2}}}).to<float>(),
            (std::vector<float>{7, 13}));
}

TEST_F(SessionGpuTest, aFailedRunChangesNothing) {
  Program graph("gathers");
  DefaultGraph building(graph);
  Tensor index = graph.input("index", i32, {2});
  Variable table = variable(Literal({1.0, 2.0}), "table");
  Assignment update = assignAdd(table, gather(table, index));
  Session session(graph, onGpu);
  session.run(graph.initializer());
  try {
    session.run(update, {{index, {9, 0}}});
    ADD_FAILURE() << "expected an error";
  } catch (const GraphError &error) {
    EXPECT_NE(error.message.find("index 9"), std::string::npos) << error.what();
    EXPECT_EQ(error.file, __FILE__);
  }
  EXPECT_EQ(session.value(table).to<float>(), (std::vector<float>{1, 2}));
  session.run(update, {{index, {1, 1}}});
  EXPECT_EQ(session.value(table).to<float>(), (std::vector<float>{3, 4}));
}

TEST_F(SessionGpuTest, thatAreNotThere) {
  Program graph("g");
  Tensor x = graph.input("x", f32, {2});
  Tensor y;
  unsigned line;
  {
    DeviceScope scope(graph, "/gpu:1");
    line = __LINE__ + 1;
    y = x * 2.0;
  }
  Session session(graph, onGpu);
  try {
    session.run(y, {{x, {1, 2}}});
    ADD_FAILURE() << "expected an error";
  } catch (const GraphError &error) {
    EXPECT_EQ(error.line, line); // of the op
    EXPECT_EQ(error.file, __FILE__);
    EXPECT_EQ(error.message.find("expected a device of the session (gpu:0, "
                                 "cpu:0), found 'gpu:1'; "
                                 "SessionOptions::gpus adds devices"),
              0u)
        << error.what();
  }
  onGpu.softPlacement = true;
  Session soft(graph, onGpu);
  EXPECT_EQ(soft.run(y, {{x, {1, 2}}}).to<int>(), (std::vector<int>{2, 4}));
  EXPECT_EQ(soft.devices()[0].runs, 1u);
  onGpu.gpus = 2;
  EXPECT_ERROR(Session(graph, onGpu), "device cuda:1, expected below 1");
  onGpu.gpus = 65;
  EXPECT_ERROR(Session(graph, onGpu), "expected at most 64 GPUs, found 65");
  useGpus("0");
  onGpu.gpus = 1;
  EXPECT_ERROR(Session(graph, onGpu), "found no NVIDIA GPU");
}
} // namespace
