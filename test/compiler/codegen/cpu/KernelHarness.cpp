//===- KernelHarness.cpp - emits, compiles and runs single kernels --------===//
#include "KernelHarness.h"
#include "LevelMachine.h"
#include "compiler/codegen/cpu/CpuBackend.h"
#include "compiler/codegen/kernel/RandomElements.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "test/numeric/Tolerance.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/TargetParser/Host.h"
#include <cmath>
#include <cstring>
#include <gtest/gtest.h>

using namespace mlir;
using namespace tg;
using namespace tg::test;

KernelHarness::KernelHarness(StringRef text) {
  DialectRegistry registry;
  registry.insert<tg::TgDialect, tgx::TgxDialect>();
  registerRandomElements(registry);
  CpuBackend().registerDialects(registry);
  context.appendDialectRegistry(registry);
  context.loadAllAvailableDialects();
  module = parseSourceString<ModuleOp>(text, &context);
  if (module)
    for (auto found : module->getOps<tgx::KernelOp>())
      kernel = found;
}

KernelHarness::~KernelHarness() = default;

SmallVector<int64_t> KernelHarness::shapeOf(ArrayRef<AffineExpr> extents,
                                            ArrayRef<int64_t> symbols) {
  SmallVector<AffineExpr> values;
  for (int64_t symbol : symbols)
    values.push_back(getAffineConstantExpr(symbol, &context));
  return llvm::map_to_vector(extents, [&](AffineExpr extent) {
    return *staticExtent(extent.replaceSymbols(values));
  });
}

//===----------------------------------------------------------------------===//
// Inputs and reference values
//===----------------------------------------------------------------------===//

std::vector<HostTensor> KernelHarness::makeInputs(ArrayRef<int64_t> symbols) {
  ExtentAnalysis analysis(&context);
  EXPECT_TRUE(succeeded(kernel.analyzeExtents(analysis)));
  std::vector<HostTensor> inputs;
  uint64_t state = 1;
  for (BlockArgument argument : kernel.getBlock().getArguments()) {
    HostTensor tensor(getElementTypeOrSelf(argument.getType()),
                      shapeOf(analysis.extentsOf(argument), symbols));
    visitElementType(tensor.getElementType(), [&](auto zero) {
      using T = decltype(zero);
      for (T &value : tensor.values<T>()) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        uint64_t bits = state >> 40;
        if constexpr (std::is_floating_point_v<T>)
          value = T(int64_t(bits % 4001) - 2000) / T(1000);
        else
          value = bits % (tensor.getElementType().isInteger(1) ? 2 : 10);
      }
    });
    inputs.push_back(std::move(tensor));
  }
  return inputs;
}

std::vector<HostTensor> KernelHarness::makeOutputs(ArrayRef<int64_t> symbols) {
  ExtentAnalysis analysis(&context);
  EXPECT_TRUE(succeeded(kernel.analyzeExtents(analysis)));
  std::vector<HostTensor> outputs;
  for (Value output : kernel.getOutputs()) {
    outputs.emplace_back(getElementTypeOrSelf(output.getType()),
                         shapeOf(analysis.extentsOf(output), symbols));
    std::fill_n(outputs.back().data(), outputs.back().getNumBytes(), 0x5a);
  }
  return outputs;
}

std::vector<HostTensor> KernelHarness::evaluate(ArrayRef<HostTensor> inputs,
                                                ArrayRef<int64_t> symbols) {
  ExtentAnalysis analysis(&context);
  EXPECT_TRUE(succeeded(kernel.analyzeExtents(analysis)));
  DenseMap<Value, HostTensor> values;
  for (auto [argument, input] :
       llvm::zip_equal(kernel.getBlock().getArguments(), inputs))
    values[argument] = input;
  for (Operation &op : kernel.getBlock().without_terminator()) {
    SmallVector<HostTensor> operands, results;
    for (Value operand : op.getOperands())
      operands.push_back(values[operand]);
    for (Value result : op.getResults())
      results.emplace_back(getElementTypeOrSelf(result.getType()),
                           shapeOf(analysis.extentsOf(result), symbols));
    if (auto rule = dyn_cast<EvaluableOpInterface>(&op))
      EXPECT_EQ(rule.evaluate(operands, results), "");
    else
      results[0] = operands[0]; // a check returns its operand
    for (auto [result, tensor] : llvm::zip_equal(op.getResults(), results))
      values[result] = tensor;
  }
  std::vector<HostTensor> outputs;
  for (Value output : kernel.getOutputs())
    outputs.push_back(values[output]);
  return outputs;
}

//===----------------------------------------------------------------------===//
// Compilation
//===----------------------------------------------------------------------===//

