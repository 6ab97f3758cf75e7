// Runs functions given as MLIR text.
#ifndef TG_TEST_DIALECTS_TG_RUNTEXT_H
#define TG_TEST_DIALECTS_TG_RUNTEXT_H

#include "dialects/tg/evaluation/Interpreter.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"
#include <string>
#include <vector>

/// A module with its variables and expanded gradients.
class RunText {
public:
  /// Parses, verifies and expands a module; sets `error` on failure.
  explicit RunText(const std::string &text);

  /// Runs a function; sets `error` on failure. If the last arguments are the
  /// random state (tg.random) and `inputs` lacks them, they are the seed and
  /// the number of such runs since the seed was set.
  std::vector<tg::HostTensor> run(const std::string &function,
                                  std::vector<tg::HostTensor> inputs);

  /// Returns true if the module has a function of this name.
  bool has(const std::string &function) const;

  /// Sets the seed of random samples, which is 0 initially.
  void setSeed(int64_t next) {
    seed = next;
    calls = 0;
  }

  /// Returns a tensor of f32, f64 or i64 with the given elements.
  tg::HostTensor floats(std::vector<int64_t> shape, std::vector<float> values);
  tg::HostTensor doubles(std::vector<int64_t> shape,
                         std::vector<double> values);
  tg::HostTensor integers(std::vector<int64_t> shape,
                          std::vector<int64_t> values);

  mlir::MLIRContext context;
  tg::Interpreter interpreter;
  std::string error;

private:
  void addSamples(mlir::func::FuncOp function,
                  std::vector<tg::HostTensor> &inputs);

  int64_t seed = 0, calls = 0;
  mlir::OwningOpRef<mlir::ModuleOp> module;
};

/// Returns the elements as doubles.
std::vector<double> numbersOf(const tg::HostTensor &tensor);

#endif // TG_TEST_DIALECTS_TG_RUNTEXT_H
