//===- ReductionForm.h - how threads divide reduced groups ----------------===//
#ifndef TG_COMPILER_CODEGEN_CUDA_REDUCTION_REDUCTIONFORM_H
#define TG_COMPILER_CODEGEN_CUDA_REDUCTION_REDUCTIONFORM_H

#include "compiler/codegen/cuda/reduction/ChainFold.h"
#include "compiler/codegen/cuda/reduction/GroupElements.h"

namespace tg {

/// The form of a reduction kernel. It follows from the extents and from the
/// order of the sums, and changes no bit.
struct ReductionForm {
  enum class Kind {
    /// A thread for each group, which visits the group once for each phase.
    serial,
    /// A thread or a warp for each group, which keeps the elements of the
    /// group's line in registers.
    kept,
    /// Some warps for each group, whose threads read neighbouring elements of a
    /// line.
    warps,
    /// Some slots for each group, each of which sums other blocks of lines. The
    /// slots of neighbouring groups are neighbouring threads.
    columns
  };

  explicit ReductionForm(const GroupElements &group);

  Kind kind = Kind::serial;
  /// The number of threads of a group in the form `kept`, of warps in the form
  /// `warps`, and of slots in the form `columns`.
  unsigned threads = 1, warps = 1, slots = 1;
  /// The number of groups of a block in the form `columns`.
  unsigned columns = 1;
  /// The kind of the blocks that warps or slots sum: the number of sizes of
  /// nested blocks that are smaller.
  unsigned level = 0;

private:
  bool keepsLine(const GroupElements &group, const LineChains &chains);
  void chooseWarps(const GroupElements &group, const LineChains &chains);
  void chooseSlots(const GroupElements &group);
};

} // namespace tg

#endif // TG_COMPILER_CODEGEN_CUDA_REDUCTION_REDUCTIONFORM_H
