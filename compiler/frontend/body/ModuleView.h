//===- ModuleView.h - a program for people: tables and graphs -------------===//
#ifndef TG_COMPILER_FRONTEND_BODY_MODULEVIEW_H
#define TG_COMPILER_FRONTEND_BODY_MODULEVIEW_H

#include "compiler/transforms/shapes/FunctionSymbols.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/raw_ostream.h"
#include <string>

namespace tg::dsl {

/// A function of a program, as people want to see it.
class FunctionView {
public:
  /// Makes the view of a verified function; fails with a diagnostic if extents
  /// never fit.
  static mlir::FailureOr<FunctionView> create(mlir::func::FuncOp function);

  /// The path of the layer that an op belongs to; "" for none.
  static std::string layerOf(mlir::Operation *op);
  /// A value's name in a signature, argument or result `number`.
  std::string nameOf(unsigned number, bool isResult);
  /// "f32 [batch, 64]".
  std::string typeOf(mlir::Value value);
  /// A number, or an expression over the names of extents.
  std::string print(mlir::AffineExpr number) const;
  /// The ops that people want to see, what branches and loops run before these:
  /// no constants, no extents of shapes; or all of them.
  llvm::SmallVector<mlir::Operation *> getOps(bool all = false);

  mlir::func::FuncOp function;
  FunctionSymbols symbols;
};

/// Tables of a program's functions: layers, the shapes of their outputs,
/// parameters, arithmetic and bytes.
llvm::LogicalResult printSummary(mlir::ModuleOp module,
                                 llvm::raw_ostream &stream);

/// The functions as a graph in the language of Graphviz, layers as clusters;
/// with `namesOps` every op by the name that its location has.
llvm::LogicalResult printGraph(mlir::ModuleOp module, llvm::raw_ostream &stream,
                               bool namesOps = false);

} // namespace tg::dsl

#endif // TG_COMPILER_FRONTEND_BODY_MODULEVIEW_H
