//===- TgInterfaces.td - what passes and emitters ask an op ---------------===//
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
        Extents and element types of the results; notes with
        `inference.require` what must hold at run time.
      }], "::llvm::LogicalResult", "inferExtents",
      (ins "::tg::ShapeInference &":$inference,
           "::llvm::SmallVectorImpl<::tg::TensorExtents> &":$results)>,
    InterfaceMethod<[{
        The value of a rank-0 i64 result as an expression over extents, or
        null when it is not known at entry.
      }], "::mlir::AffineExpr", "inferSize",
      (ins "::tg::ShapeInference &":$inference), /*body=*/"",
      /*default=*/"return {};">
  ];
}

def Tg_DifferentiableOpInterface : OpInterface<"DifferentiableOpInterface"> {
  let cppNamespace = "::tg";
  let description = [{
    The reverse-mode rule of an op. An op has this interface, that of ops with
    regions below, or the trait NonDifferentiable.
  }];
  let methods = [
    InterfaceMethod<[{
        Builds the cotangent of every operand from those of the results (null
        where absent), out of ordinary tg ops. Null for operands without one.
        An op with several results gets at least one cotangent.
      }], "::llvm::SmallVector<::mlir::Value>", "buildGradient",
      (ins "::mlir::OpBuilder &":$builder,
           "::mlir::ValueRange":$cotangents)>,
    InterfaceMethod<[{
        Whether a cotangent can reach the operand: false for the operands that
        the reference marks "none". Operands that are not floating point
        never receive one and need not be named here.
      }], "bool", "passesGradient", (ins "unsigned":$operand), "",
      "return true;">
  ];
}

def Tg_EvaluableOpInterface : OpInterface<"EvaluableOpInterface"> {
  let cppNamespace = "::tg";
  let description = [{
    The value of a pure op on given tensors: constant folding, the numeric
    oracle and eager mode.
  }];
  let methods = [
    InterfaceMethod<[{
        Computes all results. `results` holds one tensor per result, already of
        the right type and extents. Returns an empty string, or what failed at
        run time in the words of a status message (an index out of range).
      }], "::std::string", "evaluate",
      (ins "::llvm::ArrayRef<::tg::HostTensor>":$operands,
           "::llvm::MutableArrayRef<::tg::HostTensor>":$results)>
  ];
}

def Tg_FoundExtentsOpInterface : OpInterface<"FoundExtentsOpInterface"> {
  let cppNamespace = "::tg";
  let description = [{
    Ops of one result some of whose extents a run finds: they depend on data.
  }];
  let methods = [
    InterfaceMethod<[{
        Gives what the result and its extents are found in: a tensor whose
        extents follow from those of the operands; the first operand where the
        op restricts its extents and changes nothing.
      }], "::mlir::Value", "buildSource",
      (ins "::mlir::OpBuilder &":$builder)>,
    InterfaceMethod<[{
        Builds such an extent of the result, rank 0 and i64, from the source.
      }], "::mlir::Value", "buildFound",
      (ins "::mlir::OpBuilder &":$builder, "::mlir::Value":$source,
           "unsigned":$axis)>,
    InterfaceMethod<[{
        Builds the result from a source that is no operand. The numbers, rank 0
        and i64, are the extents that were found, in the order of the axes.
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
        Computes all results on given operands. `run` gives what a block yields
        for its arguments, or what failed. Returns an empty string, or what
        failed at run time in the words of a status message.
      }], "::std::string", "evaluateRegions",
      (ins "::llvm::ArrayRef<::tg::HostTensor>":$operands,
           "::tg::RunBlock":$run,
           "::llvm::SmallVectorImpl<::tg::HostTensor> &":$results)>,
    InterfaceMethod<[{
        The types that a region must yield: those of operands and results.
      }], "::llvm::SmallVector<::mlir::Type>", "getYieldTypes",
      (ins "unsigned":$region)>,
    InterfaceMethod<[{
        Gives the arguments of regions the types that follow from the operands.
        Values whose extents vary from trip to trip get unknown ones.
      }], "void", "refineArguments",
      (ins "const ::tg::ExtentAnalysis &":$analysis), "", "return;">,
    InterfaceMethod<[{
        Replaces the op by one that carries more values: a loop from trip to
        trip, each region of a branch to its end. They stay what they are until
        something else is yielded.
      }], "::tg::Carried", "carry", (ins "::mlir::ValueRange":$inits)>,
    InterfaceMethod<[{
        Gives the results the types that follow from the operands and from what
        regions yield, and lets these yield what they must.
      }], "void", "refineResults", (ins)>
  ];
}

