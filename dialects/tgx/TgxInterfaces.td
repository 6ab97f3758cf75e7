//===- TgxInterfaces.td - interfaces of buffers, steps and checks ---------===//
#ifndef TG_DIALECTS_TGX_TGXINTERFACES_TD
#define TG_DIALECTS_TGX_TGXINTERFACES_TD

include "mlir/IR/OpBase.td"

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
        kind, which a function states once. Returns null for buffers that may be
        stated repeatedly, because nothing writes them.
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

def Tgx_ExtentCheckOpInterface : OpInterface<"ExtentCheckOpInterface"> {
  let cppNamespace = "::tgx";
  let description = [{
    Ops of functions that require a relation of two numbers over the symbols. A
    run fails before its first kernel if the relation does not hold, or as soon
    as it has found the numbers.
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
