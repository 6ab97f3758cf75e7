/// The rows of the table of tolerances: functions of tensors that are built in
/// both modes.
#ifndef TG_TEST_COMPILER_FRONTEND_OPS_TOLERANCEROWS_H
#define TG_TEST_COMPILER_FRONTEND_OPS_TOLERANCEROWS_H

#include <tg/tg.h>

using Tensors = std::vector<tg::Tensor>;

struct Given {
  /// The shape; named extents are dynamic in graph mode.
  tg::Shape shape;
  tg::DType dtype = tg::f64;
  /// The elements; if empty, numbers without a pattern are generated.
  std::vector<double> elements = {};
};

/// A row of the table: a function with results and, for float inputs,
/// gradients.
struct Row {
  /// The op or layer, followed by a space and the variant.
  std::string name;
  std::vector<Given> inputs;
  std::function<Tensors(const Tensors &)> build;
};

/// Returns the ops of control flow and of the host, and a few related ops.
std::vector<Row> opRows();
/// Returns the layers over sequences and the layers with index inputs.
std::vector<Row> layerRows();
/// Returns functions that consist of several ops.
std::vector<Row> functionRows();

#endif // TG_TEST_COMPILER_FRONTEND_OPS_TOLERANCEROWS_H
