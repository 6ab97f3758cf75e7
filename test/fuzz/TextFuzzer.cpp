//===- TextFuzzer.cpp - compiles models as text, up to their loops --------===//
//
// Checks that a text is compiled or refused with a message, and that a second
// run gives the same outcome. MLIR is not instrumented for coverage, so the ops
// of the model and the messages guide the fuzzer.
//
//===----------------------------------------------------------------------===//
#include "compiler/driver/Pipeline.h"
#include "compiler/frontend/text/ReadModel.h"
#include "compiler/frontend/text/Stack.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/Hashing.h"
#include "llvm/Support/xxhash.h"

#include <cstdlib>

using namespace mlir;
using namespace tg;

/// The extra counters of libFuzzer. It keeps inputs that change a counter.
__attribute__((
    section("__libfuzzer_extra_counters"))) static uint8_t seen[1 << 16];

static void note(StringRef what) {
  uint8_t &count = seen[llvm::xxh3_64bits(what) % std::size(seen)];
  count += count < 255;
}

static void expect(bool holds, StringRef what) {
  if (holds)
    return;
  llvm::errs() << "expected " << what << "\n";
  std::abort();
}

namespace {
/// The result of compiling a text.
struct Outcome {
  std::string file, messages;
  bool operator==(const Outcome &) const = default;
};
} // namespace

/// Returns the message without its input-specific parts.
static std::string kindOf(StringRef message) {
  std::string kind;
  for (StringRef part = message; !part.empty(); part = part.drop_front()) {
    if (part.front() == '\'' && !part.starts_with("'tg."))
      part = part.drop_front().drop_until([](char c) { return c == '\''; });
    if (!part.empty() && !llvm::isDigit(part.front()))
      kind += part.front();
    if (part.empty())
      break;
  }
  return kind;
}

static Outcome compile(StringRef text) {
  DialectRegistry registry;
  registerModelDialects(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  Outcome outcome;
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    std::string message = diagnostic.str();
    outcome.messages += message + "\n";
    note(kindOf(message));
    return success();
  });
  llvm::SourceMgr sources;
  OwningOpRef<ModuleOp> module =
      parseModel(context, sources,
                 llvm::MemoryBuffer::getMemBufferCopy(text, "model.mlir"));
  bool isCompiled = false;
  if (module) {
    module->walk([](Operation *op) { note(op->getName().getStringRef()); });
    CompileOptions options;
    options.levels = {3};
    // Lowering kernels to loops takes longer than all earlier phases.
    options.stopAfter = text.size() % 4 == 0 ? Phase::kernels : Phase::schedule;
    CompileResult result;
    isCompiled = succeeded(compileModule(*module, options, result));
    outcome.file.assign(result.file.begin(), result.file.end());
  }
  expect(isCompiled || !outcome.messages.empty(), "a sentence");
  note(isCompiled ? "compiled" : module ? "refused late" : "refused early");
  return outcome;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  StringRef text(reinterpret_cast<const char *>(bytes), size);
  llvm::Error error = runOnLargeStack([&] {
    Outcome first = compile(text);
    if (size % 8 == 0)
      expect(compile(text) == first, "the same twice");
  });
  expect(!error, "a stack");
  llvm::consumeError(std::move(error));
  return 0;
}
