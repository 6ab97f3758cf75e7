//===- KernelCode.cpp - a kernel as an object file ------------------------===//
#include "compiler/library/code/KernelCode.h"
#include "compiler/library/code/BuildIdentity.h"
#include "compiler/library/code/MapText.h"
#include "compiler/library/code/TargetCode.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/SHA256.h"

using namespace mlir;
using namespace tg;

/// The name of every kernel while it is hashed, so that its own name does not
/// affect the hash.
static constexpr StringLiteral kAnyName = "kernel";

/// The prefix of function names; no kernel of a model has such a name.
static constexpr StringLiteral kPrefix = "tg.kernel.";

static std::string hashOf(StringRef text) {
  return llvm::toHex(llvm::SHA256::hash(llvm::arrayRefFromStringRef(text)),
                     /*LowerCase=*/true);
}

std::string tg::hashOfKernel(tgx::KernelOp kernel) {
  OwningOpRef<tgx::KernelOp> renamed(kernel.clone());
  renamed->setSymName(kAnyName);
  std::string text = buildIdentity();
  llvm::raw_string_ostream stream(text);
  renamed->print(stream, OpPrintingFlags()
                             .enableDebugInfo(false)
                             .useLocalScope()
                             .printGenericOpForm());
  return hashOf(text);
}

std::string tg::keyOfKernel(StringRef hash, const Target &target) {
  // The structured binding fails to compile when a field is added to Target, so
  // that the key is extended.
  const auto &[level, optimization, tune, kind] = target;
  return hashOf(llvm::join_items('\n', hash, std::to_string(level),
                                 std::to_string(optimization), tune, kind));
}

//===----------------------------------------------------------------------===//
// Serialization for the cache
//===----------------------------------------------------------------------===//

/// Writes the two maps, one a line, and the object.
static std::string serialize(const KernelCode &code) {
  return textOf(code.emitted.scratchBytes) + "\n" +
         textOf(code.emitted.partialsBytes) + "\n" +
         std::string(code.object.begin(), code.object.end());
}

/// Reads the bytes that `serialize` wrote for a kernel with the name of `code`.
/// Returns false, and changes nothing, for other bytes.
static bool deserialize(StringRef bytes, tgx::KernelOp kernel,
                        const Backend &backend, KernelCode &code) {
  auto [scratchText, rest] = bytes.split('\n');
  auto [partialsText, objectText] = rest.split('\n');
  auto parse = [&](StringRef text) {
    return parseMap(text, kernel.getSymbolCount(), kernel.getContext());
  };
  std::optional<AffineMap> scratch = parse(scratchText);
  std::optional<AffineMap> partials = parse(partialsText);
  CpuKernel functions = backend.getCpuCode()->findCpuKernel(code.emitted);
  // The object reader needs aligned bytes.
  FileBytes object(objectText.begin(), objectText.end());
  if (!scratch || !partials ||
      !isObjectOf(object, {functions.body, functions.tiles}))
    return false;
  code.emitted.scratchBytes = *scratch;
  code.emitted.partialsBytes = *partials;
  code.object = std::move(object);
  code.wasFound = true;
  return true;
}

//===----------------------------------------------------------------------===//
// Compilation
//===----------------------------------------------------------------------===//

/// Emits and compiles the kernel under the name of `code`.
static LogicalResult compileKernel(tgx::KernelOp kernel, const Backend &backend,
                                   const Target &target, KernelCode &code) {
  code.clock.start(Stage::loops);
  OwningOpRef<ModuleOp> module =
      copyKernels(kernel->getParentOfType<ModuleOp>(), kernel);
  auto copy = cast<tgx::KernelOp>(module->getBody()->front());
  copy.setSymName(code.emitted.name);
  if (failed(emitKernels(*module, target)))
    return failure();
  code.emitted = findEmitted(*module, code.emitted.name);
  code.clock.start(Stage::conversion);
  if (failed(backend.legalize(*module)))
    return failure();
  code.clock.start(Stage::translation);
  llvm::LLVMContext context;
  const CpuCode &cpu = *backend.getCpuCode();
  std::unique_ptr<llvm::Module> cpuModule = cpu.makeCpuModule(*module, context);
  if (!cpuModule)
    return failure();
  return cpu.write(*cpuModule, kernel, target,
                   llvm::CodeGenFileType::ObjectFile, code.object, code.clock);
}

LogicalResult tg::makeKernelCode(tgx::KernelOp kernel, StringRef key,
                                 const Backend &backend, const Target &target,
                                 const KernelCache &cache, KernelCode &code,
                                 CacheErrors &cacheErrors) {
  code.emitted.name = (kPrefix + key).str();
  if (std::optional<std::string> cached =
          cache.find(key, &cacheErrors.rejection))
    if (deserialize(*cached, kernel, backend, code))
      return success();
  if (failed(compileKernel(kernel, backend, target, code)))
    return failure();
  if (cache)
    cacheErrors.storeError = cache.store(key, serialize(code));
  return success();
}
