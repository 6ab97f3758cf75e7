//===- PlanTarget.h - the targets of a module, as passes see them ---------===//
#ifndef TG_COMPILER_TARGET_PLANTARGET_H
#define TG_COMPILER_TARGET_PLANTARGET_H

#include "compiler/target/TargetModel.h"

namespace tg {

/// Answers queries of passes about the targets that share the plan of a module.
/// Each answer holds for all of these targets.
class PlanTarget {
public:
  /// Reads `tgx.target` of a module. A module without this attribute is planned
  /// for CPUs at -O2.
  explicit PlanTarget(mlir::ModuleOp module);
  /// If no back end registered the kind, plans use no algorithms for
  /// contractions, no packed operands and no caches.
  explicit PlanTarget(tgx::TargetAttr target);

  /// Returns the properties that the plan depends on.
  const TargetDescription &getDescription() const { return targets.front(); }

  /// Returns true if each target has an algorithm for the contraction.
  bool canCompute(const ContractionRequest &request) const;
  /// Returns the name of the algorithm that all targets choose; empty if
  /// targets choose different ones, or one without a name.
  llvm::StringRef findAlgorithm(const ContractionRequest &request) const;
  /// Returns the layout in which a contraction reads its rhs, an argument of
  /// static extents; null if it reads the operand itself.
  tgx::LayoutAttrInterface chooseLayout(const Contraction &contraction,
                                        const OperandUse &use) const;

private:
  const TargetModel *model;
  llvm::SmallVector<TargetDescription> targets;
};

} // namespace tg

#endif // TG_COMPILER_TARGET_PLANTARGET_H
