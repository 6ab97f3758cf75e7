//===- ElementwiseOps.td - one result element per operand element ---------===//
#ifndef TG_DIALECTS_TG_ELEMENTWISEOPS_TD
#define TG_DIALECTS_TG_ELEMENTWISEOPS_TD

include "dialects/tg/TgBase.td"

//===----------------------------------------------------------------------===//
// Base classes
//===----------------------------------------------------------------------===//

/// Shape rule, element rule and purity, the same for all ops of the family.
class Tg_ElementwiseOp<string mnemonic, list<Trait> traits = []>
    : Tg_InferredOp<mnemonic, [
        Pure,
        DeclareOpInterfaceMethods<Tg_ElementOpInterface, ["isElementwise"]>,
        DeclareOpInterfaceMethods<Tg_ElementwiseOpInterface>,
        DeclareOpInterfaceMethods<Tg_EvaluableOpInterface>
      ] # traits> {
  code elementDefinition = [{
    ::mlir::Value $cppClass::buildElement(::tg::ElementBuilder &element,
                                          const ::tg::Position &position) {
      return ::tg::buildElementwiseElement(*this, element, position);
    }
    bool $cppClass::isElementwise() { return true; }
  }];
  let extraClassDefinition = inferredDefinition # elementDefinition;
}

class Tg_UnaryOp<string mnemonic, Type type, list<Trait> traits = []>
    : Tg_ElementwiseOp<mnemonic, [Tg_SameType] # traits> {
  let arguments = (ins type:$input);
  let results = (outs type:$result);
  let assemblyFormat = Tg_ShortForm;
  code unaryDefinition = inferredDefinition # elementDefinition # [{
    ::llvm::LogicalResult $cppClass::inferResults(
        Adaptor adaptor, ::tg::ShapeInference &inference,
        ::llvm::SmallVectorImpl<::tg::TensorExtents> &results) {
      return ::tg::inferUnary(adaptor.getInput(), inference, results);
    }
  }];
  let extraClassDefinition = unaryDefinition;
}

class Tg_BinaryOp<string mnemonic, Type type, list<Trait> traits = []>
    : Tg_ElementwiseOp<mnemonic, traits> {
  let arguments = (ins type:$lhs, type:$rhs);
  let results = (outs type:$result);
  let assemblyFormat = Tg_FullForm;
  let extraClassDefinition = inferredDefinition # elementDefinition # [{
    ::llvm::LogicalResult $cppClass::inferResults(
        Adaptor adaptor, ::tg::ShapeInference &inference,
        ::llvm::SmallVectorImpl<::tg::TensorExtents> &results) {
      return ::tg::inferBinary(adaptor.getLhs(), adaptor.getRhs(), inference,
                               results);
    }
  }];
}

/// A function of one float: emitted as an op of the math dialect, evaluated in
/// double by a function of the C++ library.
class Tg_FunctionOp<string mnemonic, string scalarOp, Trait gradient,
                    string function = mnemonic>
    : Tg_UnaryOp<mnemonic, Tg_FloatTensor, [gradient]> {
  let extraClassDefinition = unaryDefinition # [{
    ::mlir::Value $cppClass::buildScalar(::mlir::OpBuilder &builder,
                                         ::mlir::Location loc,
                                         ::mlir::ValueRange operands) {
      return ::mlir::math::}] # scalarOp # [{::create(builder, loc,
                                                      operands[0]);
    }
    ::std::string $cppClass::evaluate(
        ::llvm::ArrayRef<::tg::HostTensor> operands,
        ::llvm::MutableArrayRef<::tg::HostTensor> results) {
      return ::tg::evaluateFunction(operands, results, [](double x) {
        return ::std::}] # function # [{(x);
      });
    }
  }];
}

def Tg_Differentiable
    : DeclareOpInterfaceMethods<Tg_DifferentiableOpInterface>;

/// An op with a rule that gives no cotangent.
def Tg_WithoutCotangent
    : DeclareOpInterfaceMethods<Tg_DifferentiableOpInterface,
                                ["passesGradient"]>;

