/// Compiles a network of one layer and runs it.
#ifndef TG_TEST_COMPILER_FRONTEND_NN_ONELAYER_H
#define TG_TEST_COMPILER_FRONTEND_NN_ONELAYER_H

#include "../Lines.h"
#include "tg/runtime.hpp"
#include "tg/tg.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <unistd.h>

namespace tg::test {

/// Compiles a program, loads it, initializes its variables and removes the
/// file.
inline Context makeContext(const Program &program) {
  std::string path =
      ::testing::TempDir() + "tg-layer-" + std::to_string(getpid()) + ".so";
  program.compile(path, {.optimization = 1, .levels = {2}});
  Model model = Model::load(path);
  std::remove(path.c_str());
  ContextOptions options;
  if (!program.variables().empty())
    options.seed = 1;
  return model.context(options);
}

/// An output: its elements and its shape.
template <typename T> struct Answer {
  std::vector<T> elements;
  std::vector<int64_t> shape;
};

/// An input: its elements and its shape.
template <typename T> using Given = Answer<T>;

/// Returns the result of a layer whose input has a dynamic first extent.
template <typename Out = float, typename In = float>
Answer<Out> apply(Layer layer, const Given<In> &given, Mode mode = Mode::test) {
  Program program("test");
  Shape shape(given.shape.begin(), given.shape.end());
  shape.front() = dim("n");
  Tensor x = program.input("x", dtypeOf<In>(), shape);
  Tensor y = layer->fprop({x}, mode).front();
  program.function("run", {.inputs = {x}, .outputs = {{"y", y}}});
  Context context = makeContext(program);
  const Outputs &outputs =
      context.run("run", {{"x", Value(given.elements, given.shape)}});
  std::span<const Out> elements = outputs.values<Out>("y");
  std::span<const int64_t> dims = outputs.shape("y");
  return {{elements.begin(), elements.end()}, {dims.begin(), dims.end()}};
}

template <typename T>
void expectNear(const std::vector<T> &found, const std::vector<T> &expected,
                double tolerance = 1e-5) {
  ASSERT_EQ(found.size(), expected.size());
  for (size_t i = 0; i < found.size(); ++i)
    EXPECT_NEAR(found[i], expected[i], tolerance) << "element " << i;
}

/// Returns the message of the GraphError that `function` throws, without the
/// lines of layers; empty for none.
template <typename Function> std::string errorOf(Function function) {
  try {
    function();
  } catch (const GraphError &error) {
    return withoutLines(error.message);
  }
  return "";
}

} // namespace tg::test

#endif // TG_TEST_COMPILER_FRONTEND_NN_ONELAYER_H
