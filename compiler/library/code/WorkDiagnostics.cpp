//===- WorkDiagnostics.cpp - diagnostics of parallel work -----------------===//
#include "compiler/library/code/WorkDiagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/Support/Threading.h"

using namespace mlir;
using namespace tg;

WorkDiagnostics::WorkDiagnostics(MLIRContext *context)
    : engine(context->getDiagEngine()) {
  handler = engine.registerHandler([this](Diagnostic &diagnostic) {
    std::lock_guard lock(mutex);
    entries.push_back(
        {threads.lookup(llvm::get_threadid()), std::move(diagnostic)});
    return success();
  });
}

WorkDiagnostics::~WorkDiagnostics() { engine.eraseHandler(handler); }

void WorkDiagnostics::enter(size_t work) {
  std::lock_guard lock(mutex);
  threads[llvm::get_threadid()] = work;
}

void WorkDiagnostics::emitFirst() {
  engine.eraseHandler(handler);
  handler = 0;
  size_t first = SIZE_MAX;
  for (const Entry &entry : entries)
    first = std::min(first, entry.work);
  for (Entry &entry : entries)
    if (entry.work == first)
      engine.emit(std::move(entry.diagnostic));
}