/// `div` and `remainder`, which fail on an integer divisor of 0.
def Tg_CheckedDivisor : DeclareOpInterfaceMethods<Tg_CheckedOpInterface>;

/// Ops that also compute with extents: rank 0, i64.
def Tg_Number
    : DeclareOpInterfaceMethods<Tg_ExtentsOpInterface, ["inferNumber"]>;

//===----------------------------------------------------------------------===//
// abs
//===----------------------------------------------------------------------===//

def Tg_AbsOp : Tg_UnaryOp<"abs", Tg_NumericTensor, [Tg_Differentiable]> {
  let summary = "Absolute value";
  let description = [{
    |x|; abs(MIN) is MIN, ui8 gives itself.

    ```mlir
    %y = tg.abs %x : tensor<?x4xf32>
    ```

    * (ODS): the operand is a tensor of N.
    * Gradient: g * sign(x).
  }];
}

//===----------------------------------------------------------------------===//
// neg
//===----------------------------------------------------------------------===//

def Tg_NegOp : Tg_UnaryOp<"neg", Tg_NumericTensor, [Tg_Differentiable]> {
  let summary = "Negation";
  let description = [{
    -x; integers wrap.

    ```mlir
    %y = tg.neg %x : tensor<?x4xf32>
    ```

    * (ODS): the operand is a tensor of N.
    * Gradient: -g.
  }];
}

//===----------------------------------------------------------------------===//
// sign
//===----------------------------------------------------------------------===//

def Tg_SignOp : Tg_UnaryOp<"sign", Tg_NumericTensor, [Tg_WithoutCotangent]> {
  let summary = "Sign of elements";
  let description = [{
    -1, 0 or 1; +0, -0 and NaN give themselves.

    ```mlir
    %y = tg.sign %x : tensor<?x4xf32>
    ```

    * (ODS): the operand is a tensor of N.
    * Gradient: none.
  }];
}

//===----------------------------------------------------------------------===//
// floor
//===----------------------------------------------------------------------===//

def Tg_FloorOp : Tg_FunctionOp<"floor", "FloorOp", Tg_WithoutCotangent> {
  let summary = "Round down";
  let description = [{
    The greatest whole number <= x.

    ```mlir
    %y = tg.floor %x : tensor<?x4xf32>
    ```

    * (ODS): the operand is a tensor of F.
    * Gradient: none.
  }];
}

//===----------------------------------------------------------------------===//
// round
//===----------------------------------------------------------------------===//

def Tg_RoundOp
    : Tg_FunctionOp<"round", "RoundEvenOp", Tg_WithoutCotangent, "nearbyint"> {
  let summary = "Round to nearest";
  let description = [{
    The nearest whole number, ties to even.

    ```mlir
    %y = tg.round %x : tensor<?x4xf32>
    ```

    * (ODS): the operand is a tensor of F.
    * Gradient: none.
  }];
}

//===----------------------------------------------------------------------===//
// exp
//===----------------------------------------------------------------------===//

def Tg_ExpOp : Tg_FunctionOp<"exp", "ExpOp", Tg_Differentiable> {
  let summary = "Exponential";
  let description = [{
    e^x.

    ```mlir
    %y = tg.exp %x : tensor<?x4xf32>
    ```

    * (ODS): the operand is a tensor of F.
    * Gradient: g * y.
  }];
}

//===----------------------------------------------------------------------===//
// expm1
//===----------------------------------------------------------------------===//

def Tg_Expm1Op : Tg_FunctionOp<"expm1", "ExpM1Op", Tg_Differentiable> {
  let summary = "Exponential minus one";
  let description = [{
    e^x - 1, accurate near 0.

    ```mlir
    %y = tg.expm1 %x : tensor<?x4xf32>
    ```

    * (ODS): the operand is a tensor of F.
    * Gradient: g * (y + 1).
  }];
}

//===----------------------------------------------------------------------===//
// log
//===----------------------------------------------------------------------===//