/// Compiles one module for the CPU of `machine`; returns null on failure.
static std::unique_ptr<llvm::orc::LLJIT>
makeJit(llvm::orc::ThreadSafeModule module, llvm::TargetMachine &machine) {
  llvm::orc::JITTargetMachineBuilder description(machine.getTargetTriple());
  description.setCPU(machine.getTargetCPU().str());
  auto jit = llvm::orc::LLJITBuilder()
                 .setJITTargetMachineBuilder(std::move(description))
                 .create();
  if (!jit) {
    llvm::consumeError(jit.takeError());
    return nullptr;
  }
  if (llvm::Error error = (*jit)->addIRModule(std::move(module))) {
    llvm::consumeError(std::move(error));
    return nullptr;
  }
  return std::move(*jit);
}

CompiledKernel::CompiledKernel() = default;
CompiledKernel::~CompiledKernel() = default;

std::unique_ptr<CompiledKernel> KernelHarness::compile(const Target &target) {
  OpBuilder builder(&context);
  OwningOpRef<ModuleOp> code = ModuleOp::create(builder, kernel.getLoc());
  builder.setInsertionPointToEnd(code->getBody());
  CpuBackend backend;
  FailureOr<EmittedKernel> emitted =
      backend.emitKernel(kernel, target, builder);
  if (failed(emitted) || failed(mlir::verify(*code)) ||
      failed(backend.legalize(*code)) || failed(mlir::verify(*code)))
    return nullptr;
  auto llvmContext = std::make_unique<llvm::LLVMContext>();
  std::unique_ptr<llvm::Module> translated =
      translateModuleToLLVMIR(*code, *llvmContext);
  if (!translated)
    return nullptr;
  auto result = std::make_unique<CompiledKernel>();
  llvm::raw_string_ostream(result->llvmText) << *translated;
  std::unique_ptr<llvm::TargetMachine> machine =
      makeLevelMachine("x86-64-v" + std::to_string(target.level));
  translated->setTargetTriple(machine->getTargetTriple());
  translated->setDataLayout(machine->createDataLayout());
  for (llvm::Function &function : *translated)
    if (!function.isDeclaration())
      function.addFnAttr("target-cpu", machine->getTargetCPU());
  llvm::PipelineTuningOptions tuning;
  tuning.LoopVectorization = tuning.SLPVectorization = false;
  optimizeModule(*translated, *machine, tuning);
  result->jit =
      makeJit({std::move(translated), std::move(llvmContext)}, *machine);
  if (!result->jit)
    return nullptr;
  auto body = result->jit->lookup(emitted->name);
  auto tiles = result->jit->lookup(emitted->name + ".tiles");
  if (!body || !tiles) {
    llvm::consumeError(body.takeError());
    llvm::consumeError(tiles.takeError());
    return nullptr;
  }
  result->body = body->toPtr<void (*)(void *, int64_t, int64_t, int32_t)>();
  result->tiles = tiles->toPtr<int64_t (*)(void *)>();
  result->scratchBytes = emitted->scratchBytes;
  result->partialsBytes = emitted->partialsBytes;
  return result;
}

//===----------------------------------------------------------------------===//
// Running
//===----------------------------------------------------------------------===//

/// Returns the first address not below `memory` that is a multiple of 64.
static char *alignTo64(char *memory) {
  return reinterpret_cast<char *>(
      llvm::alignTo(reinterpret_cast<uintptr_t>(memory), 64));
}

