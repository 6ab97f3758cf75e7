//===- TopKHeap.h - the greatest elements of a row ------------------------===//
#ifndef TG_COMPILER_CODEGEN_KERNEL_CUSTOM_TOPKHEAP_H
#define TG_COMPILER_CODEGEN_KERNEL_CUSTOM_TOPKHEAP_H

#include "compiler/codegen/kernel/ElementEmitter.h"
#include "dialects/tg/ops/structured/ReductionOps.h"

namespace tg {

/// The memory of a heap, which holds the results of a row at the end: values
/// and indices, and the offset of the first one of each.
struct HeapMemory {
  Elements values, indices;
  mlir::Value valueOffset, indexOffset;
};

/// Emits the selection from one row. A heap holds the best k elements so far,
/// with the last one in order on top; heap sort orders it at the end. The time
/// is proportional to extent times log k.
class TopKHeap {
public:
  TopKHeap(KernelContext &context, TopKOp op);

  /// Returns k.
  mlir::Value getCount() const { return count; }

  /// Emits the selection from row `row` of the operand, at the insertion point
  /// of the context. Fails after a diagnostic if the operand has no element
  /// rule.
  llvm::LogicalResult emit(mlir::Value row, HeapMemory memory);

private:
  /// An element of a row and its index in the row.
  struct Entry {
    mlir::Value value, index;
  };

  void delinearizeRow(mlir::Value row);
  void fillHeap();
  void scanRemaining();
  void sortHeap();
  Entry read(mlir::Value column);
  Entry load(mlir::Value node);
  void store(mlir::Value node, const Entry &entry);
  void siftDown(mlir::Value node, mlir::Value end, const Entry &entry);
  std::pair<mlir::Value, Entry> lastChild(mlir::Value node, mlir::Value end);
  mlir::Value isGreater(mlir::Value x, mlir::Value y);
  mlir::Value precedes(const Entry &x, const Entry &y);
  mlir::Value both(mlir::Value a, mlir::Value b);
  mlir::Value either(mlir::Value a, mlir::Value b);
  mlir::Value negate(mlir::Value a);
  mlir::Value choose(mlir::Value condition, mlir::Value a, mlir::Value b);

  KernelContext &context;
  TopKOp op;
  mlir::OpBuilder &builder;
  mlir::Location loc;
  IntegerOps ops;
  ElementEmitter elements;
  HeapMemory memory;
  /// The length of a row, and k.
  mlir::Value extent, count;
  /// The indices of the row in the leading dimensions.
  llvm::SmallVector<mlir::Value> rowIndex;
};

} // namespace tg

#endif // TG_COMPILER_CODEGEN_KERNEL_CUSTOM_TOPKHEAP_H