def Tg_LogOp : Tg_FunctionOp<"log", "LogOp", Tg_Differentiable> {
  let summary = "Natural logarithm";
  let description = [{
    ln x; +0 and -0 give -inf, x < 0 gives NaN.

    ```mlir
    %y = tg.log %x : tensor<?x4xf32>
    ```

    * (ODS): the operand is a tensor of F.
    * Gradient: g / x.
  }];
}

//===----------------------------------------------------------------------===//
// log1p
//===----------------------------------------------------------------------===//

def Tg_Log1pOp : Tg_FunctionOp<"log1p", "Log1pOp", Tg_Differentiable> {
  let summary = "Logarithm of one plus x";
  let description = [{
    ln(1 + x), accurate near 0.

    ```mlir
    %y = tg.log1p %x : tensor<?x4xf32>
    ```

    * (ODS): the operand is a tensor of F.
    * Gradient: g / (1 + x).
  }];
}

//===----------------------------------------------------------------------===//
// sqrt
//===----------------------------------------------------------------------===//

def Tg_SqrtOp : Tg_FunctionOp<"sqrt", "SqrtOp", Tg_Differentiable> {
  let summary = "Square root";
  let description = [{
    The square root, correctly rounded; -0 gives -0, x < 0 gives NaN.

    ```mlir
    %y = tg.sqrt %x : tensor<?x4xf32>
    ```

    * (ODS): the operand is a tensor of F.
    * Gradient: g / (2y).
  }];
}

//===----------------------------------------------------------------------===//
// tanh
//===----------------------------------------------------------------------===//

def Tg_TanhOp : Tg_FunctionOp<"tanh", "TanhOp", Tg_Differentiable> {
  let summary = "Hyperbolic tangent";
  let description = [{
    tanh x.

    ```mlir
    %y = tg.tanh %x : tensor<?x4xf32>
    ```

    * (ODS): the operand is a tensor of F.
    * Gradient: g * (1 - y^2).
  }];
}

//===----------------------------------------------------------------------===//
// sigmoid
//===----------------------------------------------------------------------===//

def Tg_SigmoidOp : Tg_UnaryOp<"sigmoid", Tg_FloatTensor, [Tg_Differentiable]> {
  let summary = "Logistic function";
  let description = [{
    1 / (1 + e^-x), without overflow at either end.

    ```mlir
    %y = tg.sigmoid %x : tensor<?x4xf32>
    ```

    * (ODS): the operand is a tensor of F.
    * Gradient: g * y * (1 - y).
  }];
}

//===----------------------------------------------------------------------===//
// erf
//===----------------------------------------------------------------------===//

def Tg_ErfOp : Tg_FunctionOp<"erf", "ErfOp", Tg_Differentiable> {
  let summary = "Error function";
  let description = [{
    erf x.

    ```mlir
    %y = tg.erf %x : tensor<?x4xf32>
    ```

    * (ODS): the operand is a tensor of F.
    * Gradient: g * 2/sqrt(pi) * exp(-x^2).
  }];
}

//===----------------------------------------------------------------------===//
// relu
//===----------------------------------------------------------------------===//

def Tg_ReluOp : Tg_UnaryOp<"relu", Tg_NumericTensor, [Tg_Differentiable]> {
  let summary = "Rectified linear unit";
  let description = [{
    x where x > 0, NaN where x is NaN, +0 elsewhere.

    ```mlir
    %y = tg.relu %x : tensor<?x4xf32>
    ```

    * (ODS): the operand is a tensor of N.
    * Gradient: select(y > 0, g, 0).
  }];
}

//===----------------------------------------------------------------------===//
// not
//===----------------------------------------------------------------------===//

def Tg_NotOp : Tg_UnaryOp<"not", Tg_LogicalTensor, [Tg_NonDifferentiable]> {
  let summary = "Complement";
  let description = [{
    Logical on i1, bitwise on integers.

    ```mlir
    %y = tg.not %p : tensor<?x4xi1>
    ```

    * (ODS): the operand is a tensor of I or i1.
    * Not differentiable.
  }];
}

