//===- UserModel.cpp - a function of a user's model, ready to run ---------===//
#include "UserModel.h"
#include "compiler/driver/Pipeline.h"
#include "compiler/frontend/text/DiagnosticPrinter.h"
#include "compiler/frontend/text/ReadModel.h"
#include "compiler/frontend/text/Stack.h"
#include "dialects/tg/elements/ElementTypes.h"
#include "dialects/tg/rules/SignatureRules.h"
#include "tools/common/Targets.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"
#include <chrono>

using namespace mlir;
using namespace tg;
using namespace tg::bench;

/// The default of dynamic extents.
static constexpr int64_t kDefaultExtent = 32;
/// The initial bound of integer inputs. Values that are too large are reduced
/// to the bound that the failed call reports.
static constexpr int64_t kFirstBound = 1 << 20;
/// The maximum number of attempts to generate valid inputs. A failed attempt
/// reports the bound of one input.
static constexpr int kAttempts = 64;
/// The value of rank 0 inputs, such as the learning rate of a small step.
static constexpr double kScalar = 1e-3;

static llvm::Error makeError(const Twine &message) {
  return llvm::createStringError(message);
}

//===----------------------------------------------------------------------===//
// Reading and compiling the model
//===----------------------------------------------------------------------===//

namespace {
/// A parsed model with the state that its diagnostics need.
struct ParsedModel {
  explicit ParsedModel(const std::string &path)
      : context(makeRegistry(), MLIRContext::Threading::DISABLED),
        printer(context, sources, llvm::errs(), "tgc-bench"),
        module(readModel(context, sources, path)) {}

  static DialectRegistry makeRegistry() {
    DialectRegistry registry;
    registerModelDialects(registry);
    return registry;
  }

  MLIRContext context;
  llvm::SourceMgr sources;
  DiagnosticPrinter printer;
  OwningOpRef<ModuleOp> module;
};
} // namespace

/// Parses and uses a model on a stack that is large enough for nested text.
static void withModel(const std::string &path,
                      llvm::function_ref<void(ModuleOp)> use) {
  llvm::Error error = runOnLargeStack([&] {
    ParsedModel text(path);
    if (text.module)
      use(*text.module);
  });
  if (error)
    llvm::errs() << "tgc-bench: error: " << llvm::toString(std::move(error))
                 << '\n';
}

std::vector<std::string> tg::bench::listFunctions(const std::string &path) {
  std::vector<std::string> names;
  withModel(path, [&](ModuleOp module) {
    for (auto function : module.getOps<func::FuncOp>())
      if (function.isPublic() && roleOf(function) != "init")
        names.push_back(function.getSymName().str());
    if (names.empty())
      llvm::errs() << "tgc-bench: error: expected a function beside init in '"
                   << path << "', found none\n";
  });
  return names;
}

/// Compiles the library of a model; "" after diagnostics.
static std::string compile(const UserRun &run) {
  CompileOptions options;
  options.optimization = run.optimization;
  if (run.level)
    options.levels = {run.level};
  options.kinds = {kindOfDevice(run.device.device_type)};
  std::string file;
  withModel(run.path, [&](ModuleOp module) {
    CompileResult result;
    if (succeeded(compileModule(module, options, result)))
      file.assign(result.file.begin(), result.file.end());
  });
  return file;
}

//===----------------------------------------------------------------------===//
// Inputs
//===----------------------------------------------------------------------===//

