//===- TgInterfaces.td - interfaces of ops for passes and emitters --------===//
#ifndef TG_DIALECTS_TG_TGINTERFACES_TD
#define TG_DIALECTS_TG_TGINTERFACES_TD

include "mlir/IR/OpBase.td"

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
        operands that the reference marks "none". Operands that are not floating
        point never receive a cotangent and need not be named here.
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

def Tg_RegionOpInterface : OpInterface<"RegionOpInterface"> {
  let cppNamespace = "::tg";
  let description = [{
    Ops that run regions of tg ops, which see the values around them: branches
    and loops.
  }];
  let methods = [
    InterfaceMethod<[{
        Computes all results from the given operands. `run` returns the values
        that a block yields for its arguments, or a failure. Returns an empty
        string, or the message of a run-time failure.
      }], "::std::string", "evaluateRegions",
      (ins "::llvm::ArrayRef<::tg::HostTensor>":$operands,
           "::tg::RunBlock":$run,
           "::llvm::SmallVectorImpl<::tg::HostTensor> &":$results)>,
    InterfaceMethod<[{
        Returns the types that a region must yield, by the operands and results.
      }], "::llvm::SmallVector<::mlir::Type>", "getYieldTypes",
      (ins "unsigned":$region)>,
    InterfaceMethod<[{
        Sets the types of the arguments of regions, which follow from the
        operands. Extents that vary between iterations become dynamic.
      }], "void", "refineArguments",
      (ins "const ::tg::ExtentAnalysis &":$analysis), "", "return;">,
    InterfaceMethod<[{
        Replaces the op by one that carries more values: through the iterations
        of a loop, or to the end of each region of a branch. The values stay
        unchanged until the regions yield others.
      }], "::tg::Carried", "carry", (ins "::mlir::ValueRange":$inits)>,
    InterfaceMethod<[{
        Sets the types of the results, which follow from the operands and from
        the yielded values, and makes the regions yield these types.
      }], "void", "refineResults", (ins)>
  ];
}

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
        value per term, in the type of the result.
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
    InterfaceMethod<"Returns true if the op can end a run.", "bool", "canFail", (ins), "",
      "return true;">
  ];
}

def Tg_DifferentiableRegionOpInterface
    : OpInterface<"DifferentiableRegionOpInterface"> {
  let cppNamespace = "::tg";
  let description = [{
    The reverse-mode rule of an op whose regions see the values around them.
    These values have cotangents like operands.
  }];
  let methods = [
    InterfaceMethod<[{
        Returns all flows of values between the op and its regions.
      }], "::llvm::SmallVector<::tg::ValueFlow>", "getValueFlows", (ins)>,
    InterfaceMethod<[{
        Builds simpler ops before this one, to be differentiated in its place,
        and returns the values that replace its results. Returns an empty list
        if the op itself is differentiated.
      }], "::llvm::SmallVector<::mlir::Value>", "splitForGradient",
      (ins "::mlir::OpBuilder &":$builder), "", "return {};">,
    InterfaceMethod<[{
        Builds the cotangents of operands and of values from outside that the
        regions use, with ordinary tg ops, from the cotangents of the results
        (null where absent). Returns pairs of value and cotangent; a value has
        several pairs if several of its uses have a cotangent. May replace the
        op by one that also computes the values that the cotangents need.
      }], "::llvm::FailureOr<::llvm::SmallVector<"
          "::std::pair<::mlir::Value, ::mlir::Value>>>",
      "buildRegionGradient",
      (ins "::mlir::OpBuilder &":$builder, "::mlir::ValueRange":$cotangents,
           "::tg::RegionDifferentiator &":$differentiator)>
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

def Tg_BatchableOpInterface : OpInterface<"BatchableOpInterface"> {
  let cppNamespace = "::tg";
  let description = [{
    Ops of the body of a loop that can be computed for all its steps at once. An
    operand is then the same for all steps or, if `stepped` marks it, has a
    leading axis of steps. At least one operand is stepped.
  }];
  let methods = [
    InterfaceMethod<"Returns true if the op can be computed for all steps at once.",
      "bool", "canBatch", (ins "::llvm::ArrayRef<bool>":$stepped)>,
    InterfaceMethod<"Builds the result for all steps, stacked along axis 0.",
      "::mlir::Value", "buildBatched",
      (ins "::mlir::OpBuilder &":$builder, "::mlir::ValueRange":$operands,
           "::llvm::ArrayRef<bool>":$stepped)>,
    InterfaceMethod<[{
        Returns true if the sum of the results over all steps costs no more than
        the results.
      }], "bool", "canSumSteps", (ins "::llvm::ArrayRef<bool>":$stepped)>,
    InterfaceMethod<[{
        Returns true if it is worth saving the varying operands of all steps to
        compute the sum of the results: they have fewer elements than each step
        would add to a carried sum.
      }], "bool", "isSummedForLess", (ins "::llvm::ArrayRef<bool>":$stepped), "",
      "return false;">,
    InterfaceMethod<"Builds the sum of the results over all steps.",
      "::mlir::Value", "buildSumOfSteps",
      (ins "::mlir::OpBuilder &":$builder, "::mlir::ValueRange":$operands,
           "::llvm::ArrayRef<bool>":$stepped)>
  ];
}

#endif // TG_DIALECTS_TG_TGINTERFACES_TD
