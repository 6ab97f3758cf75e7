//===- Movement.td - base classes of ops that move elements ---------------===//
#ifndef TG_DIALECTS_TG_MOVEMENT_TD
#define TG_DIALECTS_TG_MOVEMENT_TD

include "dialects/tg/TgBase.td"

/// Ops that define their result extents and their evaluation.
class Tg_MovementOp<string mnemonic, list<Trait> traits = []>
    : Tg_InferredOp<mnemonic, [
        DeclareOpInterfaceMethods<Tg_EvaluableOpInterface>
      ] # traits> {
  let assemblyFormat = Tg_FullForm;
  let extraClassDefinition = !strconcat(inferredDefinition, Tg_NoFlops);
}

/// Each result element is one element of an operand.
def Tg_Movable : DeclareOpInterfaceMethods<Tg_ElementOpInterface>;

/// Dynamic sizes that fill the -1 entries of integer lists, in order.
def Tg_DynamicSizes : Variadic<Tg_Int64Scalar>;

#endif // TG_DIALECTS_TG_MOVEMENT_TD
