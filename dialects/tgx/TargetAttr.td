//===- TargetAttr.td - the targets that share a plan ----------------------===//
#ifndef TG_DIALECTS_TGX_TARGETATTR_TD
#define TG_DIALECTS_TGX_TARGETATTR_TD

include "dialects/tgx/TgxBase.td"

def Tgx_TargetAttr : AttrDef<Tgx_Dialect, "Target"> {
  let mnemonic = "target";
  let summary = "The targets that share the plan of a module";
  let description = [{
    The attribute `tgx.target` of a module. `kind` names the back end, and
    `optimization` is the -O level. All targets of the kind share the kernels,
    launches and memory of the module: for `cpu` these are all ISA
    levels. `properties` are further facts, which only the back end knows.

    ```
    module @cpu attributes {tgx.target = #tgx.target<kind = "cpu", optimization = 2>} {}
    ```
  }];
  let parameters = (ins StringRefParameter<"the kind of back end">:$kind,
                        "unsigned":$optimization,
                        OptionalParameter<"::mlir::DictionaryAttr">:$properties);
  let assemblyFormat = "`<` struct(params) `>`";
}

#endif // TG_DIALECTS_TGX_TARGETATTR_TD
