//===- Precision.cpp - the precision of operands of products --------------===//
#include "compiler/target/Precision.h"
#include "dialects/tgx/Tgx.h"

using namespace mlir;
using namespace tg;

bool tg::isPrecision(StringRef name) {
  return name == kExactPrecision || name == kTf32Precision;
}

StringRef tg::precisionOf(ModuleOp plan) {
  auto target = plan->getAttrOfType<tgx::TargetAttr>(tgx::kTargetAttr);
  DictionaryAttr properties = target ? target.getProperties() : nullptr;
  auto name =
      properties ? properties.getAs<StringAttr>(kPrecisionProperty) : nullptr;
  return name ? name.getValue() : StringRef(kExactPrecision);
}
