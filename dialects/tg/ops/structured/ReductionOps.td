//===- ReductionOps.td - reductions along axes ----------------------------===//
//
// In descriptions, (ODS) marks a constraint that the types and traits of the
// definition check, not the verifier of the op.
//
//===----------------------------------------------------------------------===//
#ifndef TG_DIALECTS_TG_REDUCTIONOPS_TD
#define TG_DIALECTS_TG_REDUCTIONOPS_TD

include "dialects/tg/TgBase.td"

//===----------------------------------------------------------------------===//
// Base class
//===----------------------------------------------------------------------===//

/// `countFlops` of ops that visit each element of their operand once.
defvar Tg_OneFlopPerOperandElement = [{
    ::mlir::AffineExpr $cppClass::countFlops(
        const ::tg::ExtentAnalysis &extents) {
      return extents.countElements((*this)->getOperand(0));
    }
  }];

/// The order of the sums of a reduction.
defvar Tg_ReductionOrder = [{
    ::tg::OrderAttr $cppClass::chooseOrder() {
      return ::tg::chooseReductionOrder(getContext(), getReducedAxes(),
                                        getInput().getType().getRank());
    }
    ::llvm::LogicalResult $cppClass::verifyOrder(::tg::OrderAttr order) {
      return ::tg::verifyReductionOrder(*this, order, getReducedAxes(),
                                        getInput().getType().getRank());
    }
  }];

/// A reduction over `axes`: absent means all, [] none.
class Tg_ReduceOp<string mnemonic, Type type, list<Trait> traits = []>
    : Tg_InferredOp<mnemonic, [
        Pure,
        DeclareOpInterfaceMethods<Tg_ReductionOpInterface>,
        DeclareOpInterfaceMethods<Tg_OrderedOpInterface, ["verifyOrder"]>,
        DeclareOpInterfaceMethods<Tg_DifferentiableOpInterface>,
        DeclareOpInterfaceMethods<Tg_EvaluableOpInterface>
      ] # traits> {
  let arguments = (ins type:$input, OptionalAttr<Tg_IntegerListAttr>:$axes,
                       UnitAttr:$keep_dims);
  let results = (outs Tg_Tensor:$result);
  let assemblyFormat = Tg_FullForm;
  let builders = [
    OpBuilder<(ins "::mlir::Value":$input, "::llvm::ArrayRef<int64_t>":$axes,
                   CArg<"bool", "false">:$keepDims), [{
      build($_builder, $_state, input, $_builder.getI64ArrayAttr(axes),
            keepDims);
    }]>
  ];
  let extraClassDefinition = !strconcat(
      Tg_OneFlopPerOperandElement, Tg_ReductionOrder, inferredDefinition, [{
    ::llvm::LogicalResult $cppClass::inferResults(
        Adaptor adaptor, ::tg::ShapeInference &inference,
        ::llvm::SmallVectorImpl<::tg::TensorExtents> &results) {
      return ::tg::inferReduction(adaptor.getInput(), adaptor.getAxes(),
                                  adaptor.getKeepDims(), inference, results);
    }
    ::llvm::SmallVector<int64_t> $cppClass::getReducedAxes() {
      return ::tg::resolveAxes(getAxes(), getInput().getType().getRank());
    }
    bool $cppClass::keepsReducedAxes() { return getKeepDims(); }
  }]);
}

//===----------------------------------------------------------------------===//
// reduce_sum
//===----------------------------------------------------------------------===//

def Tg_ReduceSumOp : Tg_ReduceOp<"reduce_sum", Tg_NumericTensor, [
    DeclareOpInterfaceMethods<Tg_BatchableOpInterface>]> {
  let summary = "Sum over axes";
  let description = [{
    The sum of the elements over `axes` (absent: all, []: none); 0 if there are
    no elements. The result has the other extents, and with `keep_dims` 1s in
    place of the reduced ones. Integers wrap in their own type.

    ```mlir
    %y = tg.reduce_sum %x {axes = [1], keep_dims}
        : (tensor<?x10xf32>) -> tensor<?x1xf32>
    ```

    * (ODS): the operand is a tensor of floats or integers.
    * C1: the axes are valid [G3].
    * Gradient: g broadcast back.
  }];
}

//===----------------------------------------------------------------------===//
// reduce_prod
//===----------------------------------------------------------------------===//

def Tg_ReduceProdOp : Tg_ReduceOp<"reduce_prod", Tg_NumericTensor> {
  let summary = "Product over axes";
  let description = [{
    The product of the elements over `axes`, with the shapes of reduce_sum; 1 if
    there are no elements. Integers wrap in their own type.

    ```mlir
    %y = tg.reduce_prod %x : (tensor<2x3xi32>) -> tensor<i32>
    ```

    * (ODS): the operand is a tensor of floats or integers.
    * C1: the axes are valid [G3].
    * Gradient: g times the product of the other elements. It is computed in f64
      from the products of the elements before and after each one along every
      axis, in doubling steps along static extents, else by scans.
  }];
}

//===----------------------------------------------------------------------===//
// reduce_max
//===----------------------------------------------------------------------===//

def Tg_ReduceMaxOp : Tg_ReduceOp<"reduce_max", Tg_Tensor> {
  let summary = "Greatest element over axes";
  let description = [{
    The greatest element over `axes`, with the shapes of reduce_sum; NaN if any
    element is NaN; -inf or the lowest value if there are no elements. For i1:
    true if any element is true.

    ```mlir
    %y = tg.reduce_max %x {axes = [0, 1]}
        : (tensor<?x10x4xf32>) -> tensor<4xf32>
    ```

    * (ODS): the operand is a tensor of any element type.
    * C1: the axes are valid [G3].
    * Gradient: g * e / sum(e) with e = (x = y): equal shares for ties.
  }];
}

