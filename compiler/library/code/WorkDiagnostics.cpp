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
  // Orders work items with an error before all others.
  auto rankOf = [](const Entry &entry) {
    bool isError = entry.diagnostic.getSeverity() == DiagnosticSeverity::Error;
    return std::pair(!isError, entry.work);
  };
  auto first = llvm::min_element(entries, [&](const Entry &a, const Entry &b) {
    return rankOf(a) < rankOf(b);
  });
  if (first == entries.end())
    return;
  size_t work = first->work;
  for (Entry &entry : entries)
    if (entry.work == work)
      engine.emit(std::move(entry.diagnostic));
}
