//===- CompiledRow.cpp - one row, compiled and ready to run ---------------===//
#include "CompiledRow.h"
#include "compiler/driver/Pipeline.h"
#include "dialects/tg/evaluation/Interpreter.h"
#include "mlir/Parser/Parser.h"
#include "tools/common/Targets.h"
#include <chrono>
#include <cmath>
#include <random>

using namespace mlir;
using namespace tg;
using namespace tg::bench;

/// The values of a variable or an input.
struct Session::Tensor {
  Tensor(std::string name, ArrayRef<int64_t> dims)
      : name(std::move(name)), dims(dims),
        count(std::accumulate(dims.begin(), dims.end(), int64_t(1),
                              std::multiplies<int64_t>())),
        memory(count * sizeof(float)) {}

  MutableArrayRef<float> values() {
    return {static_cast<float *>(memory.data()), size_t(count)};
  }
  tg_tensor_t describe(tg_dtype_t type) {
    tg_tensor_t result = {};
    result.data = memory.data();
    result.device.device_type = TG_DEVICE_CPU;
    result.ndim = int32_t(dims.size());
    result.dtype = type;
    result.shape = dims.data();
    return result;
  }

  std::string name;
  SmallVector<int64_t> dims;
  int64_t count;
  HugeMemory memory;
};

static constexpr tg_dtype_t kFloat = {TG_DTYPE_FLOAT, 32, 1};
static constexpr tg_dtype_t kLabel = {TG_DTYPE_INT, 32, 1};

Session::Session() = default;

Session::~Session() = default;

//===----------------------------------------------------------------------===//
// Compilation
//===----------------------------------------------------------------------===//

/// Parses a program; diagnostics go to stderr.
static OwningOpRef<ModuleOp> parse(const std::string &text,
                                   MLIRContext &context) {
  return parseSourceString<ModuleOp>(text, ParserConfig(&context));
}

std::string Session::compile(const std::string &convAlgorithm, int optimization,
                             tg_device_t device) {
  DialectRegistry registry;
  registerAllDialects(registry);
  MLIRContext mlirContext(registry, MLIRContext::Threading::DISABLED);
  OwningOpRef<ModuleOp> program =
      parse(programOf(row, row.inputRows()), mlirContext);
  CompileOptions options;
  options.optimization = optimization;
  options.convAlgorithm = convAlgorithm;
  options.kinds = {kindOfDevice(device.device_type)};
  CompileResult result;
  if (!program || failed(compileModule(*program, options, result)))
    return "the program cannot be compiled";
  file.assign(result.file.begin(), result.file.end());
  return "";
}

//===----------------------------------------------------------------------===//
// Weights and inputs
//===----------------------------------------------------------------------===//

/// Returns the bound of uniform weights, 1 / sqrt(inputs) like in torch's
/// linear layers.
static float boundOf(const Row &row, StringRef name) {
  if (row.workload->kind != Kind::layers)
    return row.workload->kind == Kind::adam ? 0 : 1;
  size_t layer = 0;
  name.drop_front().getAsInteger(10, layer);
  return 1 / std::sqrt(float(row.workload->sizes[layer]));
}

/// Fills the variables. Networks are initialized by their `init`.
std::string Session::fillVariables() {
  if (row.workload->kind == Kind::network)
    return call(tg_context_init, library.getContext(), int64_t(1));
  const tg_model_t &model = library.getTables();
  std::mt19937 random(1);
  for (uint32_t i = 0; i < model.variable_count; ++i) {
    const tg_variable_t &entry = *model.variables[i];
    if (entry.role != TG_ROLE_PARAMETER)
      continue;
    auto &created = variables.emplace_back(std::make_unique<Tensor>(
        entry.name, ArrayRef<int64_t>(entry.dims, entry.rank)));
    float bound = boundOf(row, created->name);
    std::uniform_real_distribution<float> sample(-bound, bound);
    for (float &value : created->values())
      value = bound ? sample(random) : 0;
    tg_tensor_t tensor = created->describe(kFloat);
    if (std::string error = call(tg_context_set_variable, library.getContext(),
                                 i, static_cast<const tg_tensor_t *>(&tensor));
        !error.empty())
      return error;
  }
  return "";
}

/// Reads the values that `init` assigned, for the interpreter.
std::string Session::readVariables() {
  const tg_model_t &model = library.getTables();
  for (uint32_t i = 0; i < model.variable_count; ++i) {
    const tg_variable_t &entry = *model.variables[i];
    auto &created = variables.emplace_back(std::make_unique<Tensor>(
        entry.name, ArrayRef<int64_t>(entry.dims, entry.rank)));
    tg_tensor_t tensor = created->describe(kFloat);
    if (std::string error = call(tg_context_get_variable, library.getContext(),
                                 i, static_cast<const tg_tensor_t *>(&tensor));
        !error.empty())
      return error;
  }
  return "";
}