//===----------------------------------------------------------------------===//
// reduce_min
//===----------------------------------------------------------------------===//

def Tg_ReduceMinOp : Tg_ReduceOp<"reduce_min", Tg_Tensor> {
  let summary = "Least element over axes";
  let description = [{
    The least element over `axes`, with the shapes of reduce_sum; NaN if any
    element is NaN; +inf or the greatest value if there are no elements. For i1:
    true if all elements are true.

    ```mlir
    %y = tg.reduce_min %p {axes = [1]} : (tensor<?x10xi1>) -> tensor<?xi1>
    ```

    * (ODS): the operand is a tensor of any element type.
    * C1: the axes are valid [G3].
    * Gradient: g * e / sum(e) with e = (x = y): equal shares for ties.
  }];
}

//===----------------------------------------------------------------------===//
// argmax
//===----------------------------------------------------------------------===//

def Tg_ArgmaxOp : Tg_InferredOp<"argmax", [
    Pure, Tg_NonDifferentiable,
    DeclareOpInterfaceMethods<Tg_EvaluableOpInterface>,
    DeclareOpInterfaceMethods<Tg_DecomposableOpInterface>
  ]> {
  let summary = "Position of the greatest element";
  let description = [{
    The position along `axis` of the greatest element, with the shapes of
    reduce_max. NaN counts as greatest. Of equal elements, the first one counts.

    ```mlir
    %y = tg.argmax %x {axis = 1 : i64} : (tensor<?x10xf32>) -> tensor<?xi64>
    ```

    * (ODS): the operand is a tensor of floats or integers.
    * C1: the axis is valid [G3]. C2: its extent is not 0.
    * R1: C2 holds for an extent that is known only at run time.
    * Not differentiable.
  }];
  let arguments = (ins Tg_NumericTensor:$input, I64Attr:$axis,
                       UnitAttr:$keep_dims);
  let results = (outs Tg_Tensor:$result);
  let assemblyFormat = Tg_FullForm;
  let extraClassDefinition =
      !strconcat(inferredDefinition, Tg_OneFlopPerOperandElement);
}

//===----------------------------------------------------------------------===//
// cumsum
//===----------------------------------------------------------------------===//

def Tg_CumsumOp : Tg_InferredOp<"cumsum", [
    Pure, Tg_SameType,
    DeclareOpInterfaceMethods<Tg_OrderedOpInterface, ["verifyOrder"]>,
    DeclareOpInterfaceMethods<Tg_DifferentiableOpInterface>,
    DeclareOpInterfaceMethods<Tg_EvaluableOpInterface>
  ]> {
  let summary = "Running sum along an axis";
  let description = [{
    The sum of the elements up to each one along `axis`; with `exclusive`
    without the element itself, with `reverse` from the end. Integers wrap in
    their own type.

    ```mlir
    %y = tg.cumsum %x {axis = 1 : i64, exclusive} : tensor<?x10xf32>
    ```

    * (ODS): the operand is a tensor of floats or integers.
    * C1: the axis is valid [G3].
    * Gradient: cumsum(g) with `reverse` flipped.
  }];
  let arguments = (ins Tg_NumericTensor:$input, I64Attr:$axis,
                       UnitAttr:$exclusive, UnitAttr:$reverse);
  let results = (outs Tg_NumericTensor:$result);
  let assemblyFormat = Tg_ShortForm;
  let extraClassDefinition = !strconcat(inferredDefinition,
                                        Tg_OneFlopPerOperandElement, [{
    ::tg::OrderAttr $cppClass::chooseOrder() {
      return ::tg::chooseRunningOrder(getContext(), getAxis(),
                                      getType().getRank());
    }
    ::llvm::LogicalResult $cppClass::verifyOrder(::tg::OrderAttr order) {
      return ::tg::verifyRunningOrder(*this, order, getAxis(),
                                      getType().getRank());
    }
  }]);
}

//===----------------------------------------------------------------------===//
// top_k
//===----------------------------------------------------------------------===//

def Tg_TopKOp : Tg_InferredOp<"top_k", [
    Pure,
    DeclareOpInterfaceMethods<Tg_DynamicSizesOpInterface, ["getSizeAttributes"]>,
    DeclareOpInterfaceMethods<Tg_DifferentiableOpInterface>,
    DeclareOpInterfaceMethods<Tg_EvaluableOpInterface>
  ]> {
  let summary = "Greatest elements in order";
  let description = [{
    The `k` greatest elements along the last axis in descending order, and their
    positions. NaN comes first; equal elements are in the order of their
    positions. If `k` is -1, the operand `dynamic` gives the number, or without
    it the whole axis is sorted.

    ```mlir
    %v, %i = tg.top_k %x {k = 3 : i64}
        : (tensor<?x10xf32>) -> (tensor<?x3xf32>, tensor<?x3xi64>)
    ```

    * (ODS): the operand is a tensor of floats or integers.
    * C3: rank >= 1, k >= -1. C4: k is at most the extent.
    * R1: C4 holds for an extent that is known only at run time.
    * Gradient: g of the values scattered into zeros at the indices.
  }];
  let arguments = (ins Tg_NumericTensor:$input,
                       Variadic<Tg_Int64Scalar>:$dynamic, I64Attr:$k);
  let results = (outs Tg_Tensor:$values,
                      Tg_Tensor:$indices);
  let assemblyFormat = Tg_FullForm;
  let extraClassDefinition =
      !strconcat(inferredDefinition, Tg_OneFlopPerOperandElement);
}

#endif // TG_DIALECTS_TG_REDUCTIONOPS_TD
