//===- Metadata.cpp - the JSON text inside a library ----------------------===//
#include "compiler/library/tables/Metadata.h"
#include "tg/abi.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/SHA256.h"

using namespace mlir;
using namespace tg;
namespace json = llvm::json;

std::string tg::compilerVersion() {
  return "tgc " TG_VERSION " (LLVM " LLVM_VERSION_STRING ")";
}

json::Value tg::describeNumber(AffineExpr number, tgx::FunctionOp function) {
  if (auto constant = dyn_cast<AffineConstantExpr>(number))
    return constant.getValue();
  std::string text, result;
  llvm::raw_string_ostream(text) << number;
  // Symbols print as s0, s1, ...: replace them by their names.
  for (size_t at = 0; at < text.size();) {
    unsigned long long symbol;
    StringRef rest = StringRef(text).substr(at);
    StringRef digits = rest.drop_front().take_while(llvm::isDigit);
    if (rest.front() != 's' || digits.getAsInteger(10, symbol) ||
        symbol >= function.getSymbols().size()) {
      result += text[at++];
      continue;
    }
    result += cast<StringAttr>(function.getSymbols()[symbol]).getValue();
    at += 1 + digits.size();
  }
  return result;
}

static json::Array describeValues(const FunctionPlan &function,
                                  ArrayRef<ValuePlan> values) {
  tgx::FunctionOp op = function.op;
  json::Array result;
  for (const ValuePlan &value : values) {
    json::Array dims;
    for (int64_t dim : value.dims) {
      if (dim >= 0)
        dims.push_back(dim);
      else
        dims.push_back(cast<StringAttr>(op.getSymbols()[-1 - dim]).getValue());
    }
    result.push_back(json::Object{
        {"name", value.name},
        {"type", typeInfoOf(elementOf(value.type.getElementType())).name},
        {"dims", std::move(dims)}});
  }
  return result;
}

/// Returns the number of steps that wait for the device to know what follows.
static int64_t countWaits(tgx::FunctionOp function) {
  int64_t waits = 0;
  function.walk([&](Operation *op) {
    auto host = dyn_cast<tgx::HostOp>(op);
    waits += isa<tgx::IfOp, tgx::WhileOp, tgx::MeasureOp>(op) ||
             (host && !host.getKernel());
  });
  return waits;
}

static json::Object describeFunction(const FunctionPlan &function,
                                     bool isForDevice) {
  tgx::FunctionOp op = function.op;
  int64_t launches = 0;
  op.walk([&](Operation *step) {
    auto host = dyn_cast<tgx::HostOp>(step);
    launches +=
        isa<tgx::LaunchOp>(step) || (isForDevice && host && host.getKernel());
  });
  json::Object result{
      {"name", function.name},
      {"inputs", describeValues(function, function.inputs)},
      {"outputs", describeValues(function, function.outputs)},
      {"slab_bytes", int64_t(function.slabBytes)},
      {"launches", launches},
      {"flops", describeNumber(function.cost.flops, op)},
      {"traffic_bytes", describeNumber(function.cost.traffic, op)}};
  if (isForDevice)
    result["waits"] = countWaits(op);
  // The results of the schedule for its planned extents.
  for (StringRef plan : {"arena_bytes", "lower_bound_bytes"})
    if (auto bytes = op->getAttrOfType<IntegerAttr>(plan))
      result[plan] = bytes.getInt();
  return result;
}

/// Describes each kernel, with the number of its launches in all functions.
static json::Array describeKernels(const ModelPlan &plan) {
  llvm::DenseMap<Operation *, int64_t> launches;
  for (const FunctionPlan &function : plan.functions) {
    tgx::FunctionOp op = function.op;
    op.walk([&](tgx::LaunchOp launch) {
      ++launches[plan.kernelOf(launch.getKernelAttr())];
    });
  }
  json::Array result;
  for (auto &[op, check] : plan.kernels) {
    auto kernel = cast<tgx::KernelOp>(op);
    result.push_back(
        json::Object{{"name", kernel.getSymName()},
                     {"strategy", tgx::stringifyStrategy(kernel.getStrategy())},
                     {"algorithm", kernel.getMethod()},
                     {"launches", launches.lookup(op)}});
  }
  return result;
}

json::Object tg::describe(const ModelPlan &plan,
                          const LibraryOptions &options) {
  json::Array functions;
  for (const FunctionPlan &function : plan.functions)
    functions.push_back(describeFunction(function, plan.isForDevice()));
  return json::Object{{"compiler", compilerVersion()},
                      {"abi", std::to_string(TG_ABI_MAJOR) + "." +
                                  std::to_string(plan.abiVersion() & 0xffff)},
                      {"model", options.modelName},
                      {"optimization", options.optimization},
                      {"flags", options.flags},
                      {"kernels", describeKernels(plan)},
                      {"slab_bytes", int64_t(plan.slabBytes())},
                      {"packed_bytes", int64_t(plan.packedBytes)},
                      {"functions", std::move(functions)}};
}

std::array<uint8_t, 16> tg::modelId(const ModelPlan &plan,
                                    const LibraryOptions &options) {
  // The program's module, around that of the plan, has the hash.
  StringAttr program;
  for (Operation *op = plan.module; op && !program; op = op->getParentOp())
    program = op->getAttrOfType<StringAttr>("tg.program");
  std::string text = compilerVersion() + "\n-O" +
                     std::to_string(options.optimization) + "\n" +
                     (program ? program.str() : "");
  // Facts about the targets may change the bits of results.
  if (auto target =
          plan.module->getAttrOfType<tgx::TargetAttr>(tgx::kTargetAttr))
    if (DictionaryAttr properties = target.getProperties())
      llvm::raw_string_ostream(text) << "\n" << properties;
  std::array<uint8_t, 32> hash =
      llvm::SHA256::hash(llvm::arrayRefFromStringRef(text));
  std::array<uint8_t, 16> id;
  std::copy_n(hash.begin(), id.size(), id.begin());
  return id;
}
