//===- ContractionAlgorithm.h - the contractions of a target --------------===//
//
// A target computes contractions by several algorithms. Fusion must know which
// ops a kernel can compute besides its contraction, and emission must choose
// the algorithm. Both use the same list, so a kernel that fusion builds has an
// algorithm on every target of its kind.
//
//===----------------------------------------------------------------------===//
#ifndef TG_COMPILER_TARGET_CONTRACTIONALGORITHM_H
#define TG_COMPILER_TARGET_CONTRACTIONALGORITHM_H

#include "compiler/target/TargetDescription.h"
#include "dialects/tg/ops/structured/Contraction.h"
#include "dialects/tgx/Tgx.h"

namespace tg {

/// A contraction of a kernel, and the facts of the kernel on which the choice
/// of its algorithm depends.
struct ContractionRequest {
  const Contraction &contraction;
  /// True if the operand is an argument of the kernel, or the rhs is unpacked
  /// from an argument; false if the kernel computes the
  /// operand.
  bool readsLhs = true, readsRhs = true;
  /// The layout of the rhs; null if it is not packed.
  tgx::LayoutAttrInterface layout = {};
  /// The order in which the kernel also reduces all rows of the result; null if
  /// it does not.
  OrderAttr rowOrder = {};
  /// The size in bytes of the elements that fill the kernel's vectors; 0 for
  /// the size of an accumulator.
  unsigned laneBytes = 0;

  /// Returns `laneBytes`, or the size of an accumulator if it is 0.
  unsigned getLaneBytes() const;
  /// Returns true if the kernel reduces the rows tile by tile, and the smallest
  /// blocks of the sums have this number of tiles or a multiple of it.
  bool reducesTiles(llvm::ArrayRef<int64_t> tile, int64_t unit) const;
  /// Returns true if both operands have the type of the sums, a float.
  bool hasFloatOperands() const;
  /// Returns the order of the sums.
  OrderAttr getOrder() const;
};

/// Returns the contraction of a kernel as a request, apart from `laneBytes`.
ContractionRequest requestOf(tgx::KernelOp kernel,
                             const Contraction &contraction);

/// An algorithm by which kernels compute contractions.
class ContractionAlgorithm {
public:
  virtual ~ContractionAlgorithm() = default;

  /// Returns the name, as in the `algorithm` of a kernel.
  virtual llvm::StringRef getName() const = 0;
  /// Returns the number of positions of the algorithm's Winograd tiles; 0 for
  /// direct sums. An order states which of them computes a contraction.
  virtual int64_t getWinogradTile() const { return 0; }
  /// Returns the first requirement of the algorithm that is not met, a phrase
  /// that can follow "expected". Returns an empty string if the algorithm can
  /// compute the contraction on the target.
  virtual llvm::StringRef
  findUnmetRequirement(const ContractionRequest &request,
                       const TargetDescription &target) const = 0;
};

/// Returns the algorithm with this name; null for any other name.
const ContractionAlgorithm *
findByName(llvm::ArrayRef<const ContractionAlgorithm *> algorithms,
           llvm::StringRef name);

/// Returns the first algorithm that can compute a contraction in its order;
/// null if there is none.
const ContractionAlgorithm *
findFirst(llvm::ArrayRef<const ContractionAlgorithm *> algorithms,
          const ContractionRequest &request, const TargetDescription &target);

} // namespace tg

#endif // TG_COMPILER_TARGET_CONTRACTIONALGORITHM_H