def Tg_ElementOpInterface : OpInterface<"ElementOpInterface"> {
  let cppNamespace = "::tg";
  let description = [{
    Ops each of whose result elements follows from a few operand elements at
    positions computed from its own: elementwise ops and data movement. Fusion
    may compute such an op inside its users.
  }];
  let methods = [
    InterfaceMethod<[{
        Emits the element of the first result at `position`: one scalar, or
        `element.lanes()` elements along the innermost dimension as a vector.
        Null when the op has no vector form at this position; the emitter then
        falls back to scalars.
      }], "::mlir::Value", "buildElement",
      (ins "::tg::ElementBuilder &":$element,
           "const ::tg::Position &":$position)>,
    InterfaceMethod<[{
        Those of all results, which have equal extents; none in place of null.
        An op of several results says it.
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
        Whether element i of the result reads only element i of each operand
        (broadcasting aside): such ops fuse along equal iteration spaces.
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
        Emits the computation of one element from those of the operands:
        scalars, or vectors of equal length. Floats and i1 keep their type;
        integers, ui8 included, are signless.
      }], "::mlir::Value", "buildScalar",
      (ins "::mlir::OpBuilder &":$builder, "::mlir::Location":$loc,
           "::mlir::ValueRange":$operands)>,
    StaticInterfaceMethod<[{
        Whether one element takes a function that becomes a polynomial: tens of
        instructions and as many constants.
      }], "bool", "isTranscendental", (ins)>
  ];
}

def Tg_LinearOpInterface : OpInterface<"LinearOpInterface"> {
  let cppNamespace = "::tg";
  let description = [{
    Elementwise ops of which algebra says where they are linear, and what they
    give for some elements whatever the others are. That is said of numbers: a
    product of zero is zero, though of infinity it would be NaN.
  }];
  let methods = [
    InterfaceMethod<[{
        Whether the op is linear in the operands for which `varied` says so, all
        of them together, while the others stay: f(x + y) is f(x) + f(y).
      }], "bool", "isLinearIn", (ins "::llvm::ArrayRef<bool>":$varied)>,
    InterfaceMethod<[{
        An element of the result, of what is known of those of the operands.
      }], "::tg::KnownElement", "findResult",
      (ins "::llvm::ArrayRef<::tg::KnownElement>":$operands)>
  ];
}

def Tg_BoundedOpInterface : OpInterface<"BoundedOpInterface"> {
  let cppNamespace = "::tg";
  let description = [{
    Ops of one result of integers that lie in [0, bound) by themselves: as
    indices they are not checked.
  }];
  let methods = [
    InterfaceMethod<"The bound, over the extents of the analysis.",
      "::mlir::AffineExpr", "getElementBound",
      (ins "const ::tg::ExtentAnalysis &":$extents)>
  ];
}

def Tg_OverwritingOpInterface : OpInterface<"OverwritingOpInterface"> {
  let cppNamespace = "::tg";
  let description = [{
    Ops that change few elements of an operand: where their only result lies in
    its memory, the others stay there. Kernels of such an op see that both are
    one memory.
  }];
  let methods = [
    InterfaceMethod<"The operand in whose memory the result may lie.",
      "::mlir::OpOperand &", "getOverwrittenOperand", (ins)>
  ];
}

