//===- SampledInputs.cpp - inputs on which gradients are checked ----------===//
#include "compiler/gradient_check/SampledInputs.h"
#include "compiler/gradient_check/WidenFloats.h"
#include "compiler/transforms/shapes/FunctionSymbols.h"
#include "dialects/tg/ops/control/StateOps.h"

using namespace mlir;
using namespace tg;

//===----------------------------------------------------------------------===//
// Inputs
//===----------------------------------------------------------------------===//

/// Calls `visit` with each value that may hold the elements of a used value:
/// the results of an op with one operand, which may move or convert elements,
/// and the values to which an op with regions passes the operand.
static void forEachFollower(OpOperand &use, function_ref<void(Value)> visit) {
  Operation *op = use.getOwner();
  if (auto regions = dyn_cast<DifferentiableRegionOpInterface>(op)) {
    for (const ValueFlow &flow : regions.getValueFlows())
      if (flow.from == &use)
        visit(flow.to);
    return;
  }
  if (op->getNumOperands() == 1)
    for (Value result : op->getResults())
      visit(result);
}

/// Returns the exclusive upper bound of an integer input whose elements are
/// used as indices; none if they are not.
static std::optional<int64_t> findBound(Value input) {
  std::optional<int64_t> bound;
  SmallVector<Value> worklist = {input};
  llvm::DenseSet<Value> seen;
  while (!worklist.empty()) {
    Value value = worklist.pop_back_val();
    if (!isa<IntegerType>(getElementTypeOrSelf(value)) ||
        !seen.insert(value).second)
      continue;
    for (OpOperand &use : value.getUses()) {
      auto checked = dyn_cast<CheckedOpInterface>(use.getOwner());
      if (checked && checked.getCheckedOperand() == use.getOperandNumber())
        if (auto axis = checked.getIndexBound()) {
          Value indexed = use.getOwner()->getOperand(axis->first);
          int64_t extent = cast<RankedTensorType>(indexed.getType())
                               .getDimSize(axis->second);
          // An index of 0 is in range of a dynamic extent.
          int64_t limit = ShapedType::isDynamic(extent) ? 1 : extent;
          bound = std::min(bound.value_or(limit), limit);
        }
      forEachFollower(use, [&](Value other) { worklist.push_back(other); });
    }
  }
  return bound;
}

/// Returns a random tensor: floats in [0, 1), booleans, and integers in
/// [0, bound) or, without a bound, in [1, greatest].
static HostTensor sampleTensor(RankedTensorType type, RandomGenerator &random,
                               std::optional<int64_t> bound, int64_t greatest) {
  HostTensor tensor(type.getElementType(), type.getShape());
  bool isBoolean = isInClass(type.getElementType(), ElementClass::boolean);
  visitElementType(type.getElementType(), [&](auto zero) {
    using T = decltype(zero);
    for (T &element : tensor.values<T>()) {
      if constexpr (std::is_floating_point_v<T>)
        element = T(random.uniform());
      else if (isBoolean)
        element = T(random.below(2));
      else if (bound)
        element = T(*bound > 0 ? random.below(*bound) : 0);
      else
        element = T(1 + random.below(greatest));
    }
  });
  return tensor;
}

static void fill(HostTensor &tensor, double number) {
  visitElementType(tensor.getElementType(), [&](auto zero) {
    using T = decltype(zero);
    llvm::fill(tensor.values<T>(), static_cast<T>(number));
  });
}

namespace {
/// Builds the inputs of one function.
class InputSamples {
public:
  InputSamples(func::FuncOp function, const GradientCheckOptions &options)
      : function(function), options(options), random(options.seed) {}

  /// Binds the extents of all given inputs.
  LogicalResult bindAll();
  FailureOr<SmallVector<HostTensor>> run();

private:
  StringRef nameOf(BlockArgument argument) {
    auto name = function.getArgAttrOfType<StringAttr>(argument.getArgNumber(),
                                                      "tg.name");
    return name ? name.getValue() : "";
  }
  LogicalResult bind(BlockArgument argument, const HostTensor &given);

  func::FuncOp function;
  const GradientCheckOptions &options;
  RandomGenerator random;
  llvm::StringMap<int64_t> extents;
};
} // namespace

