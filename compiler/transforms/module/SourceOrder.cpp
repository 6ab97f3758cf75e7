//===- SourceOrder.cpp - diagnostics in source order ----------------------===//
#include "compiler/transforms/module/SourceOrder.h"
#include "mlir/IR/Location.h"
#include "mlir/IR/MLIRContext.h"

using namespace mlir;
using namespace tg;

namespace {
/// A source position: the number of the file, counted from 1 in the order of
/// first mention, the line and the column. All three are 0 for a diagnostic
/// without a position, so it comes first.
using SourcePosition = std::tuple<size_t, unsigned, unsigned>;
} // namespace

static SourcePosition positionOf(const Diagnostic &diagnostic,
                                 SmallVectorImpl<StringRef> &files) {
  auto position = diagnostic.getLocation()->findInstanceOf<FileLineColLoc>();
  if (!position)
    return {0, 0, 0};
  StringRef name = position.getFilename().getValue();
  size_t file = llvm::find(files, name) - files.begin();
  if (file == files.size())
    files.push_back(name);
  return {file + 1, position.getLine(), position.getColumn()};
}

/// Returns a copy that owns its text, because the arguments of a diagnostic may
/// no longer exist when it is emitted.
static Diagnostic copyOf(Diagnostic &diagnostic) {
  Diagnostic copy(diagnostic.getLocation(), diagnostic.getSeverity());
  copy << diagnostic.str();
  for (Diagnostic &note : diagnostic.getNotes())
    copy.attachNote(note.getLocation()) << note.str();
  return copy;
}

SourceOrder::SourceOrder(MLIRContext *context)
    : ScopedDiagnosticHandler(context,
                              [this](Diagnostic &diagnostic) {
                                if (isEmitting)
                                  return failure();
                                if (!isFull())
                                  diagnostics.push_back(copyOf(diagnostic));
                                return success();
                              }),
      context(context) {}

SourceOrder::~SourceOrder() {
  isEmitting = true;
  SmallVector<StringRef> files;
  std::vector<std::pair<SourcePosition, size_t>> order;
  for (auto [index, diagnostic] : llvm::enumerate(diagnostics))
    order.emplace_back(positionOf(diagnostic, files), index);
  llvm::sort(order);
  std::string last;
  SourcePosition lastPosition;
  for (auto [position, index] : order) {
    // Two rules, or two paths to an op, may report the same error.
    std::string text = diagnostics[index].str();
    bool isRepeated = text == last && position == lastPosition;
    last = text;
    lastPosition = position;
    if (isRepeated)
      continue;
    context->getDiagEngine().emit(std::move(diagnostics[index]));
  }
}
