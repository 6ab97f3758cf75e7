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
  /// Returns an extent as text: a number, or an expression over the names of
  /// dynamic extents, such as "2 * batch".
  std::string toText(mlir::AffineExpr extent) const;
  /// Returns the ops to display. Ops in a region come before the branch or loop
  /// that has the region. Unless `all` is set, omits constants and computations
  /// of extents.
  llvm::SmallVector<mlir::Operation *> getOps(bool all = false);

  mlir::func::FuncOp function;
  FunctionSymbols symbols;
};

/// Prints tables of a program's functions: layers, the shapes of their outputs,
/// parameters, FLOPs and bytes.
llvm::LogicalResult printSummary(mlir::ModuleOp module,
                                 llvm::raw_ostream &stream);

/// Prints the functions as a Graphviz graph, with layers as clusters. If
/// `namesOps` is set, the node of an op is labelled with the name in the op's
/// location.
llvm::LogicalResult printGraph(mlir::ModuleOp module, llvm::raw_ostream &stream,
                               bool namesOps = false);

} // namespace tg::dsl

#endif // TG_COMPILER_FRONTEND_BODY_MODULEVIEW_H
