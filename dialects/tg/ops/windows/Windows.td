//===- Windows.td - base classes of ops over sliding windows --------------===//
#ifndef TG_DIALECTS_TG_WINDOWS_TD
#define TG_DIALECTS_TG_WINDOWS_TD

include "dialects/tg/TgBase.td"

/// The rule for windows that reach over the ends of a dimension.
def Tg_PaddingAttr : ConfinedAttr<StrAttr, [AttrConstraint<
    CPred<"::llvm::is_contained({\"valid\", \"same\", \"explicit\"}, "
          "::llvm::cast<::mlir::StringAttr>($_self).getValue())">,
    "whose value is valid, same or explicit">]>;

/// The attributes of windows that slide over the spatial dimensions. Strides
/// and dilations are 1, and pads 0, if their list is absent.
defvar Tg_WindowAttributes = (ins
    Tg_OptionalListAttr:$strides, Tg_OptionalListAttr:$dilations,
    DefaultValuedAttr<Tg_PaddingAttr, "\"valid\"">:$padding,
    Tg_OptionalListAttr:$pads);

#endif // TG_DIALECTS_TG_WINDOWS_TD
