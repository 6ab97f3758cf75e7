//===- DimBindings.cpp - names of extents bound to numbers ----------------===//
#include "compiler/transforms/shapes/DimBindings.h"
#include "compiler/transforms/shapes/FunctionSymbols.h"
#include "dialects/tg/Suggestions.h"
#include "dialects/tg/ops/control/VariableAccess.h"

using namespace mlir;
using namespace tg;

/// Starts an error about option `dim`. It has no location, because the option
/// is not part of the model.
static InFlightDiagnostic optionError(MLIRContext *context) {
  return emitError(UnknownLoc::get(context)) << "option 'dim': ";
}

LogicalResult DimBindings::parse(StringRef option, MLIRContext *context) {
  dims = option.str();
  bound.clear();
  used.clear();
  bindable.clear();
  SmallVector<StringRef> entries;
  StringRef(dims).split(entries, ',', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
  LogicalResult result = success();
  for (StringRef entry : entries) {
    auto [name, text] = entry.split('=');
    int64_t number = 0;
    if (name.empty() || text.getAsInteger(10, number) || number < 0)
      result = optionError(context)
               << "expected a named extent as in batch=32, "
                  "found '"
               << entry << "'";
    else if (!bound.try_emplace(name, number).second)
      result = optionError(context) << "expected one number for extent '"
                                    << name << "', found several";
  }
  return result;
}

ArrayAttr tg::namesOfUnknown(ArrayAttr dims, RankedTensorType type) {
  SmallVector<Attribute> names(dims.begin(), dims.end());
  for (auto [axis, name] : llvm::enumerate(names))
    if (axis < size_t(type.getRank()) && !type.isDynamicDim(axis))
      name = StringAttr::get(dims.getContext(), "");
  return ArrayAttr::get(dims.getContext(), names);
}

FailureOr<unsigned> DimBindings::bindArguments(func::FuncOp function) {
  unsigned refined = 0;
  for (BlockArgument argument : function.getArguments()) {
    auto type = dyn_cast<RankedTensorType>(argument.getType());
    if (!type)
      continue;
    unsigned place = argument.getArgNumber();
    SmallVector<int64_t> shape(type.getShape());
    for (auto [axis, extent] : llvm::enumerate(shape)) {
      if (!ShapedType::isDynamic(extent))
        continue;
      std::string name = extentName(function, place, axis);
      auto number = bound.find(name);
      bindable.insert(std::move(name));
      if (number == bound.end())
        continue;
      // A mean over an empty tensor would make the variables NaN.
      if (number->second == 0 && hasAssignment(function))
        return function.emitError()
               << "expected extent '" << number->first() << "' of function '"
               << function.getName()
               << "', which writes variables, to be at least 1, found 0";
      extent = number->second;
      used.insert(number->first());
    }
    RankedTensorType refinedType = type.clone(shape);
    if (refinedType == type)
      continue;
    argument.setType(refinedType);
    if (auto names = function.getArgAttrOfType<ArrayAttr>(place, "tg.dims"))
      function.setArgAttr(place, "tg.dims", namesOfUnknown(names, refinedType));
    ++refined;
  }
  return refined;
}

LogicalResult DimBindings::checkUsed(MLIRContext *context) const {
  LogicalResult result = success();
  auto known = llvm::to_vector_of<StringRef>(bindable);
  for (StringRef entry : llvm::split(StringRef(dims), ',')) {
    StringRef name = entry.split('=').first;
    if (!name.empty() && !used.contains(name))
      result = optionError(context)
               << "expected an input with an unknown extent '" << name
               << "' to bind" << suggestName(name, known);
  }
  return result;
}
