//===- HostTables.h - the tables of calls of the host ---------------------===//
#ifndef TG_COMPILER_LIBRARY_TABLES_HOSTTABLES_H
#define TG_COMPILER_LIBRARY_TABLES_HOSTTABLES_H

#include "compiler/library/plan/FunctionProgram.h"
#include "compiler/library/tables/TableBuilder.h"

namespace tg {

/// Returns the list of the host functions that a function calls
/// (tg_host_need_t).
llvm::Constant *emitHostNeeds(const FunctionPlan &function,
                              TableBuilder &table);

/// Returns the list of the host steps of a program (tg_embedded_host_step_t).
llvm::Constant *emitHostSteps(const FunctionProgram &program,
                              TableBuilder &table);

} // namespace tg

#endif // TG_COMPILER_LIBRARY_TABLES_HOSTTABLES_H
