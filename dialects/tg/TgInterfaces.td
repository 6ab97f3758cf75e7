//===- TgInterfaces.td - interfaces of ops for passes and emitters --------===//
#ifndef TG_DIALECTS_TG_TGINTERFACES_TD
#define TG_DIALECTS_TG_TGINTERFACES_TD

include "mlir/IR/OpBase.td"
include "dialects/tg/ElementInterfaces.td"
include "dialects/tg/RegionInterfaces.td"

def Tg_ExtentsOpInterface : OpInterface<"ExtentsOpInterface"> {
  let cppNamespace = "::tg";
  let description = [{
    The shape rule of an op over symbolic extents. Type inference, the shapes
    phase, the memory plan and the kernel emitters all use this one rule.
  }];
  let methods = [
    InterfaceMethod<[{
        Computes the extents and element types of the results. Adds the
        requirements at run time with `inference.require`.
      }], "::llvm::LogicalResult", "inferExtents",
      (ins "::tg::ShapeInference &":$inference,
           "::llvm::SmallVectorImpl<::tg::TensorExtents> &":$results)>,
    InterfaceMethod<[{
        Returns the value of a rank-0 i64 result as an expression over extents,
        or null if it is not known at entry.
      }], "::mlir::AffineExpr", "inferSize",
      (ins "::tg::ShapeInference &":$inference), /*body=*/"",
      /*default=*/"return {};">
  ];
}

def Tg_DifferentiableOpInterface : OpInterface<"DifferentiableOpInterface"> {
  let cppNamespace = "::tg";
  let description = [{
    The reverse-mode rule of an op. An op has this interface,
    DifferentiableRegionOpInterface below, or the trait NonDifferentiable.
  }];
  let methods = [
    InterfaceMethod<[{
        Builds the cotangent of every operand, with ordinary tg ops, from the
        cotangents of the results (null where absent). Returns null for operands
        without a cotangent. An op with several results gets at least one
        cotangent.
      }], "::llvm::SmallVector<::mlir::Value>", "buildGradient",
      (ins "::mlir::OpBuilder &":$builder,
           "::mlir::ValueRange":$cotangents)>,
    InterfaceMethod<[{
        Returns true if a cotangent can reach the operand, and false for the
        operands whose gradient the reference gives as zero. Operands that are
        not floating point never receive a cotangent; the result for them is
        ignored.
      }], "bool", "passesGradient", (ins "unsigned":$operand), "",
      "return true;">
  ];
}

def Tg_EvaluableOpInterface : OpInterface<"EvaluableOpInterface"> {
  let cppNamespace = "::tg";
  let description = [{
    The value of a pure op on given tensors. Constant folding, the numeric
    oracle and eager mode use it.
  }];
  let methods = [
    InterfaceMethod<[{
        Computes all results. `results` holds one tensor per result, already of
        the right type and extents. Returns an empty string, or the message of a
        run-time failure (an index out of range).
      }], "::std::string", "evaluate",
      (ins "::llvm::ArrayRef<::tg::HostTensor>":$operands,
           "::llvm::MutableArrayRef<::tg::HostTensor>":$results)>
  ];
}

def Tg_DataDependentSizeOpInterface : OpInterface<"DataDependentSizeOpInterface"> {
  let cppNamespace = "::tg";
  let description = [{
    Ops with one result that has data-dependent sizes, which only a run
    determines.
  }];
  let methods = [
    InterfaceMethod<[{
        Builds the source of the result and its extents: a tensor whose extents
        follow from the extents of the operands. The source is the first operand
        if the op only restricts extents.
      }], "::mlir::Value", "buildSource",
      (ins "::mlir::OpBuilder &":$builder)>,
    InterfaceMethod<[{
        Builds a data-dependent size of the result, rank 0 and i64, from the
        source.
      }], "::mlir::Value", "buildFound",
      (ins "::mlir::OpBuilder &":$builder, "::mlir::Value":$source,
           "unsigned":$axis)>,
    InterfaceMethod<[{
        Builds the result from a source that is not an operand. `extents` are
        the data-dependent sizes, rank 0 and i64, in the order of the axes.
      }], "::mlir::Value", "buildResult",
      (ins "::mlir::OpBuilder &":$builder, "::mlir::Value":$source,
           "::mlir::ValueRange":$extents), "", "return {};">
  ];
}