llvm::Error UserModel::bindExtents(StringRef dims) {
  symbols.assign(function->symbol_total, 0);
  SmallVector<StringRef> names, entries;
  for (uint32_t i = 0; i < function->symbol_count; ++i) {
    symbols[i] = kDefaultExtent;
    names.push_back(function->symbols[i]->name);
  }
  dims.split(entries, ',', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
  for (StringRef entry : entries) {
    auto [name, number] = entry.split('=');
    auto found = llvm::find(names, name);
    if (found == names.end())
      return makeError("expected --dim to name an unknown extent of '" +
                       Twine(function->name) + "' (" + llvm::join(names, ", ") +
                       "), found '" + name + "'");
    if (number.getAsInteger(10, symbols[found - names.begin()]))
      return makeError("expected --dim " + name + " to be a number, found '" +
                       number + "'");
  }
  for (auto [name, extent] : llvm::zip(names, symbols))
    extents += (extents.empty() ? "" : ",") + name.str() + "=" +
               std::to_string(extent);
  return llvm::Error::success();
}

llvm::Error UserModel::initialize() {
  const tg_model_t &model = library.getTables();
  auto isInit = [](const tg_function_t *each) {
    return each->flags & TG_FUNCTION_INITIALIZES;
  };
  std::string error;
  if (std::any_of(model.functions, model.functions + model.function_count,
                  isInit)) {
    error = call(tg_context_init, library.getContext(), int64_t(1));
  } else if (model.slab_bytes) {
    // Zeros, with the header of an initialized slab.
    HugeMemory slab(model.slab_bytes);
    auto *header = static_cast<tg_slab_header_t *>(slab.data());
    std::memcpy(header->layout_id, model.layout_id, sizeof(header->layout_id));
    header->generation = 1;
    error = call(tg_context_import_variables, library.getContext(),
                 static_cast<const void *>(slab.data()), model.slab_bytes);
  }
  return error.empty() ? llvm::Error::success() : makeError(error);
}

llvm::Error UserModel::makeValues() {
  auto add = [&](const tg_value_t &value) {
    SmallVector<int64_t> &shape = shapes.emplace_back();
    size_t bytes = value.dtype.bits / 8;
    for (uint32_t axis = 0; axis < value.rank; ++axis) {
      shape.push_back(tg_dim(value.dims[axis], symbols.data()));
      bytes *= shape.back();
    }
    memory.emplace_back(bytes);
    tg_tensor_t tensor = {};
    tensor.data = memory.back().data();
    tensor.device.device_type = TG_DEVICE_CPU;
    tensor.ndim = int32_t(value.rank);
    tensor.dtype = value.dtype;
    tensors.push_back(tensor);
  };
  for (uint32_t i = 0; i < function->input_count; ++i)
    add(*function->inputs[i]);
  for (uint32_t i = 0; i < function->output_count; ++i)
    add(*function->outputs[i]);
  for (auto [tensor, shape] : llvm::zip(tensors, shapes))
    tensor.shape = shape.data();
  lowest.assign(function->input_count, 0);
  bounds.assign(function->input_count, kFirstBound);
  return findInputs();
}

void UserModel::fill(unsigned index) {
  const tg_tensor_t &tensor = tensors[index];
  size_t count = 1;
  for (int64_t extent : shapes[index])
    count *= extent;
  std::normal_distribution<double> normal;
  int64_t span = std::max<int64_t>(bounds[index] - lowest[index], 1);
  auto fillWith = [&]<ElementType element>() {
    using Host = HostType<element>;
    MutableArrayRef<Host> values(static_cast<Host *>(tensor.data), count);
    for (Host &value : values) {
      if constexpr (std::is_floating_point_v<Host>)
        value = Host(tensor.ndim ? normal(random) : kScalar);
      else
        value = Host((lowest[index] + int64_t(random() % span)) &
                     (element == ElementType::i1 ? 1 : INT64_MAX));
    }
  };
  for (const ElementTypeInfo &row : kElementTypes)
    if (row.dtype.code == tensor.dtype.code &&
        row.dtype.bits == tensor.dtype.bits)
      visitElement(ElementType(&row - kElementTypes), fillWith);
}

llvm::Error UserModel::findInputs() {
  tg_error_t error = {};
  error.struct_size = sizeof(error);
  for (unsigned i = 0; i < function->input_count; ++i)
    fill(i);
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    if (run(error) == TG_OK)
      return llvm::Error::success();
    if (error.status != TG_ERROR_INDEX && error.status != TG_ERROR_DIVIDE)
      break;
    // All inputs may be invalid if the call does not report which one is.
    for (unsigned i = 0; i < function->input_count; ++i) {
      if (error.argument >= 0 && unsigned(error.argument) != i)
        continue;
      if (error.status == TG_ERROR_DIVIDE)
        lowest[i] = 1;
      else
        bounds[i] = std::min(bounds[i], std::max<int64_t>(error.expected, 1));
      fill(i);
    }
  }
  return makeError(error.message);
}

//===----------------------------------------------------------------------===//
// Runs
//===----------------------------------------------------------------------===//

tg_status_t UserModel::run(tg_error_t &error) {
  return tg_context_run(library.getContext(), functionIndex, tensors.data(),
                        function->input_count,
                        tensors.data() + function->input_count,
                        function->output_count, &error);
}

std::string UserModel::step() {
  tg_error_t error = {};
  error.struct_size = sizeof(error);
  return run(error) == TG_OK ? "" : error.message;
}

std::string UserModel::timeSteps(double &seconds) {
  ArrayRef<tg_tensor_t> all(tensors);
  return library.timeSteps(functionIndex, all.take_front(function->input_count),
                           all.drop_front(function->input_count), seconds);
}

llvm::Error UserModel::prepare(const UserRun &settings) {
  using Clock = std::chrono::steady_clock;
  Clock::time_point begin = Clock::now();
  std::string file = compile(settings);
  if (file.empty())
    return makeError("'" + settings.path + "' cannot be compiled");
  if (std::string error = library.load(file, settings.threads, settings.device);
      !error.empty())
    return makeError(error);
  const tg_model_t &model = library.getTables();
  for (uint32_t i = 0; i < model.function_count; ++i)
    if (settings.function == model.functions[i]->name)
      functionIndex = i;
  function = model.functions[functionIndex];
  if (llvm::Error error = bindExtents(settings.dims))
    return error;
  tg_plan_t plan = {};
  plan.struct_size = sizeof(plan);
  plan.worker_count = settings.threads;
  plan.symbols = symbols.data();
  std::string error = call(function->plan, function, &plan);
  if (error.empty())
    error = call(tg_context_reserve, library.getContext(), functionIndex,
                 static_cast<const int64_t *>(symbols.data()));
  if (!error.empty())
    return makeError(error);
  gflop = double(plan.flops) / 1e9;
  gbyte = double(plan.traffic_bytes) / 1e9;
  if (llvm::Error error = initialize())
    return error;
  llvm::Error made = makeValues();
  firstCallSeconds =
      std::chrono::duration<double>(Clock::now() - begin).count();
  return made;
}
