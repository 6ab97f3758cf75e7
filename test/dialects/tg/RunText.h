// Runs functions that are written as MLIR text.
#ifndef TG_TEST_DIALECTS_TG_RUNTEXT_H
#define TG_TEST_DIALECTS_TG_RUNTEXT_H

#include "dialects/tg/evaluation/Interpreter.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"
#include <string>
#include <vector>

/// A module with its variables. Requests for gradients are expanded.
class RunText {
public:
  /// A module whose text fails to parse, verify or expand has an `error`.
  explicit RunText(const std::string &text);

  /// Runs a function; what failed comes in `error`. Where draws follow from the
  /// last inputs (tg.random) and these are not given, they are the seed and the
  /// number of such runs since it was set.
  std::vector<tg::HostTensor> run(const std::string &function,
                                  std::vector<tg::HostTensor> inputs);

  /// Returns true if the module has a function of this name.
  bool has(const std::string &function) const;

  /// 0 before.
  void setSeed(int64_t next) {
    seed = next;
    calls = 0;
  }

  /// A tensor of f32, f64 or i64 with the given elements.
  tg::HostTensor floats(std::vector<int64_t> shape, std::vector<float> values);
  tg::HostTensor doubles(std::vector<int64_t> shape,
                         std::vector<double> values);
  tg::HostTensor integers(std::vector<int64_t> shape,
                          std::vector<int64_t> values);

  mlir::MLIRContext context;
  tg::Interpreter interpreter;
  std::string error;

private:
  void addDraws(mlir::func::FuncOp function,
                std::vector<tg::HostTensor> &inputs);

  int64_t seed = 0, calls = 0;
  mlir::OwningOpRef<mlir::ModuleOp> module;
};

/// The elements as doubles.
std::vector<double> numbersOf(const tg::HostTensor &tensor);

#endif // TG_TEST_DIALECTS_TG_RUNTEXT_H
