// Tests devices: scopes, runs that are split over several devices, towers with
// colocated gradients.
#include "../Errors.h"

#include "tg/graph/variable_scope.h"

using namespace tg;

namespace {
class Devices : public testing::Test {
protected:
  Program graph{"g"};
  std::unique_ptr<DefaultGraph> building{new DefaultGraph(graph)};
  SessionOptions two{.optimization = 1, .devices = 2, .kernelCache = ""};
  SessionOptions one{.optimization = 1, .kernelCache = ""};
};

TEST_F(Devices, namesAreRead) {
  Tensor x = placeholder(f32, {2});
  auto deviceOf = [&](const char *name) {
    DeviceScope scope(name);
    (void)(x + 1.0);
    return graph.operations().back().device;
  };
  EXPECT_EQ(deviceOf("/cpu:1"), "cpu:1");
  EXPECT_EQ(deviceOf("gpu:0"), "gpu:0");
  EXPECT_EQ(deviceOf("/device:GPU:3"), "gpu:3");
  EXPECT_EQ(deviceOf("/cpu"), "cpu:0");
  EXPECT_EQ(deviceOf(""), "");
  EXPECT_ERROR(DeviceScope(graph, "/cpu:x"), "expected a device like /cpu:0");
  EXPECT_ERROR(DeviceScope(graph, "/"), "expected a device like /cpu:0");
  EXPECT_ERROR(DeviceScope(graph, "/tpu:0"),
               "expected a device of type cpu or gpu, found '/tpu:0'");
  DeviceScope outer("/cpu:1");
  EXPECT_EQ(deviceOf("/cpu:2"), "cpu:2"); // the innermost
}

TEST_F(Devices, partsRunWhereTheyArePlaced) {
  Tensor x = placeholder(f32, {dim("n")});
  Tensor a, b;
  {
    DeviceScope scope("/cpu:1");
    a = x * 2.0;
  }
  b = a + x;
  Session session(graph, two);
  EXPECT_EQ(session.run(b, {{x, {1, 2, 3}}}).to<int>(),
            (std::vector<int>{3, 6, 9}));
  EXPECT_EQ(session.run(b, {{x, {1, 2}}}).to<int>(), (std::vector<int>{3, 6}));
  EXPECT_EQ(session.devices()[0].runs, 2u);
  EXPECT_EQ(session.devices()[1].runs, 2u);
  EXPECT_EQ(session.devices()[1].name, "cpu:1");
  EXPECT_EQ(session.compiledCount(), 1u);
  // A fed value is not computed on any device.
  EXPECT_EQ(session.run(b, {{x, {1, 2}}, {a, {0, 0}}}).to<int>(),
            (std::vector<int>{1, 2}));
  EXPECT_EQ(session.devices()[1].runs, 2u);
}

TEST_F(Devices, thatAreNotThere) {
  Tensor x = placeholder(f32, {2});
  Tensor y;
  {
    DeviceScope scope("/gpu:1");
    y = x * 2.0;
  }
  Session session(graph, two);
  try {
    session.run(y, {{x, {1, 2}}});
    ADD_FAILURE() << "expected an error";
  } catch (const GraphError &error) {
    EXPECT_NE(error.message.find("(cpu:0, cpu:1), found 'gpu:1'"),
              std::string::npos)
        << error.what();
    EXPECT_EQ(error.file, __FILE__);
  }
  one.softPlacement = true;
  Session soft(graph, one);
  EXPECT_EQ(soft.run(y, {{x, {1, 2}}}).to<int>(), (std::vector<int>{2, 4}));
  one.devices = 0;
  EXPECT_THROW(Session(graph, one), GraphError);
}

TEST_F(Devices, librariesHaveOne) {
  Program net("net");
  Tensor x = net.input("x", f32, {2});
  Tensor y;
  {
    DeviceScope scope(net, "/cpu:1");
    y = x * 2.0;
  }
  net.function("f", {.inputs = {x}, .outputs = {{"y", y}}});
  std::string path = testing::TempDir() + "placed.so";
  net.compile(path, {.levels = {2}});
  try {
    net.compile(path, {.levels = {2}, .hardPlacement = true});
    ADD_FAILURE() << "expected an error";
  } catch (const GraphError &error) {
    EXPECT_NE(error.message.find("cpu:0, the only device of a library"),
              std::string::npos)
        << error.what();
    EXPECT_EQ(error.file, __FILE__);
  }
}

TEST_F(Devices, extentsOfDataCross) {
  Tensor x = placeholder(f32, {dim("n")}, "x");
  Tensor places, chosen, twice;
  {
    DeviceScope scope("/cpu:1");
    places = nonzero(x > 0.0);
    chosen = booleanMask(x, x > 0.0);
    twice = chosen * 2.0;
  }
  // Both devices know that the two values have the same data-dependent extent.
  Tensor sum = twice + gather(x, reshape(places, {-1}));
  Tensor again;
  {
    DeviceScope scope("/cpu:1");
    again = concat({sum, chosen}, 0);
  }
  Tensor total = reduceSum(again);
  Tensor count = extentsOf(again)[0].tensor();
  for (const SessionOptions &options : {one, two}) {
    SessionOptions soft = options;
    soft.softPlacement = true;
    Session session(graph, soft);
    std::vector<Array> found =
        session.run({places, sum, again, total, count}, {{x, {3, -1, 0, 2}}});
    EXPECT_EQ(found[0].shape(), (std::vector<int64_t>{2, 1}));
    EXPECT_EQ(found[0].to<int>(), (std::vector<int>{0, 3}));
    EXPECT_EQ(found[1].to<int>(), (std::vector<int>{9, 6}));
    EXPECT_EQ(found[2].to<int>(), (std::vector<int>{9, 6, 3, 2}));
    EXPECT_EQ(found[3].scalar(), 20);
    EXPECT_EQ(found[4].scalar(), 4);
    // The same input extents with another count, and with a count of 0.
    found = session.run({sum, total}, {{x, {3, 1, 0, 2}}});
    EXPECT_EQ(found[0].to<int>(), (std::vector<int>{9, 3, 6}));
    EXPECT_EQ(session.run(total, {{x, {3, 1, 0, 2}}}).scalar(), 24);
    found = session.run({again, count}, {{x, {-3, -1}}});
    EXPECT_EQ(found[0].shape(), std::vector<int64_t>{0});
    EXPECT_EQ(found[1].scalar(), 0);
  }
}

TEST_F(Devices, gradientsOfMaskedRowsCross) {
  Tensor x = placeholder(f32, {dim("n"), 2}, "x");
  Variable w = variable({{1.0}, {2.0}}, "w");
  Tensor rows;
  {
    DeviceScope scope("/cpu:1");
    rows = booleanMask(x, reduceSum(x, {{1}}) > 0.0);
  }
  Tensor loss = reduceSum(square(matmul(rows, w)));
  Tensor gradient;
  {
    ColocateGradients colocation(graph);
    gradient = gradients(loss, {w})[0].value;
  }
  std::vector<std::vector<float>> found;
  for (SessionOptions options : {one, two}) {
    options.softPlacement = true;
    Session session(graph, options);
    session.run(graph.initializer());
    for (std::vector<float> rows :
         {std::vector<float>{1, 2, -5, 1, 3, 4}, {-1, 0, -2, 0, -3, 0}})
      found.push_back(session.run(gradient, {{x, {rows, {3, 2}}}}).to<float>());
  }
  // 2 · Σ rows · (rows · w): 2 · ([1 2] · 5 + [3 4] · 11).
  EXPECT_EQ(found[0], (std::vector<float>{76, 108}));
  EXPECT_EQ(found[1], (std::vector<float>{0, 0}));
  EXPECT_EQ(found[2], found[0]);
  EXPECT_EQ(found[3], found[1]);
}

TEST_F(Devices, effectsKeepTheirOrder) {
  Variable a = variable(3.0, "a");
  Tensor product;
  Assignment twice;
  {
    DeviceScope scope("/cpu:1");
    product = a * 5.0;
    twice = assign(a, product);
  }
  Tensor after;
  {
    ControlDependencies behind({twice});
    DeviceScope scope("/cpu:1");
    after = a + 1.0;
  }
  Session session(graph, two);
  session.run(graph.initializer());
  std::vector<Array> found = session.run({product, after, twice});
  EXPECT_EQ(found[0].scalar(), 15);
  EXPECT_EQ(found[1].scalar(), 16);
  EXPECT_EQ(session.value(a).scalar(), 15);
}

TEST_F(Devices, readTheSamePackedWeights) {
  Tensor x = placeholder(f32, {dim("n"), 64}, "x");
  Variable w = variable({64, 64}, 1.0, {.name = "w"});
  Tensor here = reduceMean(matmul(x, w));
  Tensor there;
  {
    DeviceScope scope("/cpu:1");
    there = reduceMean(matmul(x + 1.0, w));
  }
  Assignment twice = assign(w, w * 2.0);
  Session session(graph, two);
  session.run(graph.initializer());
  const std::vector<float> ones(64 * 64, 1);
  for (double expected : {64, 128, 256}) {
    std::vector<Array> found =
        session.run({here, there}, {{x, {ones, {64, 64}}}});
    EXPECT_EQ(found[0].scalar(), expected);
    EXPECT_EQ(found[1].scalar(), 2 * expected);
    session.run(twice);
  }
}

TEST_F(Devices, aFailedPartLeavesVariables) {
  Tensor x = placeholder(f32, {});
  Variable a = variable(3.0, "a");
  Assignment up = assignAdd(a, 1.0);
  Tensor checked;
  {
    DeviceScope scope("/cpu:1");
    checked = gather(range(0, 3), cast(x, i32)) * 2.0;
  }
  Session session(graph, two);
  session.run(graph.initializer());
  EXPECT_EQ(session.run({checked, up}, {{x, 2}})[0].scalar(), 4);
  EXPECT_THROW(session.run({checked, up}, {{x, 7}}), GraphError);
  EXPECT_EQ(session.value(a).scalar(), 4);
}

/// Returns [n, 1, 1] · [n, 1] · [n], which for n = 2^17 has more bytes than fit
/// in the address space.
Tensor cubeOf(const Tensor &x) {
  return expandDims(expandDims(x, 1), 2) * expandDims(x, 1) * x;
}

TEST_F(Devices, tooLittleMemoryIsAnErrorOfTheRun) {
  Tensor x = placeholder(f32, {dim("n")}, "x");
  Variable a = variable(3.0, "a");
  Assignment up = assignAdd(a, 1.0);
  Tensor here = cubeOf(x);
  Tensor there;
  Tensor busy;
  {
    DeviceScope scope("/cpu:1");
    there = cubeOf(x + 1.0);
    busy = reduceSum(tanh(x));
  }
  std::vector<float> many(size_t(1) << 17, 1.0f), two { 1, 2 };
  for (unsigned threads : {1u, 2u}) {
    SessionOptions options = this->two;
    options.threads = threads;
    Session session(graph, options);
    session.run(graph.initializer());
    EXPECT_ERROR(session.run({there, up}, {{x, many}}),
                 "bytes on device 'cpu:1', found too little");
    EXPECT_ERROR(session.run({here, busy, up}, {{x, many}}),
                 "bytes on device 'cpu:0', found too little");
    EXPECT_EQ(session.value(a).scalar(), 3);
    // The session is still usable.
    std::vector<Array> found = session.run({there, here, busy}, {{x, two}});
    EXPECT_EQ(found[0].at(7), 27);
    EXPECT_EQ(found[1].at(7), 8);
  }
  Session session(graph, one);
  EXPECT_ERROR(session.run(here, {{x, many}}),
               "and outputs of 9007199254740992 bytes on device 'cpu:0'");
  EXPECT_EQ(session.run(here, {{x, two}}).at(7), 8);
}

/// Returns the loss of a layer on the rows of x, split over `towers` towers.
Tensor lossBy(Program &graph, const Tensor &x, int64_t towers) {
  return reduceMean(makeParallel(
      [&](Tensor part) {
        Variable w = getVariable(graph, "w", {3, 2});
        return square(matmul(part, w));
      },
      towers, {x}));
}

TEST_F(Devices, towersAreOneModel) {
  Tensor x = placeholder(f32, {dim("n"), 3});
  std::vector<float> rows(24);
  for (size_t i = 0; i < rows.size(); ++i)
    rows[i] = float(i % 7) - 3;
  Tensor single, dual;
  {
    VariableScope scope(graph, "net");
    single = lossBy(graph, x, 1);
  }
  Variable w = variablesByName(graph, "w").front();
  {
    VariableScope scope(graph, "net", {.reuse = Reuse::yes});
    dual = lossBy(graph, x, 2);
  }
  EXPECT_EQ(graph.variables().size(), 1u);
  Tensor plain = gradients(single, {w})[0].value;
  Tensor beside;
  {
    ColocateGradients colocation(graph);
    beside = gradients(dual, {w})[0].value;
  }
  Session session(graph, two);
  session.run(graph.initializer());
  const std::vector<Feed> feeds = {{x, {rows, {8, 3}}}};
  std::vector<float> expected = session.run(plain, feeds).to<float>();
  uint64_t before = session.devices()[1].runs;
  std::vector<float> found = session.run(beside, feeds).to<float>();
  EXPECT_EQ(session.devices()[1].runs, before + 2); // forward and backward
  for (size_t i = 0; i < found.size(); ++i)
    EXPECT_NEAR(found[i], expected[i], 1e-5 * std::abs(expected[i]) + 1e-6);
  EXPECT_EQ(session.run(beside, feeds).to<float>(), found);
  // Five rows cannot be split into two towers.
  EXPECT_THROW(session.run(dual, {{x, {std::vector<float>(15), {5, 3}}}}),
               GraphError);
}

TEST_F(Devices, stepsRunBesideTheirTowers) {
  Tensor x = placeholder(f32, {4, 3});
  Tensor loss = lossBy(graph, x, 2);
  SGD sgd({.learningRate = 0.1});
  Updates beside = sgd.minimize(loss, {.colocateGradientsWithOps = true});
  Updates apart = sgd.minimize(loss);
  Session session(graph, two);
  session.run(graph.initializer());
  const std::vector<Feed> feeds = {{x, {std::vector<float>(12, 1), {4, 3}}}};
  // If the loss is not fetched, forward and backward of the other tower form
  // one stage. Without colocation the backward pass is not on that device.
  session.run(beside, feeds);
  EXPECT_EQ(session.devices()[1].runs, 1u);
  session.run({beside, loss}, feeds);
  EXPECT_EQ(session.devices()[1].runs, 2u);
  session.run(apart, feeds);
  EXPECT_EQ(session.devices()[1].runs, 3u);
}

TEST_F(Devices, towersOfOtherTypes) {
  Tensor x = placeholder(f32, {4});
  Tensor y = makeParallel([](Tensor part) { return part * 2.0; }, 2, {x},
                          {.deviceType = "gpu"});
  one.softPlacement = true;
  Session session(graph, one);
  EXPECT_EQ(session.run(y, {{x, {1, 2, 3, 4}}}).to<int>(),
            (std::vector<int>{2, 4, 6, 8}));
}

TEST_F(Devices, gradientsOfTowersAreAveraged) {
  Tensor x = placeholder(f32, {4, 2});
  Variable w = variable({{1.0}, {2.0}}, "w");
  std::vector<std::vector<Gradient>> towers;
  for (const Tensor &part : split(x, 2, 0))
    towers.push_back(gradients(reduceMean(square(matmul(part, w))), {w}));
  Tensor mean = averageGradients(towers)[0].value;
  Tensor whole = gradients(reduceMean(square(matmul(x, w))), {w})[0].value;
  Session session(graph, one);
  session.run(graph.initializer());
  std::vector<Array> found =
      session.run({mean, whole}, {{x, {{1, 2}, {3, 4}, {5, 6}, {7, 8}}}});
  for (size_t i = 0; i < 2; ++i)
    EXPECT_NEAR(found[0].at(i), found[1].at(i), 1e-4);
  EXPECT_ERROR(averageGradients({}), "at least one tower");
}

TEST_F(Devices, rowsThatDoNotDivideAreToldWhenTheyAreFound) {
  Tensor x = placeholder(f32, {dim("n"), 2}, "x");
  Tensor y = makeParallel([](Tensor part) { return part * 2.0; }, 2, {x});
  one.softPlacement = true;
  Session session(graph, one);
  EXPECT_EQ(session.run(y, {{x, {{1, 2}, {3, 4}}}}).to<int>(),
            (std::vector<int>{2, 4, 6, 8}));
  try {
    session.run(y, {{x, {{1, 2}, {3, 4}, {5, 6}}}});
    ADD_FAILURE() << "expected an error";
  } catch (const GraphError &error) {
    EXPECT_NE(error.message.find("makeParallel/rows_divided_by_2_towers"),
              std::string::npos)
        << error.what();
  }
}

TEST_F(Devices, mistakesOfTowers) {
  Tensor x = placeholder(f32, {3, 2});
  Tensor s = placeholder(f32, {});
  auto same = [](Tensor part) { return part; };
  EXPECT_ERROR(makeParallel(same, 2, {x}), "that divides dim 0 (3)");
  EXPECT_ERROR(makeParallel(same, 2, {s}), "found a scalar");
  EXPECT_ERROR(makeParallel(same, 0, {x}), "at least one tower");
  EXPECT_ERROR(makeParallel(same, 1, {x, x}), "a model of 2 parameters");
}
} // namespace
