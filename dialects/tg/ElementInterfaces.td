//===- ElementInterfaces.td - interfaces of ops that compute elements -----===//
#ifndef TG_DIALECTS_TG_ELEMENTINTERFACES_TD
#define TG_DIALECTS_TG_ELEMENTINTERFACES_TD

include "mlir/IR/OpBase.td"

def Tg_ElementOpInterface : OpInterface<"ElementOpInterface"> {
  let cppNamespace = "::tg";
  let description = [{
    Elementwise ops and data movement: each result element follows from a few
    operand elements, at positions computed from its own position. Fusion may
    compute these ops inside their users.
  }];
  let methods = [
    InterfaceMethod<[{
        Emits the element of the first result at `position`: one scalar, or
        `element.lanes()` elements along the innermost dimension as a vector.
        Returns null if the op has no vector form at this position; the emitter
        then falls back to scalars.
      }], "::mlir::Value", "buildElement",
      (ins "::tg::ElementBuilder &":$element,
           "const ::tg::Position &":$position)>,
    InterfaceMethod<[{
        Emits the elements of all results, which have equal extents. Returns an
        empty list where `buildElement` returns null. Ops with several results
        override it.
      }], "::llvm::SmallVector<::mlir::Value>", "buildElements",
      (ins "::tg::ElementBuilder &":$element,
           "const ::tg::Position &":$position), /*body=*/"",
      /*default=*/[{
        auto rule = ::mlir::cast<::tg::ElementOpInterface>($_op.getOperation());
        ::mlir::Value only = rule.buildElement(element, position);
        return only ? ::llvm::SmallVector<::mlir::Value>{only}
                    : ::llvm::SmallVector<::mlir::Value>();
      }]>,
    InterfaceMethod<[{
        Returns true if element i of the result reads only element i of each
        operand (broadcasting aside). These ops fuse along equal iteration
        spaces.
      }], "bool", "isElementwise", (ins), "", "return false;">
  ];
}

def Tg_ElementwiseOpInterface
    : OpInterface<"ElementwiseOpInterface"> {
  let cppNamespace = "::tg";
  let description = [{
    Ops that compute each result element from the matching operand elements.
  }];
  let methods = [
    InterfaceMethod<[{
        Emits the computation of one element from the elements of the operands,
        which are scalars or vectors of equal length. Floats and i1 keep their
        type; integers, ui8 included, are signless.
      }], "::mlir::Value", "buildScalar",
      (ins "::mlir::OpBuilder &":$builder, "::mlir::Location":$loc,
           "::mlir::ValueRange":$operands)>,
    StaticInterfaceMethod<[{
        Returns true if an element needs a function that is computed as a
        polynomial, with tens of instructions and of constants.
      }], "bool", "isTranscendental", (ins)>
  ];
}

def Tg_LinearOpInterface : OpInterface<"LinearOpInterface"> {
  let cppNamespace = "::tg";
  let description = [{
    Elementwise ops with algebraic facts: the operands in which they are linear,
    and results that some operand elements determine alone. The facts are about
    numbers: a product with zero is zero, though zero times infinity is NaN.
  }];
  let methods = [
    InterfaceMethod<[{
        Returns true if the op is jointly linear in the operands that `varied`
        marks, while the others are fixed: f(x + y) is f(x) + f(y).
      }], "bool", "isLinearIn", (ins "::llvm::ArrayRef<bool>":$varied)>,
    InterfaceMethod<[{
        Returns the known property of a result element, from the known
        properties of the operand elements.
      }], "::tg::KnownElement", "findResult",
      (ins "::llvm::ArrayRef<::tg::KnownElement>":$operands)>
  ];
}

def Tg_BoundedOpInterface : OpInterface<"BoundedOpInterface"> {
  let cppNamespace = "::tg";
  let description = [{
    Ops with one integer result whose elements always lie in [0, bound). They
    need no check when they are used as indices.
  }];
  let methods = [
    InterfaceMethod<"Returns the bound over the symbols of the analysis.",
      "::mlir::AffineExpr", "getElementBound",
      (ins "const ::tg::ExtentAnalysis &":$extents)>
  ];
}

