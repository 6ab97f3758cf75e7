//===- ModuleView.h - a program as tables and graphs ----------------------===//
#ifndef TG_COMPILER_FRONTEND_BODY_MODULEVIEW_H
#define TG_COMPILER_FRONTEND_BODY_MODULEVIEW_H

#include "compiler/transforms/shapes/FunctionSymbols.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/raw_ostream.h"
#include <string>

namespace tg::dsl {

/// A function of a program, prepared for display.
class FunctionView {
public:
  /// Makes the view of a verified function. Fails with a diagnostic if extents
  /// can never match.
  static mlir::FailureOr<FunctionView> create(mlir::func::FuncOp function);

  /// Returns the path of the layer that an op belongs to, or "".
  static std::string layerOf(mlir::Operation *op);
  /// Returns the name of argument or result `number` in the signature.
  std::string nameOf(unsigned number, bool isResult);
  /// Returns the type of a value: "f32 [batch, 64]".
  std::string typeOf(mlir::Value value);
  /// Returns a number, or an expression over the names of extents, as text.
  std::string print(mlir::AffineExpr number) const;
  /// Returns the ops to display, those in regions before their branch or loop.
  /// Leaves out constants and computations of extents, unless `all` is set.
  llvm::SmallVector<mlir::Operation *> getOps(bool all = false);

  mlir::func::FuncOp function;
  FunctionSymbols symbols;
};

/// Prints tables of a program's functions: layers, the shapes of their outputs,
/// parameters, FLOPs and bytes.
llvm::LogicalResult printSummary(mlir::ModuleOp module,
                                 llvm::raw_ostream &stream);

/// Prints the functions as a Graphviz graph, with layers as clusters. With
/// `namesOps` each op has the name in its location.
llvm::LogicalResult printGraph(mlir::ModuleOp module, llvm::raw_ostream &stream,
                               bool namesOps = false);

} // namespace tg::dsl

#endif // TG_COMPILER_FRONTEND_BODY_MODULEVIEW_H