//===----------------------------------------------------------------------===//
// add
//===----------------------------------------------------------------------===//

def Tg_AddOp
    : Tg_BinaryOp<"add", Tg_NumericTensor,
                  [Tg_Differentiable, Tg_Number]> {
  let summary = "Sum of elements";
  let description = [{
    lhs + rhs.

    ```mlir
    %y = tg.add %a, %b : (tensor<?x10xf32>, tensor<10xf32>) -> tensor<?x10xf32>
    ```

    * (ODS): the operands are tensors of N.
    * C1: lhs and rhs have one element type. C2: the shapes broadcast.
    * Gradient, each summed over stretched dimensions: g for both.
  }];
}

//===----------------------------------------------------------------------===//
// sub
//===----------------------------------------------------------------------===//

def Tg_SubOp
    : Tg_BinaryOp<"sub", Tg_NumericTensor,
                  [Tg_Differentiable, Tg_Number]> {
  let summary = "Difference of elements";
  let description = [{
    lhs - rhs.

    ```mlir
    %y = tg.sub %a, %b : (tensor<?x10xf32>, tensor<10xf32>) -> tensor<?x10xf32>
    ```

    * (ODS): the operands are tensors of N.
    * C1: lhs and rhs have one element type. C2: the shapes broadcast.
    * Gradient, each summed over stretched dimensions: g; -g.
  }];
}

//===----------------------------------------------------------------------===//
// mul
//===----------------------------------------------------------------------===//

def Tg_MulOp
    : Tg_BinaryOp<"mul", Tg_NumericTensor,
                  [Tg_Differentiable, Tg_Number]> {
  let summary = "Product of elements";
  let description = [{
    lhs * rhs.

    ```mlir
    %y = tg.mul %a, %b : (tensor<?x10xf32>, tensor<10xf32>) -> tensor<?x10xf32>
    ```

    * (ODS): the operands are tensors of N.
    * C1: lhs and rhs have one element type. C2: the shapes broadcast.
    * Gradient, each summed over stretched dimensions: g * rhs; g * lhs.
  }];
}

//===----------------------------------------------------------------------===//
// div
//===----------------------------------------------------------------------===//

def Tg_DivOp
    : Tg_BinaryOp<"div", Tg_NumericTensor,
                  [Tg_Differentiable, Tg_Number, Tg_CheckedDivisor]> {
  let summary = "Quotient of elements";
  let description = [{
    lhs / rhs; truncated on integers, MIN / -1 is MIN.

    ```mlir
    %y = tg.div %a, %b : (tensor<4xi32>, tensor<i32>) -> tensor<4xi32>
    ```

    * (ODS): the operands are tensors of N.
    * C1: lhs and rhs have one element type. C2: the shapes broadcast.
    * R1: no divisor of an integer is 0.
    * Gradient, each summed over stretched dimensions: g / rhs; -g * y /
      rhs.
  }];
}

//===----------------------------------------------------------------------===//
// remainder
//===----------------------------------------------------------------------===//

def Tg_RemainderOp
    : Tg_BinaryOp<"remainder", Tg_NumericTensor,
                  [Tg_Differentiable, Tg_CheckedDivisor]> {
  let summary = "Remainder of elements";
  let description = [{
    lhs - rhs * trunc(lhs / rhs) with the sign of lhs, exact; a float
    divisor of 0 gives NaN, MIN rem -1 is 0.

    ```mlir
    %y = tg.remainder %a, %b : (tensor<4xi32>, tensor<i32>) -> tensor<4xi32>
    ```

    * (ODS): the operands are tensors of N.
    * C1: lhs and rhs have one element type. C2: the shapes broadcast.
    * R1: no divisor of an integer is 0.
    * Gradient, each summed over stretched dimensions: g; -g * (lhs - y) /
      rhs.
  }];
}

//===----------------------------------------------------------------------===//
// pow
//===----------------------------------------------------------------------===//

