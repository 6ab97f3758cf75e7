//===- HostTables.cpp - the tables of calls of the host -------------------===//
#include "compiler/library/tables/HostTables.h"

using namespace tg;
using llvm::Constant;
using Constants = llvm::SmallVector<Constant *>;

/// Emits an array of tg_host_value_t.
static Constant *emitHostValues(llvm::ArrayRef<mlir::RankedTensorType> types,
                                TableBuilder &table) {
  Constants entries;
  for (mlir::RankedTensorType type : types) {
    llvm::SmallVector<int64_t> dims(type.getShape());
    for (int64_t &dim : dims)
      dim = std::max<int64_t>(dim, -1);
    entries.push_back(table.record<tg_host_value_t>(
        {table.word(sizeof(tg_host_value_t)),
         table.dtype(type.getElementType()), table.numbers(dims),
         table.word(type.getRank()), table.word(0)}));
  }
  return table.list(entries);
}

Constant *tg::emitHostNeeds(const FunctionPlan &function, TableBuilder &table) {
  Constants entries;
  for (const HostNeedPlan &need : function.hostNeeds)
    entries.push_back(table.record<tg_host_need_t>(
        {table.word(sizeof(tg_host_need_t)), table.word(need.location),
         table.string(need.name), emitHostValues(need.inputs, table),
         emitHostValues(need.outputs, table), table.word(need.inputs.size()),
         table.word(need.outputs.size())}));
  return table.list(entries);
}

Constant *tg::emitHostSteps(const FunctionProgram &program,
                            TableBuilder &table) {
  Constants entries;
  for (const HostStep &step : program.hostSteps)
    entries.push_back(table.record<tg_embedded_host_step_t>(
        {table.word(step.action), table.word(step.location),
         table.string(step.text), table.data(step.values),
         table.word(step.inputCount), table.word(step.outputCount),
         table.word(step.staging), table.word(0)}));
  return table.list(entries);
}
