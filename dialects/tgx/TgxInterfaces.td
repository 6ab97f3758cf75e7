//===- TgxInterfaces.td - interfaces of buffers, steps and checks ---------===//
#ifndef TG_DIALECTS_TGX_TGXINTERFACES_TD
#define TG_DIALECTS_TGX_TGXINTERFACES_TD

include "mlir/IR/OpBase.td"

def Tgx_LayoutAttrInterface : AttrInterface<"LayoutAttrInterface"> {
  let cppNamespace = "::tgx";
  let description = [{
    A layout in which the contractions of a target read an operand, packed by a
    kernel of its own. Back ends define the attributes.
  }];
  let methods = [
    InterfaceMethod<"Returns the type of the packed form of a static tensor.",
      "::mlir::RankedTensorType", "getPackedType",
      (ins "::mlir::RankedTensorType":$tensor)>,
    InterfaceMethod<[{
        Returns what is wrong with a tensor of this type, "expected ..., found
        ..."; an empty string if it can have the layout.
      }], "::std::string", "findMismatch", (ins "::mlir::RankedTensorType":$tensor)>,
    InterfaceMethod<[{
        Returns a layout of a tensor that gives the same packed form as this
        layout gives for a view of the tensor; null if there is none. For
        example, a 1x1 filter is a matrix for its contraction.
      }], "::tgx::LayoutAttrInterface", "getLayoutOfViewed",
      (ins "::mlir::RankedTensorType":$viewed, "::mlir::RankedTensorType":$view)>,
    InterfaceMethod<"Returns the algorithm of contractions that read the layout.",
      "::llvm::StringRef", "getAlgorithm", (ins)>,
    InterfaceMethod<"Returns the suffix of the names of kernels that read the layout.",
      "::std::string", "getReaderSuffix", (ins)>,
    InterfaceMethod<"Returns the suffix of the name of the kernel that packs a tensor.",
      "::std::string", "getPackerSuffix",
      (ins "::mlir::RankedTensorType":$tensor)>
  ];
}

def Tgx_BufferOpInterface : OpInterface<"BufferOpInterface"> {
  let cppNamespace = "::tgx";
  let description = [{
    Ops of a `tgx.function` whose result is a buffer in memory.
  }];
  let methods = [
    InterfaceMethod<[{
        Returns the size of the memory over the function's symbols, or null for
        a view.
      }], "::mlir::AffineExpr", "countBytes", (ins)>,
    InterfaceMethod<"Returns true if steps may write the memory.",
      "bool", "isWritable", (ins), "", "return false;">,
    InterfaceMethod<"Returns true if the memory is initialized when a call begins.",
      "bool", "isFilledAtEntry", (ins), "", "return true;">,
    InterfaceMethod<"Returns the viewed buffer, or null if the op is no view.",
      "::mlir::Value", "getViewed", (ins), "", "return {};">,
    InterfaceMethod<[{
        Returns the attribute that identifies the buffer among buffers of its
        kind. A function has at most one op for each identity. Returns null for
        buffers that several ops may declare, because nothing writes them.
      }], "::mlir::Attribute", "getIdentity", (ins), "", "return {};">
  ];
}

def Tgx_StepOpInterface : OpInterface<"StepOpInterface"> {
  let cppNamespace = "::tgx";
  let description = [{
    Ops of a `tgx.function` that read and write buffers, in order.
  }];
  let methods = [
    InterfaceMethod<"Returns the buffers that the step reads.",
      "::mlir::OperandRange", "getSources", (ins)>,
    InterfaceMethod<"Returns the buffers that the step writes.",
      "::mlir::OperandRange", "getTargets", (ins)>
  ];
}

//===----------------------------------------------------------------------===//
// Checks
//===----------------------------------------------------------------------===//

def Tgx_ElementCheckOpInterface : OpInterface<"ElementCheckOpInterface"> {
  let cppNamespace = "::tgx";
  let description = [{
    Ops of kernels that forward the elements of a value and fail the run after
    the launch if an element violates a predicate. An op has one or several
    predicates; an element violates at most one of them. A kernel may have any
    number of these ops. The first op in the body that found a bad element
    reports the bad element with the lowest linear index.

    Each predicate of a kernel has an error cell (`KernelOp::firstCellOf`) that
    keeps the lowest index of an element that violates it.
  }];
  let methods = [
    InterfaceMethod<"The op that requires the check, as messages name it.",
      "::llvm::StringRef", "getOpName", (ins)>,
    InterfaceMethod<"The value whose elements are checked.",
      "::mlir::Value", "getCheckedValue", (ins), "",
      "return $_op->getOperand(0);">,
    InterfaceMethod<"The kind of the error.",
      "::tgx::ElementFailure", "getFailure", (ins)>,
    InterfaceMethod<[{
        Returns the message of each predicate. In a message, %i stands for the
        index of the element, %f for its value and %e for the bound.
      }], "::llvm::SmallVector<::std::string, 2>", "getMessages", (ins)>,
    InterfaceMethod<[{
        Returns the exclusive upper bound of indices over the symbols, or none
        for checks that are not about indices. Checks with a bound report the
        value of the element.
      }], "::std::optional<::mlir::AffineExpr>", "getIndexBound", (ins), "",
      "return ::std::nullopt;">,
    InterfaceMethod<[{
        Returns true if the op forwards bad elements unchanged, so that no later
        op relies on it. Other ops replace a bad element by a harmless one.
      }], "bool", "isObserver", (ins), "", "return false;">
  ];
}

def Tgx_ExtentCheckOpInterface : OpInterface<"ExtentCheckOpInterface"> {
  let cppNamespace = "::tgx";
  let description = [{
    Ops of functions that require a relation of two numbers over the symbols. If
    the relation does not hold, a run fails before its first kernel. If a number
    is data-dependent, the run fails as soon as it is measured.
  }];
  let methods = [
    InterfaceMethod<"The op that requires the check, as messages name it.",
      "::llvm::StringRef", "getOpName", (ins)>,
    InterfaceMethod<"The number that is checked.",
      "::mlir::AffineMap", "getFound", (ins)>,
    InterfaceMethod<"The number that it is compared with.",
      "::mlir::AffineMap", "getExpected", (ins)>,
    InterfaceMethod<"The relation that must hold.",
      "::tg::ExtentRelation", "getRelation", (ins)>,
    InterfaceMethod<[{
        Returns the message, in which %f stands for the number that was found
        and %e for the one that was expected.
      }], "::std::string", "getMessage", (ins)>
  ];
}

#endif // TG_DIALECTS_TGX_TGXINTERFACES_TD