def Tg_OrderedOpInterface : OpInterface<"OrderedOpInterface"> {
  let cppNamespace = "::tg";
  let description = [{
    Ops whose result depends on the order of a sum. The attribute `tg.order`
    states the order; see `orderOf`.
  }];
  let methods = [
    InterfaceMethod<[{
        Returns the order that the phase `numerics` states. It follows from the
        op and the axes that are reduced, never from the number of results.
      }], "::tg::OrderAttr", "chooseOrder", (ins)>,
    InterfaceMethod<[{
        Verifies that the op can be computed in an order. By default an op adds
        the elements one by one, in blocks.
      }], "::llvm::LogicalResult", "verifyOrder", (ins "::tg::OrderAttr":$order),
      "", "return ::tg::verifySequentialOrder($_op, order);">
  ];
}

def Tg_ReductionOpInterface : OpInterface<"ReductionOpInterface"> {
  let cppNamespace = "::tg";
  let description = [{
    Ops that combine the elements of operand 0 over some axes with an
    associative function. Each element gives one or several terms. The terms of
    each part of a group are combined, and the parts are merged in order. By
    default the only term is the element, and the combined term is the result.

    Terms may be computed from the distance of an element to a pivot, which is
    an element of the same part. Sums of squares then lose few bits, however far
    from 0 the elements are. All counts are i64 numbers of elements.
  }];
  let methods = [
    InterfaceMethod<"Returns the reduced axes in ascending order.",
      "::llvm::SmallVector<int64_t>", "getReducedAxes", (ins)>,
    InterfaceMethod<"Returns true if reduced axes stay with extent 1.",
      "bool", "keepsReducedAxes", (ins)>,
    InterfaceMethod<"Builds the neutral element of a scalar or vector type.",
      "::mlir::Value", "buildNeutral",
      (ins "::mlir::OpBuilder &":$builder, "::mlir::Location":$loc,
           "::mlir::Type":$type)>,
    InterfaceMethod<"Builds the combination of two scalars or vectors.",
      "::mlir::Value", "buildCombine",
      (ins "::mlir::OpBuilder &":$builder, "::mlir::Location":$loc,
           "::mlir::Value":$lhs, "::mlir::Value":$rhs)>,
    InterfaceMethod<"Returns the number of terms of an element.",
      "unsigned", "countTerms", (ins), "", "return 1;">,
    InterfaceMethod<"Returns true if terms are computed from shifted elements.",
      "bool", "usesShift", (ins), "", "return false;">,
    InterfaceMethod<"Builds the terms of an element. The shift is null if unused.",
      "::llvm::SmallVector<::mlir::Value>", "buildTerms",
      (ins "::mlir::OpBuilder &":$builder, "::mlir::Location":$loc,
           "::mlir::Value":$element, "::mlir::Value":$pivot),
      "", "return {element};">,
    InterfaceMethod<[{
        Builds the state of a part from its combined terms, pivot and count: one
        value per term, in the type of the result or a wider float type.
      }], "::llvm::SmallVector<::mlir::Value>", "buildPart",
      (ins "::mlir::OpBuilder &":$builder, "::mlir::Location":$loc,
           "::mlir::ValueRange":$terms, "::mlir::Value":$pivot,
           "::mlir::Value":$count),
      "", "return ::llvm::SmallVector<::mlir::Value>(terms);">,
    InterfaceMethod<"Builds the total of a single part, to which others are merged.",
      "::llvm::SmallVector<::mlir::Value>", "buildTotal",
      (ins "::mlir::OpBuilder &":$builder, "::mlir::Location":$loc,
           "::mlir::ValueRange":$part, "::mlir::Value":$count),
      "", "return ::llvm::SmallVector<::mlir::Value>(part);">,
    InterfaceMethod<"Builds the total of two totals.",
      "::llvm::SmallVector<::mlir::Value>", "buildMerge",
      (ins "::mlir::OpBuilder &":$builder, "::mlir::Location":$loc,
           "::mlir::ValueRange":$lhs, "::mlir::Value":$lhsCount,
           "::mlir::ValueRange":$rhs, "::mlir::Value":$rhsCount),
      "", "return {$_op.buildCombine(builder, loc, lhs[0], rhs[0])};">,
    InterfaceMethod<"Builds the results from the total of a group.",
      "::llvm::SmallVector<::mlir::Value>", "buildResults",
      (ins "::mlir::OpBuilder &":$builder, "::mlir::Location":$loc,
           "::mlir::ValueRange":$total, "::mlir::Value":$count),
      "", "return ::llvm::SmallVector<::mlir::Value>(total);">
  ];
}

