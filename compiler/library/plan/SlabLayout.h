//===- SlabLayout.h - where each variable lies in the slab ----------------===//
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

/// The first multiple of the alignment at or after `bytes`.
constexpr uint64_t alignUp(uint64_t bytes) {
  return (bytes + tgx::kAlignment - 1) / tgx::kAlignment * tgx::kAlignment;
}

/// One variable and where it lies.
struct SlabEntry {
  tg::VariableOp variable;
  /// TG_ROLE_... of abi.h.
  uint32_t role;
  /// Index of a slot's parameter, -1 for other roles.
  int32_t owner;
  /// From the start of the slab, a multiple of the alignment.
  uint64_t offset;
  /// Without padding.
  uint64_t bytes;

  mlir::RankedTensorType getType() const {
    tg::VariableOp op = variable;
    return llvm::cast<mlir::RankedTensorType>(op.getType());
  }
};

/// A header of 64 bytes, then parameters and statistics, then the rest, each in
/// the order of the module; variables of 64 KiB and more at multiples of 4 KiB.
/// Where all variables are kept they lie in the order of the module alone: the
/// layout of a module with more variables behind these begins with this one.
class SlabLayout {
public:
  SlabLayout() = default;
  /// Lays out the variables of `module` that some function names, or all of
  /// them. Fails with a diagnostic when the sizes overflow.
  static llvm::FailureOr<SlabLayout> create(mlir::ModuleOp module,
                                            bool keepsAll);

  /// In the order of their offsets.
  llvm::ArrayRef<SlabEntry> getEntries() const { return entries; }
  /// The entry of a variable that some function names.
  const SlabEntry &lookup(llvm::StringRef variable) const {
    return entries[numbers.lookup(variable)];
  }
  /// Size of the slab, a multiple of the alignment; 0 without variables.
  uint64_t getBytes() const { return bytes; }
  /// The identity of the layout: equal for layouts that can share slabs.
  std::array<uint8_t, 16> getId() const;

private:
  /// Fails with a diagnostic when the sizes overflow.
  llvm::LogicalResult add(tg::VariableOp variable);

  std::vector<SlabEntry> entries;
  llvm::StringMap<unsigned> numbers;
  uint64_t bytes = 0;
};

} // namespace tg

#endif // TG_COMPILER_LIBRARY_PLAN_SLABLAYOUT_H