def Tg_CostOpInterface : OpInterface<"CostOpInterface"> {
  let cppNamespace = "::tg";
  let description = [{
    The arithmetic of an op, for reports and for the rates in them.
  }];
  let methods = [
    InterfaceMethod<[{
        Returns the number of arithmetic operations of one run, over the symbols
        of the analysis: two per product of a sum of products, one per element
        that is combined or computed, none for elements that only move.
      }], "::mlir::AffineExpr", "countFlops",
      (ins "const ::tg::ExtentAnalysis &":$extents)>
  ];
}

def Tg_CheckedOpInterface : OpInterface<"CheckedOpInterface"> {
  let cppNamespace = "::tg";
  let description = [{
    Ops that fail at run time for some values of one operand: an index out of
    range (TG_ERROR_INDEX), a divisor of zero (TG_ERROR_DIVIDE).
  }];
  let methods = [
    InterfaceMethod<[{
        Returns the index of the operand whose values are checked, or none if
        this instance cannot fail.
      }], "::std::optional<unsigned>", "getCheckedOperand", (ins)>,
    InterfaceMethod<[{
        Returns the exclusive upper bound of indices as (operand, axis); the
        bound is the extent of that axis. Returns none for divisors, which must
        not be 0.
      }], "::std::optional<::std::pair<unsigned, unsigned>>", "getIndexBound",
      (ins), "", "return ::std::nullopt;">,
    StaticInterfaceMethod<[{
        Returns the name of a checked value in messages.
      }], "::llvm::StringRef", "getCheckedName", (ins), "",
      "return \"index\";">
  ];
}

def Tg_DynamicSizesOpInterface : OpInterface<"DynamicSizesOpInterface"> {
  let cppNamespace = "::tg";
  let description = [{
    Ops with dynamic sizes: rank-0 operands `dynamic` that fill the -1
    entries of integer attributes, in order.
  }];
  let methods = [
    InterfaceMethod<"Returns the operands that fill the entries.",
      "::mlir::MutableOperandRange", "getDynamicSizes", (ins),
      "return $_op.getDynamicMutable();">,
    StaticInterfaceMethod<[{
        Returns the attributes with the entries, integers or lists of them, in
        the order in which they are filled.
      }], "::llvm::SmallVector<::llvm::StringRef>", "getSizeAttributes",
      (ins), "", "return {\"shape\"};">,
    InterfaceMethod<[{
        Replaces the -1 that operand `index` of `dynamic` fills by the number.
        The caller erases the operand.
      }], "void", "setSize", (ins "unsigned":$index, "int64_t":$number), "",
      "::tg::setSizeEntry($_op, index, number);">,
    InterfaceMethod<[{
        Replaces each -1 that no operand fills, and that stands for an extent of
        an operand, by the extent if the type of the operand is static there.
      }], "void", "setCopiedSizes", (ins), "", "return;">,
    InterfaceMethod<[{
        Returns the bounds of the sizes that determine where memory is read or
        written.
      }], "::llvm::SmallVector<::tg::SizeBound>", "getSizeBounds",
      (ins "const ::tg::ExtentAnalysis &":$analysis), "", "return {};">
  ];
}

def Tg_HostOpInterface : OpInterface<"HostOpInterface"> {
  let cppNamespace = "::tg";
  let description = [{
    Ops that a run executes itself between two kernels, by calling the host or
    on its behalf. No kernel computes them. Their operands and results lie in
    memory as a whole. Ops with effects stay in program order.
  }];
  let methods = [
    InterfaceMethod<"Returns the kind of the action.", "::tg::HostAction", "getHostAction",
      (ins)>,
    InterfaceMethod<[{
        Returns the text of the action: the name of a function, a label, or a
        message.
      }], "::llvm::StringRef", "getHostText", (ins)>,
    InterfaceMethod<"Returns the operands that the host function reads.",
      "::mlir::OperandRange", "getHostInputs", (ins), "",
      "return $_op->getOperands();">,
    InterfaceMethod<[{
        Returns the kernel that runs in place of a call on a device that has
        such kernels; null if there is none.
      }], "::tg::CudaKernelAttr", "getDeviceKernel", (ins), "", "return {};">,
    InterfaceMethod<"Returns true if the op can end a run.", "bool", "canFail", (ins), "",
      "return true;">
  ];
}

#endif // TG_DIALECTS_TG_TGINTERFACES_TD