def Tg_ContractionOpInterface : OpInterface<"ContractionOpInterface"> {
  let cppNamespace = "::tg";
  let description = [{
    Ops that sum products of two operands. A kernel is built around one of these
    ops. Passes and emitters see it as its `Contraction`.
  }];
  let methods = [
    InterfaceMethod<[{
        Returns the iteration space with its maps to the operands and to the
        result, over the extents of the analysis.
      }], "::tg::Contraction", "getContraction",
      (ins "const ::tg::ExtentAnalysis &":$analysis)>
  ];
}

def Tg_DecomposableOpInterface : OpInterface<"DecomposableOpInterface"> {
  let cppNamespace = "::tg";
  let description = [{
    Ops that code generation computes as simpler tg ops. These are chosen so
    that fusion forms one kernel.
  }];
  let methods = [
    InterfaceMethod<[{
        Builds the simpler ops before this one and returns the values that
        replace its results.
      }], "::llvm::SmallVector<::mlir::Value>", "decompose",
      (ins "::mlir::OpBuilder &":$builder)>,
    InterfaceMethod<[{
        Returns true if this instance is computed as simpler ops.
      }], "bool", "isComposed", (ins), "", "return true;">
  ];
}

def Tg_OverwritingOpInterface : OpInterface<"OverwritingOpInterface"> {
  let cppNamespace = "::tg";
  let description = [{
    Ops that change few elements of an operand. If their only result lies in the
    memory of the operand, the other elements stay in place. Kernels of these
    ops detect that both share memory.
  }];
  let methods = [
    InterfaceMethod<"Returns the operand whose memory the result may share.",
      "::mlir::OpOperand &", "getOverwrittenOperand", (ins)>
  ];
}

def Tg_ViewOpInterface : OpInterface<"ViewOpInterface"> {
  let cppNamespace = "::tg";
  let description = [{
    Ops whose only result is the memory of an operand under another type. They
    stand outside of kernels and compute nothing.
  }];
  let methods = [
    InterfaceMethod<[{
        Returns the operand whose memory the result has. The other operands only
        give numbers that the extents of the result also give.
      }], "::mlir::OpOperand &", "getViewedOperand", (ins), "",
      "return $_op->getOpOperand(0);">
  ];
}

def Tg_ConcatenationOpInterface : OpInterface<"ConcatenationOpInterface"> {
  let cppNamespace = "::tg";
  let description = [{
    Ops whose only result is the concatenation of their operands along an axis.
    There is nothing to compute if the operands lie in the memory of the result.
  }];
  let methods = [
    InterfaceMethod<"Returns the axis.", "unsigned", "getConcatenationAxis", (ins)>
  ];
}

def Tg_PartialAccessOpInterface : OpInterface<"PartialAccessOpInterface"> {
  let cppNamespace = "::tg";
  let description = [{
    Ops that access only the elements of operand 0 that indices select: they
    read these elements or, if they overwrite the operand, change them.
  }];
  let methods = [
    InterfaceMethod<"Returns the operand or result with the same extents.",
      "::mlir::Value", "getAccessed", (ins)>
  ];
}

#endif // TG_DIALECTS_TG_ELEMENTINTERFACES_TD
