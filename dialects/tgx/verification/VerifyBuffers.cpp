//===- VerifyBuffers.cpp - verification of the buffers of a function ------===//
#include "dialects/tgx/verification/FunctionVerifier.h"
#include "llvm/Support/ScopedPrinter.h"

using namespace mlir;
using namespace tgx;

Span tgx::spanOf(PartOp part) {
  int64_t begin = part.countElementsBefore();
  return {begin, begin + part.countRowElements()};
}

/// Describes, for messages, a value that a view, part or element may not have
/// as its source.
StringRef FunctionVerifier::describeKind(Value value) const {
  if (!memoryOf(value))
    return "a later buffer";
  return partOf(value) ? "a part" : "an element";
}

LogicalResult FunctionVerifier::visitPart(PartOp part) {
  Operation *memory = memoryOf(part.getSource());
  if (!memory || partOf(part.getSource()) ||
      elements.contains(part.getSource()))
    return part.emitOpError()
           << "expected the source to be an earlier buffer, found "
           << describeKind(part.getSource()) << " [C1]";
  memories[part.getBuffer()] = memory;
  PartOp known = parts.insert({memory, part}).first->second;
  auto extents = [](PartOp part) {
    return cast<RankedTensorType>(part.getSource().getType())
        .getShape()
        .drop_front(part.getAxis());
  };
  if (known.getAxis() == part.getAxis() && extents(known) == extents(part))
    return success();
  return part.emitOpError() << "expected parts of " << memory->getName()
                            << " along one axis, of sources with equal extents "
                               "[C3]";
}

//===----------------------------------------------------------------------===//
// Buffers
//===----------------------------------------------------------------------===//

LogicalResult FunctionVerifier::checkSize(Operation *op, Value buffer,
                                          AffineExpr bytes, const Twine &what,
                                          StringRef label) {
  BufferOpInterface sized = partOf(buffer);
  if (!sized)
    sized = elements.lookup(buffer);
  if (!sized)
    sized = cast<BufferOpInterface>(memoryOf(buffer));
  AffineExpr found = sized.countBytes();
  if (!equalities.differ(found, bytes))
    return success();
  // A buffer with data-dependent extents has room for their upper bounds. It
  // may be larger than its use needs.
  if (AffineExpr upperBound = function.upperBoundOf(bytes);
      function.countDataDependent() && upperBound &&
      tg::staticExtent(tg::simplifyExtent(found - upperBound)).value_or(0) >= 0)
    return success();
  return op->emitOpError() << "expected " << what << " to have "
                           << llvm::to_string(bytes) << " bytes, found "
                           << llvm::to_string(found) << " [" << label << "]";
}

LogicalResult FunctionVerifier::visitView(BufferOpInterface view) {
  Value viewed = view.getViewed();
  Value result = view->getResult(0);
  Operation *memory = memoryOf(viewed);
  if (!memory || partOf(viewed))
    return view->emitOpError()
           << "expected the source to be an earlier buffer, found "
           << describeKind(viewed) << " [C1]";
  memories[result] = memory;
  if (ElementOp element = elements.lookup(viewed))
    elements[result] = element;
  // The size of a view with a dynamic extent is checked at its uses.
  auto type = cast<RankedTensorType>(result.getType());
  if (!type.hasStaticShape())
    return success();
  int64_t bytes = *tg::checkedByteCount(type.getShape(), type.getElementType());
  return checkSize(view, viewed,
                   getAffineConstantExpr(bytes, function.getContext()),
                   "the memory", "C2");
}

LogicalResult FunctionVerifier::visitElement(ElementOp element) {
  Value source = element.getSource();
  Operation *memory = memoryOf(source);
  if (!memory || partOf(source))
    return element.emitOpError()
           << "expected the source to be an earlier buffer, found "
           << describeKind(source) << " [C1]";
  auto loop = cast<ForOp>(element->getParentOp());
  AffineExpr bytes = element.countBytes() * loop.getCount().getResult(0);
  if (failed(checkSize(element, source, bytes, "the source", "C2")))
    return failure();
  memories[element.getBuffer()] = memory;
  elements[element.getBuffer()] = element;
  return success();
}

LogicalResult FunctionVerifier::checkDeclaredOnce(BufferOpInterface buffer) {
  Attribute identity = buffer.getIdentity();
  if (!identity ||
      identities.insert({buffer->getName().getIdentifier(), identity}).second)
    return success();
  return buffer->emitOpError()
         << "expected one op for each buffer, found a second one for "
         << identity << " [C1]";
}

LogicalResult FunctionVerifier::visitBuffer(BufferOpInterface buffer) {
  if (buffer.getViewed())
    return visitView(buffer);
  if (auto part = dyn_cast<PartOp>(*buffer))
    return visitPart(part);
  if (auto element = dyn_cast<ElementOp>(*buffer))
    return visitElement(element);
  memories[buffer->getResult(0)] = buffer;
  if (buffer.isFilledAtEntry())
    filled.add(buffer);
  auto workspace = dyn_cast<WorkspaceOp>(*buffer);
  if (!workspace)
    return checkDeclaredOnce(buffer);
  if (workspace.getId() != workspaces.size())
    return workspace.emitOpError()
           << "expected buffers to be numbered in order, found id "
           << workspace.getId() << " after " << workspaces.size()
           << " others [C1]";
  workspaces.push_back(workspace);
  return success();
}
