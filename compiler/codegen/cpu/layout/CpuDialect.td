//===- CpuDialect.td - layouts of operands for CPUs -----------------------===//
#ifndef TG_COMPILER_CODEGEN_CPU_LAYOUT_CPUDIALECT_TD
#define TG_COMPILER_CODEGEN_CPU_LAYOUT_CPUDIALECT_TD

include "dialects/tgx/TgxInterfaces.td"
include "mlir/IR/AttrTypeBase.td"

def Cpu_Dialect : Dialect {
  let name = "cpu";
  let cppNamespace = "::tg::cpu";
  let summary = "Layouts of operands for CPUs";
  let useDefaultAttributePrinterParser = 1;
}

/// The layout in which contractions read a matrix repeatedly.
def Cpu_PanelsAttr : AttrDef<Cpu_Dialect, "Panels", [
    DeclareAttrInterfaceMethods<Tgx_LayoutAttrInterface>]> {
  let mnemonic = "panels";
  let summary = "Panels of columns that lie side by side";
  let description = [{
    A tensor is read as a matrix: dimension `axis` has its n columns, and the
    other dimensions, flattened in order, have its k rows, over which a
    contraction sums. The panels are [⌈n / width⌉, k, width]; columns beyond n
    are padding of 0.

    With `winograd` and axis 3 the operand is a filter [3, 3, k, n]. `winograd`
    is the number of positions of a tile along an axis, 4 or 2 (F(4x4, 3x3) and
    F(2x2, 3x3) of Lavin and Gray, 2016). Each transformed 3x3 window is 36 or
    16 numbers. The panels are [36, ⌈n / width⌉, k, width] or
    [16, ⌈n / width⌉, k, width]. With axis 2 the operand is the filter
    [3, 3, n, k] of an adjoint, whose windows are read from the last tap to the
    first.

    A tensor is static, of rank 2 at least, and `axis` one of its axes. With
    `winograd` it is a 3x3 filter, and `axis` is one of the last two.
  }];
  let parameters = (ins "unsigned":$axis, "int64_t":$width,
                        DefaultValuedParameter<"int64_t", "0">:$winograd);
  let assemblyFormat = "`<` struct(params) `>`";
}

#endif // TG_COMPILER_CODEGEN_CPU_LAYOUT_CPUDIALECT_TD
