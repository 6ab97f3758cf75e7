//===- ControlOps.td - regions --------------------------------------------===//
#ifndef TG_DIALECTS_TG_CONTROLOPS_TD
#define TG_DIALECTS_TG_CONTROLOPS_TD

include "dialects/tg/TgBase.td"

//===----------------------------------------------------------------------===//
// yield
//===----------------------------------------------------------------------===//

def Tg_YieldOp : Tg_Op<"yield", [
    Pure, Terminator, HasParent<"UpdateOp">, Tg_NonDifferentiable]> {
  let summary = "Ends a region of a tg op and gives its values";
  let description = [{
    ```mlir
    tg.update [[@w]] : () -> () {
    ^bb0(%weight: tensor<f32>):
      %moved = tg.neg %weight : tensor<f32>
      tg.yield %moved : tensor<f32>
    }
    ```

    * C1 (ODS): it stands nowhere else.
    * Not differentiable.
  }];
  let arguments = (ins Variadic<Tg_Tensor>:$values);
  let assemblyFormat = "attr-dict ($values^ `:` type($values))?";
}

#endif // TG_DIALECTS_TG_CONTROLOPS_TD
