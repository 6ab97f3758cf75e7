//===- KernelNumber.h - numbers of kernels that calls may pass ------------===//
#ifndef TG_COMPILER_TRANSFORMS_FUSION_KERNELNUMBER_H
#define TG_COMPILER_TRANSFORMS_FUSION_KERNELNUMBER_H

#include "dialects/tgx/Tgx.h"

namespace tg {

/// A number in the body of a kernel that calls may pass instead, for as fast a
/// kernel with the same results: an integer attribute that no type depends on
/// (a random stream, where a slice starts), or a scalar constant.
///
/// Numbers that make code shorter are none of these: 0 and, for constants,
/// powers of two.
class KernelNumber {
public:
  /// All of a kernel, in the order of its body.
  static std::vector<KernelNumber> findAll(tgx::KernelOp kernel);

  /// The number: of an integer attribute an IntegerAttr, of a constant its
  /// elements.
  mlir::Attribute get() const;
  void set(mlir::Attribute value) const;
  bool isConstant() const { return !attribute; }

  /// Makes a kernel take the number as its next symbol, whose maps know it
  /// already, or as its last argument.
  void replaceBySymbol(unsigned symbol, unsigned symbolCount) const;
  void replaceBy(mlir::BlockArgument argument) const;

private:
  /// The entry of an attribute in the order in which sizes are filled.
  KernelNumber(mlir::Operation *op, mlir::StringAttr attribute, unsigned entry)
      : op(op), attribute(attribute), entry(entry) {}

  mlir::Operation *op;
  /// Null for a constant.
  mlir::StringAttr attribute;
  /// In an attribute that is a list.
  unsigned entry;
};

} // namespace tg

#endif // TG_COMPILER_TRANSFORMS_FUSION_KERNELNUMBER_H