def Tg_ReductionOpInterface : OpInterface<"ReductionOpInterface"> {
  let cppNamespace = "::tg";
  let description = [{
    Ops that combine the elements of operand 0 over some axes with an
    associative function. Each element gives one term or several, which are
    combined for parts of a group; parts are merged in order. By default the one
    term is the element, and what it combines to is the result.

    Where the terms are of distances, these are from an element of the same
    part, its pivot: sums of squares then lose few bits however far from 0 the
    elements lie. All counts are i64, those of elements.
  }];
  let methods = [
    InterfaceMethod<"The reduced axes, ascending.",
      "::llvm::SmallVector<int64_t>", "getReducedAxes", (ins)>,
    InterfaceMethod<"Whether the reduced axes stay as extents of 1.",
      "bool", "keepsReducedAxes", (ins)>,
    InterfaceMethod<"The neutral element, of the given scalar or vector type.",
      "::mlir::Value", "buildNeutral",
      (ins "::mlir::OpBuilder &":$builder, "::mlir::Location":$loc,
           "::mlir::Type":$type)>,
    InterfaceMethod<"Combines two scalars or vectors.",
      "::mlir::Value", "buildCombine",
      (ins "::mlir::OpBuilder &":$builder, "::mlir::Location":$loc,
           "::mlir::Value":$lhs, "::mlir::Value":$rhs)>,
    InterfaceMethod<"How many terms an element gives.",
      "unsigned", "countTerms", (ins), "", "return 1;">,
    InterfaceMethod<"Whether terms are of distances from a pivot.",
      "bool", "usesPivot", (ins), "", "return false;">,
    InterfaceMethod<"The terms of an element; the pivot is null if not used.",
      "::llvm::SmallVector<::mlir::Value>", "buildTerms",
      (ins "::mlir::OpBuilder &":$builder, "::mlir::Location":$loc,
           "::mlir::Value":$element, "::mlir::Value":$pivot),
      "", "return {element};">,
    InterfaceMethod<[{
        What is kept of a part, in the type of the result, as many values as
        terms: of its combined terms, pivot and count.
      }], "::llvm::SmallVector<::mlir::Value>", "buildPart",
      (ins "::mlir::OpBuilder &":$builder, "::mlir::Location":$loc,
           "::mlir::ValueRange":$terms, "::mlir::Value":$pivot,
           "::mlir::Value":$count),
      "", "return ::llvm::SmallVector<::mlir::Value>(terms);">,
    InterfaceMethod<"Part as what parts are merged to.",
      "::llvm::SmallVector<::mlir::Value>", "buildTotal",
      (ins "::mlir::OpBuilder &":$builder, "::mlir::Location":$loc,
           "::mlir::ValueRange":$part, "::mlir::Value":$count),
      "", "return ::llvm::SmallVector<::mlir::Value>(part);">,
    InterfaceMethod<"Merges two totals.",
      "::llvm::SmallVector<::mlir::Value>", "buildMerge",
      (ins "::mlir::OpBuilder &":$builder, "::mlir::Location":$loc,
           "::mlir::ValueRange":$lhs, "::mlir::Value":$lhsCount,
           "::mlir::ValueRange":$rhs, "::mlir::Value":$rhsCount),
      "", "return {$_op.buildCombine(builder, loc, lhs[0], rhs[0])};">,
    InterfaceMethod<"The results, of the total of a group.",
      "::llvm::SmallVector<::mlir::Value>", "buildResults",
      (ins "::mlir::OpBuilder &":$builder, "::mlir::Location":$loc,
           "::mlir::ValueRange":$total, "::mlir::Value":$count),
      "", "return ::llvm::SmallVector<::mlir::Value>(total);">
  ];
}

def Tg_ContractionOpInterface : OpInterface<"ContractionOpInterface"> {
  let cppNamespace = "::tg";
  let description = [{
    Ops that sum products of two operands: a kernel is built around such an op.
    What passes and emitters know of it is its `Contraction`.
  }];
  let methods = [
    InterfaceMethod<[{
        The iteration space with its maps to the operands and to the result,
        over the extents of the analysis.
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
        The operand whose memory the result is. What the others tell, the
        extents of the result tell, too.
      }], "::mlir::OpOperand &", "getViewedOperand", (ins), "",
      "return $_op->getOpOperand(0);">
  ];
}

