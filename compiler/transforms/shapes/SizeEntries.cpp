//===- SizeEntries.cpp - attribute entries that operands may fill ---------===//
#include "compiler/transforms/shapes/SizeEntries.h"

using namespace mlir;
using namespace tg;

SmallVector<int64_t> tg::entriesOf(Operation *op, StringRef name) {
  std::optional<Attribute> attribute = op->getInherentAttr(name);
  if (!attribute || !*attribute)
    return {};
  if (auto number = dyn_cast<IntegerAttr>(*attribute))
    return {number.getInt()};
  return llvm::map_to_vector(
      cast<ArrayAttr>(*attribute).getAsRange<IntegerAttr>(),
      [](IntegerAttr entry) { return entry.getInt(); });
}

void tg::setEntry(Operation *op, StringAttr name, unsigned entry,
                  int64_t value) {
  Builder builder(op->getContext());
  Attribute attribute = *op->getInherentAttr(name);
  if (isa<IntegerAttr>(attribute)) {
    op->setInherentAttr(name, builder.getI64IntegerAttr(value));
    return;
  }
  SmallVector<int64_t> entries = entriesOf(op, name);
  entries[entry] = value;
  op->setInherentAttr(name, builder.getI64ArrayAttr(entries));
}

unsigned tg::positionOf(DynamicSizesOpInterface op, StringAttr name,
                        unsigned entry) {
  unsigned position = 0;
  for (StringRef each : op.getSizeAttributes()) {
    SmallVector<int64_t> all = entriesOf(op, each);
    if (each == name)
      return position + llvm::count(ArrayRef(all).take_front(entry), -1);
    position += llvm::count(all, -1);
  }
  llvm_unreachable("not a size attribute of the op");
}

void tg::fillEntry(DynamicSizesOpInterface op, StringAttr name, unsigned entry,
                   Value value) {
  unsigned position = positionOf(op, name, entry);
  setEntry(op, name, entry, -1);
  MutableOperandRange dynamic = op.getDynamicSizes();
  SmallVector<Value> values(OperandRange(dynamic).begin(),
                            OperandRange(dynamic).end());
  values.insert(values.begin() + position, value);
  dynamic.assign(values);
}
