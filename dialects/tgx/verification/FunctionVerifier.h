//===- FunctionVerifier.h - verification of functions step by step --------===//
#ifndef TG_DIALECTS_TGX_VERIFICATION_FUNCTIONVERIFIER_H
#define TG_DIALECTS_TGX_VERIFICATION_FUNCTIONVERIFIER_H

#include "dialects/tgx/verification/ExtentEqualities.h"
#include "dialects/tgx/verification/FilledMemory.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

namespace tgx {

/// Returns the op that defines a buffer if it is a tgx.part, otherwise null.
inline PartOp partOf(mlir::Value buffer) {
  return buffer.getDefiningOp<PartOp>();
}

/// Returns the range of elements of each row of the memory that a part holds.
Span spanOf(PartOp part);

/// The properties of a kernel that the verification of its launches needs.
struct KernelFacts {
  KernelOp kernel;
  tg::ExtentAnalysis extents;
  /// The sizes in bytes, over the kernel's symbols.
  llvm::SmallVector<mlir::AffineExpr> argumentBytes, outputBytes;
};

/// The first and the last step that touch a buffer.
struct Life {
  unsigned first, last;
};

/// Visits the ops of a function in order.
class FunctionVerifier {
public:
  FunctionVerifier(FunctionOp function, mlir::SymbolTableCollection &symbols)
      : function(function), symbols(symbols) {}

  llvm::LogicalResult run();

private:
  llvm::LogicalResult visitBlock(mlir::Block &block);
  llvm::LogicalResult visitRegions(mlir::Operation *control);
  llvm::LogicalResult visitElement(ElementOp element);
  llvm::LogicalResult visitSwap(SwapOp swap);
  void extendLives(unsigned begin, size_t firstSwap);
  llvm::LogicalResult visitBuffer(BufferOpInterface buffer);
  llvm::LogicalResult visitView(BufferOpInterface view);
  llvm::LogicalResult visitPart(PartOp part);
  llvm::StringRef describeKind(mlir::Value value) const;
  llvm::LogicalResult checkDeclaredOnce(BufferOpInterface buffer);
  llvm::LogicalResult visitStep(StepOpInterface step);
  llvm::LogicalResult visitLaunch(LaunchOp launch);
  llvm::LogicalResult visitCopy(CopyOp copy);
  llvm::LogicalResult visitHost(HostOp host);
  bool isFilled(mlir::Value buffer) const;
  llvm::LogicalResult checkSource(mlir::Operation *step, mlir::Value source);
  llvm::LogicalResult checkTarget(mlir::Operation *step, mlir::Value target);
  llvm::LogicalResult checkOutputMemory(LaunchOp launch);
  llvm::LogicalResult checkOverwrites(LaunchOp launch,
                                      const KernelFacts &facts);
  llvm::LogicalResult checkRows(LaunchOp launch, KernelOp kernel);
  llvm::LogicalResult checkSize(mlir::Operation *op, mlir::Value buffer,
                                mlir::AffineExpr bytes, const llvm::Twine &what,
                                llvm::StringRef label);
  llvm::LogicalResult checkOutputs();
  llvm::LogicalResult checkWorkspaces();

  const KernelFacts &factsOf(KernelOp kernel);
  /// Returns the op that owns the memory of a buffer, or null for a buffer that
  /// was not visited.
  mlir::Operation *memoryOf(mlir::Value buffer) const {
    return memories.lookup(buffer);
  }
  /// Records that the current step reads or writes the buffer.
  void touch(mlir::Value buffer);

  FunctionOp function;
  mlir::SymbolTableCollection &symbols;
  ExtentEqualities equalities;
  llvm::DenseMap<mlir::Operation *, std::unique_ptr<KernelFacts>> kernels;
  llvm::DenseMap<mlir::Value, mlir::Operation *> memories;
  llvm::DenseSet<std::pair<mlir::StringAttr, mlir::Attribute>> identities;
  /// The tgx.part that was visited for a memory, one for each memory that has
  /// parts.
  llvm::DenseMap<mlir::Operation *, PartOp> parts;
  /// The tgx.element of each buffer that is the result of one or a view of it.
  llvm::DenseMap<mlir::Value, ElementOp> elements;
  /// The memories that loops fill element by element.
  llvm::SetVector<mlir::Operation *> stacked;
  /// The pairs of workspaces that tgx.swap exchanges.
  llvm::SmallVector<std::pair<mlir::Operation *, mlir::Operation *>> swapped;
  FilledMemory filled;
  llvm::SmallVector<WorkspaceOp> workspaces;
  llvm::MapVector<mlir::Operation *, Life> lives;
  unsigned stepNumber = 0;
};

} // namespace tgx

#endif // TG_DIALECTS_TGX_VERIFICATION_FUNCTIONVERIFIER_H