def Tg_PowOp : Tg_BinaryOp<"pow", Tg_FloatTensor, [Tg_Differentiable]> {
  let summary = "Power of elements";
  let description = [{
    lhs ^ rhs as pow of C: x^0 = 1 and 1^y = 1 also for NaN.

    ```mlir
    %y = tg.pow %a, %b : (tensor<?x4xf32>, tensor<f32>) -> tensor<?x4xf32>
    ```

    * (ODS): the operands are tensors of F.
    * C1: lhs and rhs have one element type. C2: the shapes broadcast.
    * Gradient, each summed over stretched dimensions: select(rhs = 0, 0, g
      * rhs * lhs^(rhs - 1)); select(lhs > 0, g * y * ln(select(lhs > 0,
      lhs, 1)), 0).
  }];
}

//===----------------------------------------------------------------------===//
// maximum
//===----------------------------------------------------------------------===//

def Tg_MaximumOp
    : Tg_BinaryOp<"maximum", Tg_NumericTensor, [Tg_Differentiable]> {
  let summary = "Greater of two elements";
  let description = [{
    The greater; NaN if either is, and -0 < +0.

    ```mlir
    %y = tg.maximum %a, %b
        : (tensor<?x10xf32>, tensor<10xf32>) -> tensor<?x10xf32>
    ```

    * (ODS): the operands are tensors of N.
    * C1: lhs and rhs have one element type. C2: the shapes broadcast.
    * Gradient, each summed over stretched dimensions: select(lhs >= rhs, g,
      0) for lhs, the opposite for rhs; ties go to lhs.
  }];
}

//===----------------------------------------------------------------------===//
// minimum
//===----------------------------------------------------------------------===//

def Tg_MinimumOp
    : Tg_BinaryOp<"minimum", Tg_NumericTensor, [Tg_Differentiable]> {
  let summary = "Lesser of two elements";
  let description = [{
    The lesser; NaN if either is, and -0 < +0.

    ```mlir
    %y = tg.minimum %a, %b
        : (tensor<?x10xf32>, tensor<10xf32>) -> tensor<?x10xf32>
    ```

    * (ODS): the operands are tensors of N.
    * C1: lhs and rhs have one element type. C2: the shapes broadcast.
    * Gradient, each summed over stretched dimensions: select(lhs <= rhs, g,
      0) for lhs, the opposite for rhs; ties go to lhs.
  }];
}

//===----------------------------------------------------------------------===//
// and
//===----------------------------------------------------------------------===//

def Tg_AndOp : Tg_BinaryOp<"and", Tg_LogicalTensor, [Tg_NonDifferentiable]> {
  let summary = "Conjunction";
  let description = [{
    Logical on i1, bitwise on integers.

    ```mlir
    %y = tg.and %a, %b : (tensor<?x4xi1>, tensor<4xi1>) -> tensor<?x4xi1>
    ```

    * (ODS): the operands are tensors of I or i1.
    * C1: lhs and rhs have one element type. C2: the shapes broadcast.
    * Not differentiable.
  }];
}

//===----------------------------------------------------------------------===//
// or
//===----------------------------------------------------------------------===//

def Tg_OrOp : Tg_BinaryOp<"or", Tg_LogicalTensor, [Tg_NonDifferentiable]> {
  let summary = "Disjunction";
  let description = [{
    Logical on i1, bitwise on integers.

    ```mlir
    %y = tg.or %a, %b : (tensor<?x4xi1>, tensor<4xi1>) -> tensor<?x4xi1>
    ```

    * (ODS): the operands are tensors of I or i1.
    * C1: lhs and rhs have one element type. C2: the shapes broadcast.
    * Not differentiable.
  }];
}

//===----------------------------------------------------------------------===//
// xor
//===----------------------------------------------------------------------===//

def Tg_XorOp : Tg_BinaryOp<"xor", Tg_LogicalTensor, [Tg_NonDifferentiable]> {
  let summary = "Exclusive disjunction";
  let description = [{
    Logical on i1, bitwise on integers.

    ```mlir
    %y = tg.xor %a, %b : (tensor<?x4xi1>, tensor<4xi1>) -> tensor<?x4xi1>
    ```

    * (ODS): the operands are tensors of I or i1.
    * C1: lhs and rhs have one element type. C2: the shapes broadcast.
    * Not differentiable.
  }];
}

