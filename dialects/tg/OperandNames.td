//===- OperandNames.td - the names of operands, for messages --------------===//
//
// MLIR identifies operands by their indices. This file builds a table of their
// names from the definitions of all ops.
//
//===----------------------------------------------------------------------===//
include "dialects/tg/TgOps.td"
include "llvm/TableGen/SearchableTable.td"

/// The operands of an op in their order, separated by spaces. A variadic
/// operand has a `*` in front.
class Tg_OperandNames<Op op> {
  string Name = "tg." # op.opName;
  list<int> indices =
      !filter(index, !range(!size(op.arguments)),
              !isa<TypeConstraint>(!getdagarg<Constraint>(op.arguments, index)));
  string Operands = !interleave(
      !foreach(index, indices,
               !if(!isa<Variadic>(!getdagarg<Constraint>(op.arguments, index)),
                   "*", "") # !getdagname(op.arguments, index)),
      " ");
}

foreach op = !instances<Tg_Op>() in
  def : Tg_OperandNames<op>;

def OperandTable : GenericTable {
  let FilterClass = "Tg_OperandNames";
  let CppTypeName = "OperandNames";
  let Fields = ["Name", "Operands"];
}
