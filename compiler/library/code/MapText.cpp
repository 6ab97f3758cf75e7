//===- MapText.cpp - affine maps in files of the kernel cache -------------===//
#include "compiler/library/code/MapText.h"
#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/Support/Threading.h"

using namespace mlir;
using namespace tg;

std::string tg::textOf(AffineMap map) {
  std::string text;
  if (map)
    llvm::raw_string_ostream(text) << AffineMapAttr::get(map);
  return text;
}

std::optional<AffineMap> tg::parseMap(StringRef text, unsigned symbols,
                                      MLIRContext *context) {
  if (text.empty())
    return AffineMap();
  // Diagnostics of other threads pass through.
  ScopedDiagnosticHandler quiet(
      context, [thread = llvm::get_threadid()](Diagnostic &) {
        return success(thread == llvm::get_threadid());
      });
  auto attribute =
      dyn_cast_if_present<AffineMapAttr>(parseAttribute(text, context));
  if (!attribute)
    return std::nullopt;
  AffineMap map = attribute.getValue();
  bool isAsWritten = map.getNumDims() == 0 && map.getNumResults() >= 1 &&
                     map.getNumSymbols() == symbols;
  return isAsWritten ? std::optional(map) : std::nullopt;
}