def Tg_ConcatenationOpInterface : OpInterface<"ConcatenationOpInterface"> {
  let cppNamespace = "::tg";
  let description = [{
    Ops whose only result is their operands one after the other along an axis.
    Where the operands lie in its memory, there is nothing to compute.
  }];
  let methods = [
    InterfaceMethod<"The axis.", "unsigned", "getConcatenationAxis", (ins)>
  ];
}

def Tg_CostOpInterface : OpInterface<"CostOpInterface"> {
  let cppNamespace = "::tg";
  let description = [{
    The arithmetic of an op, for reports and for rates that they are made of.
  }];
  let methods = [
    InterfaceMethod<[{
        Arithmetic operations of one run, over the symbols of the analysis: two
        per product of a sum of products, one per element that is combined or
        computed, none for elements that only move.
      }], "::mlir::AffineExpr", "countFlops",
      (ins "const ::tg::ExtentAnalysis &":$extents)>
  ];
}

def Tg_DecomposableOpInterface : OpInterface<"DecomposableOpInterface"> {
  let cppNamespace = "::tg";
  let description = [{
    Ops that code generation computes as simpler tg ops, chosen so that fusion
    makes one kernel of them.
  }];
  let methods = [
    InterfaceMethod<[{
        Builds the simpler ops before this one and returns what replaces its
        results.
      }], "::llvm::SmallVector<::mlir::Value>", "decompose",
      (ins "::mlir::OpBuilder &":$builder)>,
    InterfaceMethod<[{
        Whether this instance is computed as simpler ops.
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
        The index of the operand whose values are checked; none when this
        instance cannot fail.
      }], "::std::optional<unsigned>", "getCheckedOperand", (ins)>,
    InterfaceMethod<[{
        The bound that indices stay below, as (operand, axis): its extent. None
        for divisors, which must not be 0.
      }], "::std::optional<::std::pair<unsigned, unsigned>>", "getIndexBound",
      (ins), "", "return ::std::nullopt;">,
    StaticInterfaceMethod<[{
        What messages call a value that is checked.
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
    InterfaceMethod<"The operands that fill the entries.",
      "::mlir::MutableOperandRange", "getDynamicSizes", (ins),
      "return $_op.getDynamicMutable();">,
    StaticInterfaceMethod<[{
        The attributes with the entries, integers or lists of them, in the
        order in which they are filled.
      }], "::llvm::SmallVector<::llvm::StringRef>", "getSizeAttributes",
      (ins), "", "return {\"shape\"};">,
    InterfaceMethod<[{
        Takes the number for the -1 that operand `index` of `dynamic` fills; the
        operand is erased by the caller.
      }], "void", "setSize", (ins "unsigned":$index, "int64_t":$number), "",
      "::tg::setSizeEntry($_op, index, number);">,
    InterfaceMethod<[{
        Takes numbers for the -1 that nothing fills and that stand for extents
        of an operand which its type tells by now.
      }], "void", "setCopiedSizes", (ins), "", "return;">,
    InterfaceMethod<[{
        The bounds of those sizes that say where memory is read or written.
      }], "::llvm::SmallVector<::tg::SizeBound>", "getSizeBounds",
      (ins "const ::tg::ExtentAnalysis &":$analysis), "", "return {};">
  ];
}

def Tg_HostOpInterface : OpInterface<"HostOpInterface"> {
  let cppNamespace = "::tg";
  let description = [{
    Ops that a run does itself between two kernels, with the host or for it: no
    kernel computes them. What they read and give lies in memory as a whole.
    Those with effects stay in program order.
  }];
  let methods = [
    InterfaceMethod<"What is done.", "::tg::HostAction", "getHostAction",
      (ins)>,
    InterfaceMethod<[{
        What it is done with: the name of a function, a label, a message.
      }], "::llvm::StringRef", "getHostText", (ins)>,
    InterfaceMethod<"The operands that the host gets.",
      "::mlir::OperandRange", "getHostInputs", (ins), "",
      "return $_op->getOperands();">,
    InterfaceMethod<"Whether it can end a run.", "bool", "canFail", (ins), "",
      "return true;">
  ];
}

def Tg_RunTimeCheckOpInterface : OpInterface<"RunTimeCheckOpInterface"> {
  let cppNamespace = "::tg";
  let description = [{
    Ops of kernels that pass the elements of their only operand on, a harmless
    one in place of a bad one, which fails the run after the launch. A kernel
    has one at most: its error has one meaning.
  }];
  let methods = [
    InterfaceMethod<"The op that asked, as messages name it.",
      "::llvm::StringRef", "getOpName", (ins)>,
    InterfaceMethod<[{
        The bound that indices stay below, over the symbols; none for divisors,
        which must not be 0.
      }], "::std::optional<::mlir::AffineExpr>", "getIndexBound", (ins), "",
      "return ::std::nullopt;">
  ];
}

def Tg_DifferentiableRegionOpInterface
    : OpInterface<"DifferentiableRegionOpInterface"> {
  let cppNamespace = "::tg";
  let description = [{
    The reverse-mode rule of an op whose regions see the values around them:
    these have cotangents like operands.
  }];
  let methods = [
    InterfaceMethod<[{
        All ways that values go between the op and its regions.
      }], "::llvm::SmallVector<::tg::ValueFlow>", "getValueFlows", (ins)>,
    InterfaceMethod<[{
        Builds simpler ops before this one, to be differentiated in its place,
        and gives what replaces its results; empty where the op itself is
        differentiated.
      }], "::llvm::SmallVector<::mlir::Value>", "splitForGradient",
      (ins "::mlir::OpBuilder &":$builder), "", "return {};">,
    InterfaceMethod<[{
        Builds cotangents from those of the results (null where absent), of
        operands and of values from outside that the regions use, out of
        ordinary tg ops: pairs of value and cotangent, several for a value
        where several of its uses have one. May replace the op by one that
        computes what they need, too.
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
    Ops that read, or where they overwrite it change, some of the elements of
    operand 0, which indices pick.
  }];
  let methods = [
    InterfaceMethod<"The operand or result that has as many elements as these.",
      "::mlir::Value", "getAccessed", (ins)>
  ];
}

def Tg_BatchableOpInterface : OpInterface<"BatchableOpInterface"> {
  let cppNamespace = "::tg";
  let description = [{
    Ops of the body of a loop that can be computed for all its steps at once.
    Operands are then one for all steps, or, where `stepped` says so, have a
    leading axis of steps. At least one is stepped.
  }];
  let methods = [
    InterfaceMethod<"Whether this instance can be computed for all steps.",
      "bool", "canBatch", (ins "::llvm::ArrayRef<bool>":$stepped)>,
    InterfaceMethod<"Builds its result for all steps, steps first.",
      "::mlir::Value", "buildBatched",
      (ins "::mlir::OpBuilder &":$builder, "::mlir::ValueRange":$operands,
           "::llvm::ArrayRef<bool>":$stepped)>,
    InterfaceMethod<[{
        Whether the sum of its results over all steps is no more to compute
        than these are.
      }], "bool", "canSumSteps", (ins "::llvm::ArrayRef<bool>":$stepped)>,
    InterfaceMethod<[{
        Whether it is worth keeping what varies of the operands of all steps for
        their sum: less than a step would add to a sum that it carries.
      }], "bool", "isSummedForLess", (ins "::llvm::ArrayRef<bool>":$stepped), "",
      "return false;">,
    InterfaceMethod<"Builds the sum of its results over all steps.",
      "::mlir::Value", "buildSumOfSteps",
      (ins "::mlir::OpBuilder &":$builder, "::mlir::ValueRange":$operands,
           "::llvm::ArrayRef<bool>":$stepped)>
  ];
}

#endif // TG_DIALECTS_TG_TGINTERFACES_TD
