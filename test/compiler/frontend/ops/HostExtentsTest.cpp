// Tests host functions that return data-dependent extents or have no inputs, in
// sessions, in eager mode and from a library.
#include "tg/runtime.hpp"
#include "tg/tg.h"

#include <filesystem>
#include <gtest/gtest.h>
#include <unistd.h>

using namespace tg;

namespace {
/// Returns the positive elements with their squares, and their number; the
/// extent of the result depends on the data.
std::vector<Array> keepPositive(const std::vector<Array> &inputs) {
  std::vector<float> kept;
  for (float number : inputs[0].values<float>())
    if (number > 0)
      kept.insert(kept.end(), {number, number * number});
  int64_t count = int64_t(kept.size() / 2);
  return {Array(kept, {count, 2}), Array(Literal(double(count)), f32)};
}

/// Returns rows [k, 2] for the k positive elements, k <= 4, and k.
std::vector<Tensor> positive(const Tensor &x) {
  return hostCallAll("keepPositive", {x}, {{f32, {dim(), 2}}, {f32, {}}},
                     {.pure = true, .bounds = {4}});
}

std::string failureOf(const std::function<void()> &call) {
  try {
    call();
  } catch (const std::exception &error) {
    return error.what();
  }
  return "";
}

void expectRows(const std::vector<Array> &found,
                const std::vector<float> &rows) {
  EXPECT_EQ(found[0].to<float>(), rows);
  EXPECT_EQ(found[0].shape(),
            (std::vector<int64_t>{int64_t(rows.size() / 2), 2}));
}
} // namespace

TEST(HostExtents, sessionsTakeWhatTheFunctionFinds) {
  Program program("p");
  registerHost(program, "keepPositive", keepPositive);
  Tensor x = program.input("x", f32, {dim("n")});
  std::vector<Tensor> results = positive(x);
  Tensor sum = reduceSum(results[0], {.axes = {0}});
  Session session(program);
  std::vector<Fetch> fetches = {results[0], results[1], sum};
  std::vector<Array> found = session.run(fetches, {{x, {-1, 2, 0, 3}}});
  expectRows(found, {2, 4, 3, 9});
  EXPECT_EQ(found[1].scalar(), 2);
  EXPECT_EQ(found[2].to<float>(), (std::vector<float>{5, 13}));
  // Other extents with the same library: none, and the upper bound.
  expectRows(session.run(fetches, {{x, {-1}}}), {});
  expectRows(session.run(fetches, {{x, {1, 1, 1, 1, 0}}}),
             {1, 1, 1, 1, 1, 1, 1, 1});
  EXPECT_EQ(session.compiledCount(), 1u);
  std::string error =
      failureOf([&] { session.run(fetches, {{x, {1, 1, 1, 1, 1}}}); });
  EXPECT_NE(error.find("expected result 0 to be f32 of at most the extents "
                       "[4, 2], found f32 [5, 2]"),
            std::string::npos)
      << error;
}

TEST(HostExtents, extentsThatAreDeclaredAreChecked) {
  Program program("p");
  registerHost(program, "narrow", [](const std::vector<Array> &) {
    return std::vector<Array>{Array(std::vector<float>{1, 2}, {2, 1})};
  });
  Tensor x = program.input("x", f32, {dim("n")});
  Tensor y = hostCall("narrow", {x}, {f32, {dim(), 2}}, {.bounds = {4}});
  Session session(program);
  EXPECT_NE(failureOf([&] { session.run(y, {{x, {1}}}); }), "");
}

TEST(HostExtents, eagerModeTakesThemAtOnce) {
  ExecutionScope scope(true);
  Program program("p");
  registerHost(program, "keepPositive", keepPositive);
  std::vector<Tensor> results =
      positive(program.tensor(std::vector<float>{-1, 2, 0, 3}, {4}));
  EXPECT_EQ(results[0].values<float>(), (std::vector<float>{2, 4, 3, 9}));
  EXPECT_EQ(results[0].shape()[0].value, 2);
  EXPECT_EQ(results[1].item(), 2);
}