/// Returns a type as front ends write it, with the names of its extents: "f32
/// [n, 3]".
static std::string describe(RankedTensorType type, ArrayAttr names = {}) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  stream << type.getElementType() << " [";
  for (auto [axis, extent] : llvm::enumerate(type.getShape())) {
    StringRef name =
        names ? cast<StringAttr>(names[axis]).getValue() : StringRef();
    stream << (axis ? ", " : "");
    if (ShapedType::isDynamic(extent))
      stream << (name.empty() ? "?" : name);
    else
      stream << extent;
  }
  stream << ']';
  return text;
}

/// Binds the extents of one given input.
LogicalResult InputSamples::bind(BlockArgument argument,
                                 const HostTensor &given) {
  auto type = cast<RankedTensorType>(argument.getType());
  bool fits = widenElement(given.getElementType()) ==
                  widenElement(type.getElementType()) &&
              given.getRank() == type.getRank();
  for (int64_t axis = 0; fits && axis < type.getRank(); ++axis) {
    int64_t extent = given.getShape()[axis];
    fits = type.isDynamicDim(axis) || type.getDimSize(axis) == extent;
    auto [known, isNew] = extents.try_emplace(
        extentName(function, argument.getArgNumber(), axis), extent);
    fits &= known->second == extent;
  }
  if (fits)
    return success();
  // The input belongs to the call or the command line, not to a line of the
  // model.
  auto names =
      function.getArgAttrOfType<ArrayAttr>(argument.getArgNumber(), "tg.dims");
  return emitError(UnknownLoc::get(function.getContext()))
         << "expected input '" << nameOf(argument) << "' to fit "
         << describe(type, names) << " and the other inputs, found "
         << describe(given.getType());
}

LogicalResult InputSamples::bindAll() {
  for (BlockArgument argument : function.getArguments())
    if (auto given = options.inputs.find(nameOf(argument).str());
        given != options.inputs.end() && failed(bind(argument, given->second)))
      return failure();
  return success();
}

FailureOr<SmallVector<HostTensor>> InputSamples::run() {
  if (failed(bindAll()))
    return failure();
  SmallVector<HostTensor> inputs;
  for (BlockArgument argument : function.getArguments()) {
    auto type = cast<RankedTensorType>(argument.getType());
    if (auto given = options.inputs.find(nameOf(argument).str());
        given != options.inputs.end()) {
      inputs.push_back(convertFloats(given->second, type.getElementType()));
      continue;
    }
    SmallVector<int64_t> shape(type.getShape());
    for (auto [axis, extent] : llvm::enumerate(shape))
      if (ShapedType::isDynamic(extent))
        extent = extents
                     .try_emplace(
                         extentName(function, argument.getArgNumber(), axis),
                         options.extent)
                     .first->second;
    inputs.push_back(sampleTensor(type.clone(shape), random,
                                  findBound(argument),
                                  std::max<int64_t>(options.extent, 1)));
    if (auto number = options.numbers.find(nameOf(argument).str());
        number != options.numbers.end())
      fill(inputs.back(), number->second);
  }
  return inputs;
}

LogicalResult tg::checkGivenInputs(func::FuncOp function,
                                   const GradientCheckOptions &options) {
  return InputSamples(function, options).bindAll();
}

FailureOr<SmallVector<HostTensor>>
tg::sampleInputs(func::FuncOp function, const GradientCheckOptions &options) {
  return InputSamples(function, options).run();
}

//===----------------------------------------------------------------------===//
// Variables
//===----------------------------------------------------------------------===//

LogicalResult tg::initializeVariables(ModuleOp module,
                                      const GradientCheckOptions &options,
                                      Interpreter &interpreter) {
  bool hasValues = false;
  for (auto function : module.getOps<func::FuncOp>()) {
    auto role = function->getAttrOfType<StringAttr>("tg.role");
    if (!role || role.getValue() != "init")
      continue;
    SmallVector<HostTensor> inputs, results;
    for (Type type : function.getArgumentTypes()) {
      HostTensor seed(cast<RankedTensorType>(type).getElementType(), {});
      seed.values<int64_t>()[0] = options.seed;
      inputs.push_back(std::move(seed));
    }
    std::string error = interpreter.run(function, inputs, results);
    if (!error.empty())
      return emitError(function.getLoc()) << "cannot be run: " << error;
    hasValues = true;
  }
  RandomGenerator random(options.seed);
  for (auto variable : module.getOps<VariableOp>()) {
    auto type = cast<RankedTensorType>(variable.getType());
    interpreter.variables.try_emplace(
        variable.getSymName().str(),
        hasValues ? HostTensor(type.getElementType(), type.getShape())
                  : sampleTensor(type, random, /*bound=*/1, /*greatest=*/1));
  }
  return success();
}
