//===- KernelNumber.h - numbers of kernels that calls may pass ------------===//
#ifndef TG_COMPILER_TRANSFORMS_FUSION_KERNELNUMBER_H
#define TG_COMPILER_TRANSFORMS_FUSION_KERNELNUMBER_H

#include "dialects/tgx/Tgx.h"

namespace tg {

/// A number in the body of a kernel that calls could pass instead, without a
/// change of speed or results. It is an integer attribute on which no type
/// depends (a random stream, the start of a slice), or a scalar constant.
///
/// Numbers that make code shorter are excluded: 0 and, for constants, powers of
/// two.
class KernelNumber {
public:
  /// Returns all such numbers of a kernel, in the order of its body.
  static std::vector<KernelNumber> findAll(tgx::KernelOp kernel);

  /// Returns the number: an IntegerAttr for an integer attribute, the elements
  /// for a constant.
  mlir::Attribute get() const;
  void set(mlir::Attribute value) const;
  bool isConstant() const { return !attribute; }

  /// replaceBySymbol() replaces the number by a symbol of the kernel; its maps
  /// already have `symbolCount` symbols. replaceBy() replaces a constant by an
  /// argument of the kernel.
  void replaceBySymbol(unsigned symbol, unsigned symbolCount) const;
  void replaceBy(mlir::BlockArgument argument) const;

private:
  /// Constructs the number of an entry of an attribute. Entries are in the
  /// order in which sizes are filled.
  KernelNumber(mlir::Operation *op, mlir::StringAttr attribute, unsigned entry)
      : op(op), attribute(attribute), entry(entry) {}

  mlir::Operation *op;
  /// Null for a constant.
  mlir::StringAttr attribute;
  /// The entry, if the attribute is a list.
  unsigned entry;
};

} // namespace tg

#endif // TG_COMPILER_TRANSFORMS_FUSION_KERNELNUMBER_H
