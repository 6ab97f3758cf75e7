/// The rows of the table of tolerances: functions of tensors that are built in
/// both modes.
#ifndef TG_TEST_COMPILER_FRONTEND_OPS_TOLERANCEROWS_H
#define TG_TEST_COMPILER_FRONTEND_OPS_TOLERANCEROWS_H

#include <tg/tg.h>

using Tensors = std::vector<tg::Tensor>;

struct Given {
  /// In graph mode extents with a name are unknown.
  tg::Shape shape;
  tg::DType dtype = tg::f64;
  /// Given numbers; else some that look like no pattern.
  std::vector<double> elements = {};
};

/// Something with results and, of floats, gradients.
struct Row {
  /// The op or layer, and behind a space what is special.
  std::string name;
  std::vector<Given> inputs;
  std::function<Tensors(const Tensors &)> build;
};

/// The ops of control flow, of the host, and the others that came with them.
std::vector<Row> opRows();
/// The layers over sequences and of indices.
std::vector<Row> layerRows();
/// Functions that are made of several ops.
std::vector<Row> functionRows();

#endif // TG_TEST_COMPILER_FRONTEND_OPS_TOLERANCEROWS_H