/// Creates the inputs: normal numbers, labels and tokens below the number of
/// classes, masks of 0 and 1.
void Session::makeTensors() {
  const tg_model_t &model = library.getTables();
  while (function + 1 < model.function_count &&
         StringRef(model.functions[function]->name) == "init")
    ++function;
  const tg_function_t &table = *model.functions[function];
  std::mt19937 random(2);
  std::normal_distribution<float> sample;
  for (uint32_t i = 0; i < table.input_count; ++i) {
    const tg_value_t &value = *table.inputs[i];
    auto &created = inputs.emplace_back(std::make_unique<Tensor>(
        value.name, ArrayRef<int64_t>(value.dims, value.rank)));
    bool isLabel = value.dtype.code == TG_DTYPE_INT;
    bool isMask = created->name == "mask";
    for (float &number : created->values())
      if (isLabel)
        reinterpret_cast<int32_t &>(number) =
            int32_t(random() % row.workload->classes);
      else if (isMask)
        number = float(random() % 2);
      else
        number = sample(random);
    inputTensors.push_back(created->describe(isLabel ? kLabel : kFloat));
  }
  const tg_value_t &value = *table.outputs[0];
  size_t count = 1;
  for (int64_t extent : ArrayRef<int64_t>(value.dims, value.rank)) {
    outputRoom.push_back(extent < 0 ? row.inputRows() : extent);
    count *= outputRoom.back();
  }
  outputShape = outputRoom;
  output = std::make_unique<HugeMemory>(count * value.dtype.bits / 8);
  outputTensor.data = output->data();
  outputTensor.device.device_type = TG_DEVICE_CPU;
  outputTensor.ndim = int32_t(outputShape.size());
  outputTensor.dtype = value.dtype;
  outputTensor.shape = outputShape.data();
}

std::string Session::prepare(const Row &newRow, unsigned threads,
                             int optimization, const std::string &convAlgorithm,
                             tg_device_t device) {
  using Clock = std::chrono::steady_clock;
  row = newRow;
  Clock::time_point begin = Clock::now();
  std::string error = compile(convAlgorithm, optimization, device);
  if (error.empty())
    error = library.load(file, threads, device);
  std::chrono::duration<double> seconds = Clock::now() - begin;
  if (error.empty())
    error = fillVariables();
  if (!error.empty())
    return error;
  makeTensors();
  begin = Clock::now();
  error = step();
  seconds += Clock::now() - begin;
  firstCallSeconds = seconds.count();
  return error;
}

std::string Session::step() {
  llvm::copy(outputRoom, outputShape.begin());
  return call(tg_context_run, library.getContext(), function,
              static_cast<const tg_tensor_t *>(inputTensors.data()),
              uint32_t(inputTensors.size()),
              static_cast<const tg_tensor_t *>(&outputTensor), uint32_t(1));
}

std::string Session::timeSteps(double &seconds) {
  llvm::copy(outputRoom, outputShape.begin());
  return library.timeSteps(function, inputTensors, outputTensor, seconds);
}

//===----------------------------------------------------------------------===//
// Comparison
//===----------------------------------------------------------------------===//

double Session::compareWithInterpreter(std::string &error) {
  if (variables.empty())
    error = readVariables();
  if (!error.empty())
    return 0;
  int64_t rows = row.comparedRows();
  DialectRegistry registry;
  registerAllDialects(registry);
  MLIRContext mlirContext(registry, MLIRContext::Threading::DISABLED);
  OwningOpRef<ModuleOp> program = parse(programOf(row, rows), mlirContext);
  auto copy = [&](Tensor &tensor, ArrayRef<int64_t> dims, bool isInteger) {
    HostTensor host(isInteger ? Type(IntegerType::get(&mlirContext, 32))
                              : Type(Float32Type::get(&mlirContext)),
                    dims);
    std::memcpy(host.data(), tensor.memory.data(), host.getNumBytes());
    return host;
  };
  Interpreter interpreter;
  for (auto &variable : variables)
    interpreter.variables[variable->name] =
        copy(*variable, variable->dims, false);
  SmallVector<HostTensor> arguments, results;
  for (auto [input, tensor] : llvm::zip(inputs, inputTensors)) {
    SmallVector<int64_t> dims(input->dims);
    if (dims[0] == row.inputRows())
      dims[0] = rows;
    arguments.push_back(copy(*input, dims, tensor.dtype.code == TG_DTYPE_INT));
  }
  error = interpreter.run(program->lookupSymbol<func::FuncOp>("test"),
                          arguments, results);
  if (!error.empty())
    return 0;
  const HostTensor &expected = results[0];
  HostTensor found(expected.getElementType(), expected.getShape());
  std::memcpy(found.data(), output->data(), found.getNumBytes());
  auto numberAt = [](const HostTensor &tensor, int64_t i) {
    return isa<FloatType>(tensor.getElementType())
               ? double(tensor.values<float>()[i])
               : double(tensor.integerAt(i));
  };
  double worst = 0, largest = 0;
  for (int64_t i = 0; i < expected.getNumElements(); ++i) {
    double reference = numberAt(expected, i);
    worst = std::max(worst, std::abs(numberAt(found, i) - reference));
    largest = std::max(largest, std::abs(reference));
  }
  return worst / largest;
}