//===----------------------------------------------------------------------===//
// compare
//===----------------------------------------------------------------------===//

def Tg_Predicate : I32EnumAttr<"Predicate", "a comparison", [
  I32EnumAttrCase<"eq", 0>, I32EnumAttrCase<"ne", 1>, I32EnumAttrCase<"lt", 2>,
  I32EnumAttrCase<"le", 3>, I32EnumAttrCase<"gt", 4>, I32EnumAttrCase<"ge", 5>
]> {
  let cppNamespace = "::tg";
  let genSpecializedAttr = 0;
}

def Tg_PredicateAttr : EnumAttr<Tg_Dialect, Tg_Predicate, "predicate">;

def Tg_CompareOp : Tg_ElementwiseOp<"compare", [Tg_NonDifferentiable]> {
  let summary = "Comparison of elements";
  let description = [{
    Whether lhs and rhs are in the relation that `predicate` names: eq, ne, lt,
    le, gt or ge. A NaN makes ne true and the others false.

    ```mlir
    %p = tg.compare lt, %a, %b
        : (tensor<?x10xf32>, tensor<f32>) -> tensor<?x10xi1>
    ```

    * (ODS): the operands are tensors of T.
    * C1: lhs and rhs have one element type. C2: the shapes broadcast. C3: the
      predicate is eq or ne on i1.
    * Not differentiable.
  }];
  let arguments = (ins Tg_PredicateAttr:$predicate, Tg_Tensor:$lhs,
                       Tg_Tensor:$rhs);
  let results = (outs Tg_BoolTensor:$result);
  let assemblyFormat = !strconcat("$predicate `,` ", Tg_FullForm);
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// select
//===----------------------------------------------------------------------===//

def Tg_SelectOp : Tg_ElementwiseOp<"select", [Tg_Differentiable]> {
  let summary = "Choice between two elements";
  let description = [{
    lhs where the condition is true, rhs elsewhere. A NaN that is not selected
    does not leak.

    ```mlir
    %y = tg.select %p, %a, %b
        : (tensor<?x10xi1>, tensor<?x10xf32>, tensor<f32>) -> tensor<?x10xf32>
    ```

    * (ODS): the condition is a tensor of i1, the others are tensors of T.
    * C1: lhs and rhs have one element type. C2: all three shapes broadcast.
    * Gradient, each summed over stretched dimensions: select(condition, g, 0)
      for lhs, select(condition, 0, g) for rhs.
  }];
  let arguments = (ins Tg_BoolTensor:$condition, Tg_Tensor:$lhs,
                       Tg_Tensor:$rhs);
  let results = (outs Tg_Tensor:$result);
  let assemblyFormat = Tg_FullForm;
}

//===----------------------------------------------------------------------===//
// cast
//===----------------------------------------------------------------------===//

def Tg_CastOp
    : Tg_ElementwiseOp<"cast", [Tg_Differentiable, Tg_Number]> {
  let summary = "Conversion of elements";
  let description = [{
    Float to integer truncates toward zero and saturates, NaN gives 0. Integer
    to integer wraps. To i1 is x != 0, and i1 gives 0 or 1. To float rounds to
    nearest even.

    ```mlir
    %y = tg.cast %x {element_type = f32} : (tensor<?xi64>) -> tensor<?xf32>
    ```

    * (ODS): the operand is a tensor of T.
    * C4: `element_type` is a T.
    * Gradient: cast(g, type of x) from float to float, else none.
  }];
  let arguments = (ins Tg_Tensor:$input, TypeAttr:$element_type);
  let results = (outs Tg_Tensor:$result);
  let assemblyFormat = Tg_FullForm;
  let hasFolder = 1;
}

#endif // TG_DIALECTS_TG_ELEMENTWISEOPS_TD