KernelRun KernelHarness::run(const CompiledKernel &compiled,
                             ArrayRef<HostTensor> inputs,
                             ArrayRef<int64_t> symbols,
                             const std::map<unsigned, unsigned> &aliases) {
  constexpr int64_t workers = 3, guard = 64;
  std::vector<HostTensor> memory(inputs.begin(), inputs.end());
  KernelRun result{makeOutputs(symbols), {}};
  auto least = [&](AffineMap bytes) {
    return bytes ? *llvm::min_element(shapeOf(bytes.getResults(), symbols)) : 0;
  };
  int64_t scratchBytes =
      least(compiled.partialsBytes) + workers * least(compiled.scratchBytes);
  std::vector<char> scratch(scratchBytes + 2 * guard, 0x77);
  char *aligned = alignTo64(scratch.data());

  std::vector<int64_t> task;
  auto push = [&](void *pointer) {
    task.push_back(reinterpret_cast<int64_t>(pointer));
  };
  for (HostTensor &input : memory)
    push(input.data());
  // Outputs begin at multiples of 64, like buffers in the arena.
  std::vector<std::vector<char>> buffers;
  SmallVector<char *> targets;
  for (auto [number, output] : llvm::enumerate(result.outputs)) {
    auto alias = aliases.find(number);
    buffers.emplace_back(output.getNumBytes() + 64, 0x5a);
    targets.push_back(alias == aliases.end() ? alignTo64(buffers.back().data())
                                             : memory[alias->second].data());
    push(targets.back());
  }
  task.insert(task.end(), symbols.begin(), symbols.end());
  push(aligned);
  std::vector<int64_t> errors(kErrorCellBytes / 8 + kernel.countCells(),
                              std::numeric_limits<int64_t>::max());
  push(errors.data());
  task.push_back(workers);

  int64_t tiles = compiled.countTiles(task.data());
  auto runTiles = [&] {
    for (int64_t tile = tiles; tile-- > 0;)
      compiled.run(task.data(), tile, tile + 1, tile % workers);
    if (compiled.partialsBytes)
      compiled.run(task.data(), tiles, tiles + 1, 0);
  };
  runTiles();
  for (int64_t byte = 0; byte < guard; ++byte)
    EXPECT_EQ(aligned[scratchBytes + byte], 0x77)
        << "behind the scratch memory";
  for (auto [output, target] : llvm::zip_equal(result.outputs, targets))
    std::memcpy(output.data(), target, output.getNumBytes());
  result.errorCells.assign(errors.begin() + kErrorCellBytes / 8, errors.end());
  if (result.hasFailed()) {
    runTiles();
    result.errorValue = errors[kReportedValueBytes / 8];
  }
  return result;
}

std::vector<Target> tg::test::runnableTargets() {
  llvm::StringMap<bool> features = llvm::sys::getHostCPUFeatures();
  std::vector<Target> targets;
  for (int level : {2, 3, 4}) {
    if ((level == 3 && !features["avx2"]) ||
        (level == 4 && !features["avx512bw"]))
      continue;
    for (int optimization : {0, 2})
      targets.push_back({level, optimization, ""});
  }
  return targets;
}

/// Describes the first element that differs by more than the tolerance; returns
/// an empty string if none does.
static std::string compare(const HostTensor &found, const HostTensor &expected,
                           double tolerance) {
  bool isFloat = isa<FloatType>(found.getElementType());
  double floor = toleranceFloor(expected);
  for (int64_t i = 0; i < found.getNumElements(); ++i) {
    double a = found.numberAt(i);
    double b = expected.numberAt(i);
    if (!isClose(a, b, isFloat ? tolerance : 0, floor))
      return "element " + std::to_string(i) + " is " + std::to_string(a) +
             ", expected " + std::to_string(b);
  }
  return "";
}

namespace {
/// Inputs of one run of a kernel, and the expected outputs.
struct KernelCase {
  std::vector<int64_t> symbols;
  std::vector<HostTensor> inputs, expected;
};
} // namespace

/// Runs the machine code on one case and compares the outputs with the expected
/// ones.
static void checkRun(KernelHarness &harness, const CompiledKernel &compiled,
                     const KernelCase &one, const KernelCheck &check) {
  KernelRun run = harness.run(compiled, one.inputs, one.symbols, check.aliases);
  EXPECT_FALSE(run.hasFailed());
  for (size_t output = 0; output < one.expected.size(); ++output)
    EXPECT_EQ(
        compare(run.outputs[output], one.expected[output], check.tolerance), "")
        << "output " << output;
}

void tg::test::checkKernelOverExtents(StringRef text,
                                      ArrayRef<std::vector<int64_t>> lists,
                                      const KernelCheck &check) {
  KernelHarness harness(text);
  ASSERT_TRUE(harness.getKernel());
  std::vector<KernelCase> cases;
  for (const std::vector<int64_t> &symbols : lists) {
    std::vector<HostTensor> inputs = harness.makeInputs(symbols);
    if (check.prepare)
      check.prepare(inputs);
    std::vector<HostTensor> expected = harness.evaluate(inputs, symbols);
    cases.push_back({symbols, std::move(inputs), std::move(expected)});
  }
  for (const Target &target : runnableTargets()) {
    if (target.optimization < check.optimization)
      continue;
    SCOPED_TRACE("v" + std::to_string(target.level) + " -O" +
                 std::to_string(target.optimization));
    std::unique_ptr<CompiledKernel> compiled = harness.compile(target);
    ASSERT_TRUE(compiled);
    for (const KernelCase &one : cases) {
      SCOPED_TRACE("symbols " + testing::PrintToString(one.symbols));
      checkRun(harness, *compiled, one, check);
    }
  }
}

void tg::test::checkKernel(StringRef text, ArrayRef<int64_t> symbols,
                           const KernelCheck &check) {
  checkKernelOverExtents(text, {symbols.vec()}, check);
}
