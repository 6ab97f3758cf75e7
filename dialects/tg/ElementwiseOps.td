//===- ElementwiseOps.td - one result element per operand element ---------===//
#ifndef TG_DIALECTS_TG_ELEMENTWISEOPS_TD
#define TG_DIALECTS_TG_ELEMENTWISEOPS_TD

include "dialects/tg/TgBase.td"

/// Shape rule, element rule and purity, the same for all ops of the family.
class Tg_ElementwiseOp<string mnemonic, list<Trait> traits = []>
    : Tg_InferredOp<mnemonic, [
        Pure,
        DeclareOpInterfaceMethods<Tg_ElementOpInterface, ["isElementwise"]>,
        DeclareOpInterfaceMethods<Tg_ElementwiseOpInterface>,
        DeclareOpInterfaceMethods<Tg_EvaluableOpInterface>
      ] # traits> {
  let extraClassDefinition = inferredDefinition # [{
    ::mlir::Value $cppClass::buildElement(::tg::ElementBuilder &element,
                                          const ::tg::Position &position) {
      return ::tg::buildElementwiseElement(*this, element, position);
    }
    bool $cppClass::isElementwise() { return true; }
  }];
}

class Tg_UnaryOp<string mnemonic, Type type, list<Trait> traits = []>
    : Tg_ElementwiseOp<mnemonic, traits> {
  let arguments = (ins type:$input);
  let results = (outs type:$result);
  let assemblyFormat = Tg_ShortForm;
}

class Tg_BinaryOp<string mnemonic, Type type, list<Trait> traits = []>
    : Tg_ElementwiseOp<mnemonic, traits> {
  let arguments = (ins type:$lhs, type:$rhs);
  let results = (outs type:$result);
  let assemblyFormat = Tg_FullForm;
}

def Tg_Differentiable
    : DeclareOpInterfaceMethods<Tg_DifferentiableOpInterface>;

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
// add
//===----------------------------------------------------------------------===//

def Tg_AddOp : Tg_BinaryOp<"add", Tg_NumericTensor, [Tg_Differentiable]> {
  let summary = "Sum of elements";
  let description = [{
    lhs + rhs.

    ```mlir
    %y = tg.add %a, %b : (tensor<?x10xf32>, tensor<10xf32>) -> tensor<?x10xf32>
    ```

    * C1: lhs and rhs have one element type. C2: the shapes broadcast.
    * Gradient: g for both, summed over stretched dimensions.
  }];
}

#endif // TG_DIALECTS_TG_ELEMENTWISEOPS_TD
