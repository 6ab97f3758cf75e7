//===- SlabLayout.h - offsets of variables in the slab --------------------===//
#ifndef TG_COMPILER_LIBRARY_PLAN_SLABLAYOUT_H
#define TG_COMPILER_LIBRARY_PLAN_SLABLAYOUT_H

#include "dialects/tg/ops/control/StateOps.h"
#include "dialects/tgx/Alignment.h"
#include "dialects/tgx/Tgx.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace tg {

/// Rounds `bytes` up to a multiple of the alignment.
constexpr uint64_t alignUp(uint64_t bytes) {
  return (bytes + tgx::kAlignment - 1) / tgx::kAlignment * tgx::kAlignment;
}

/// A variable and its location in the slab.
struct SlabEntry {
  tg::VariableOp variable;
  /// TG_ROLE_... of abi.h.
  uint32_t role;
  /// The index of the parameter that an optimizer slot belongs to; -1 for other
  /// roles.
  int32_t owner;
  /// The offset in bytes from the start of the slab, a multiple of the
  /// alignment.
  uint64_t offset;
  /// The size in bytes without padding.
  uint64_t bytes;

  mlir::RankedTensorType getType() const {
    tg::VariableOp op = variable;
    return llvm::cast<mlir::RankedTensorType>(op.getType());
  }
};

/// The layout of the slab: a header of 64 bytes, then parameters and
/// statistics, then the other variables, each group in the order of the module.
/// Variables of 64 KiB and more are aligned to 4 KiB. If all variables are
/// kept, they lie in the order of the module alone. The layout of a module with
/// more variables after these then begins with this layout.
class SlabLayout {
public:
  SlabLayout() = default;
  /// Lays out the variables of `module` that some function uses, or all of
  /// them. Emits a diagnostic and fails if the sizes overflow.
  static llvm::FailureOr<SlabLayout> create(mlir::ModuleOp module,
                                            bool keepsAll);

  /// Returns the entries in the order of their offsets.
  llvm::ArrayRef<SlabEntry> getEntries() const { return entries; }
  /// Returns the entry of a variable that some function uses.
  const SlabEntry &lookup(llvm::StringRef variable) const {
    return entries[indices.lookup(variable)];
  }
  /// Returns the size of the slab, a multiple of the alignment; 0 without
  /// variables.
  uint64_t getBytes() const { return bytes; }
  /// Returns the identity of the layout, equal for layouts that can share
  /// slabs.
  std::array<uint8_t, 16> getId() const;

private:
  /// Emits a diagnostic and fails if the sizes overflow.
  llvm::LogicalResult add(tg::VariableOp variable);

  std::vector<SlabEntry> entries;
  llvm::StringMap<unsigned> indices;
  uint64_t bytes = 0;
};

} // namespace tg

#endif // TG_COMPILER_LIBRARY_PLAN_SLABLAYOUT_H
