//===- TargetModel.h - what passes ask about a kind of target -------------===//
#ifndef TG_COMPILER_TARGET_TARGETMODEL_H
#define TG_COMPILER_TARGET_TARGETMODEL_H

#include "compiler/target/ContractionAlgorithm.h"
#include "mlir/IR/DialectInterface.h"

namespace tg {

/// The use of the rhs of a contraction by a kernel.
struct OperandUse {
  /// True if the operand is packed once for several runs of the contraction:
  /// once per change of the weights, or before a loop.
  bool isAhead = false;
  /// The number of positions of the Winograd tiles of a convolution; 0 for
  /// direct sums.
  int64_t winograd = 0;
};

/// The answers to passes about the targets of one kind. A back end derives from
/// it and registers one object. Passes ask through PlanTarget.
class TargetModel {
public:
  virtual ~TargetModel() = default;

  /// Returns the kind, as in #tgx.target.
  virtual llvm::StringRef getKind() const = 0;
  /// Returns the descriptions of all targets that share a plan, at least one.
  /// The properties on which plans depend are equal in all of them.
  virtual llvm::SmallVector<TargetDescription>
  describeTargets(tgx::TargetAttr target) const = 0;
  /// Returns the algorithms for contractions in order of preference. Without
  /// any, kernels of contractions neither compute operands nor reduce the rows
  /// of results.
  virtual llvm::ArrayRef<const ContractionAlgorithm *> getContractions() const {
    return {};
  }
  /// Returns the layout in which a contraction reads its rhs, an argument of
  /// static extents; null if it reads the operand itself.
  virtual tgx::LayoutAttrInterface
  chooseLayout(const Contraction &, const OperandUse &,
               const TargetDescription &) const {
    return {};
  }
};

/// The models that back ends registered in a context.
class TargetModels : public mlir::DialectInterface::Base<TargetModels> {
public:
  explicit TargetModels(mlir::Dialect *dialect) : Base(dialect) {}

  /// Adds a model, which must outlive the context, unless its kind is known.
  void add(const TargetModel &model);
  /// Returns the model of a kind; null if no back end registered one.
  const TargetModel *find(llvm::StringRef kind) const;

private:
  llvm::SmallVector<const TargetModel *> models;
};

/// Adds a model, which must outlive the context, to the models of the dialect.
void registerTargetModel(tgx::TgxDialect &dialect, const TargetModel &model);

} // namespace tg

#endif // TG_COMPILER_TARGET_TARGETMODEL_H