namespace {
Model load(const Program &program) {
  std::filesystem::path path =
      std::filesystem::temp_directory_path() /
      ("host-extents-" + std::to_string(getpid()) + ".so");
  program.compile(path.string(), {.levels = {2}});
  Model model = Model::load(path.string());
  std::filesystem::remove(path);
  return model;
}
} // namespace

TEST(HostExtents, librariesGetAListToFill) {
  Program program("p");
  Tensor x = program.input("x", f32, {dim("n")});
  Tensor kept = hostCall("keep", {x}, {f32, {dim()}}, {.bounds = {5}});
  program.function("f", {.inputs = {x}, .outputs = {{"y", kept * 2.0}}});
  Context context = load(program).context();
  context.registerHost("keep", [](auto inputs, auto outputs) {
    EXPECT_EQ(outputs[0].shape()[0], 5);
    int64_t count = 0;
    for (float number : inputs[0].template values<float>())
      if (number > 0)
        outputs[0].template values<float>()[size_t(count++)] = number;
    outputs[1].template values<int64_t>()[0] = count;
  });
  const Outputs &found =
      context.run("f", {{"x", std::vector<float>{1, -2, 3}}});
  EXPECT_EQ(found.shape("y")[0], 2);
  EXPECT_EQ(found.values<float>("y")[1], 6);
  // A host function that returns an extent above the bound fails the run.
  context.registerHost("keep", [](auto, auto outputs) {
    outputs[1].template values<int64_t>()[0] = 6;
  });
  EXPECT_NE(failureOf([&] {
              context.run("f", {{"x", std::vector<float>{1}}});
            }).find("[R1]"),
            std::string::npos);
}

TEST(HostExtents, boundsAreForAllExtentsThatAreUnknown) {
  Program program("p");
  Tensor x = program.input("x", f32, {dim("n")});
  auto call = [&](Shape shape, HostCallOptions options) {
    return failureOf([&] { hostCall("f", {x}, {f32, shape}, options); });
  };
  EXPECT_NE(call({dim(), dim()}, {.bounds = {2}})
                .find("expected a bound of at least 0 for each unknown extent"),
            std::string::npos);
  EXPECT_NE(call({dim()}, {.bounds = {-2}}), "");
  EXPECT_NE(call({dim()}, {.bounds = {2, 3}}), "");
  EXPECT_NE(call({dim()}, {.sizes = {extentOf(x, 0)}, .bounds = {2}}), "");
  // The extent of an input needs no bound.
  EXPECT_EQ(call({dim("n"), dim()}, {.bounds = {2}}), "");
}

//===-- Without inputs ----------------------------------------------------===//

TEST(HostExtents, functionsNeedNoInputs) {
  Program program("p");
  int calls = 0;
  registerHost(program, "count", [&](const std::vector<Array> &inputs) {
    EXPECT_TRUE(inputs.empty());
    return std::vector<Array>{Array(Literal(double(++calls)), f32)};
  });
  Tensor number = hostCall(program, "count", {f32, {}});
  Tensor twice = number * 2.0;
  Session session(program);
  EXPECT_EQ(session.run(twice).scalar(), 2);
  EXPECT_EQ(session.run(twice).scalar(), 4);
  DefaultGraph here = program.asDefault();
  EXPECT_EQ(session.run(hostCall("count", {}, {f32, {}})).scalar(), 3);
}

TEST(HostExtents, batchesOfAnyLengthComeFromTheHost) {
  Program program("p");
  int calls = 0;
  registerHost(program, "batch", [&](const std::vector<Array> &) {
    std::vector<float> rows(size_t(++calls) * 3, 1);
    return std::vector<Array>{Array(rows, {calls, 3})};
  });
  Tensor rows = hostCall(program, "batch", {f32, {dim(), 3}}, {.bounds = {8}});
  Tensor sum = reduceSum(rows);
  Session session(program);
  EXPECT_EQ(session.run(sum).scalar(), 3);
  EXPECT_EQ(session.run(sum).scalar(), 6);
}

TEST(HostExtents, eagerFunctionsNeedNoInputs) {
  ExecutionScope scope(true);
  Program program("p");
  registerHost(program, "seven", [](const std::vector<Array> &) {
    return std::vector<Array>{Array(Literal(7.0), f32)};
  });
  EXPECT_EQ(hostCall(program, "seven", {f32, {}}).item(), 7);
}
