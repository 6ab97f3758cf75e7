//===- SlabLayout.cpp - offsets of variables in the slab ------------------===//
#include "compiler/library/plan/SlabLayout.h"
#include "dialects/tg/ops/control/StateOps.h"
#include "tg/abi.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/SHA256.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace tg;

/// Returns the role that a variable has explicitly or by default.
static uint32_t roleOf(tg::VariableOp variable) {
  if (std::optional<StringRef> role = variable.getRole())
    return llvm::StringSwitch<uint32_t>(*role)
        .Case("parameter", TG_ROLE_PARAMETER)
        .Case("statistic", TG_ROLE_STATISTIC)
        .Case("step", TG_ROLE_STEP)
        .Case("random", TG_ROLE_RANDOM)
        .Default(TG_ROLE_OTHER);
  if (variable.getTrainable())
    return TG_ROLE_PARAMETER;
  return variable.getSlotOf() ? TG_ROLE_SLOT : TG_ROLE_OTHER;
}

/// Returns the names of the variables that functions use.
static llvm::StringSet<> usedVariables(ModuleOp module) {
  llvm::StringSet<> used;
  for (auto function : module.getOps<tgx::FunctionOp>())
    for (Operation &op : function.getBlock()) {
      if (auto slab = dyn_cast<tgx::SlabOp>(op))
        used.insert(slab.getVariable());
      else if (auto packed = dyn_cast<tgx::PackedOp>(op))
        used.insert(packed.getVariable());
    }
  return used;
}

/// The size from which variables begin at page boundaries, and the size of a
/// page. An optimizer update traverses a variable and its slots at the same
/// time. If their offsets within a page differ by a few hundred bytes, each
/// load waits for preceding stores whose addresses look equal to the CPU (4K
/// aliasing).
static constexpr uint64_t kLargeBytes = 64 * 1024, kPageBytes = 4096;

LogicalResult SlabLayout::add(tg::VariableOp variable) {
  SlabEntry entry{variable, roleOf(variable), /*owner=*/-1, bytes, /*bytes=*/0};
  RankedTensorType type = entry.getType();
  entry.bytes = *checkedByteCount(type.getShape(), type.getElementType());
  if (entry.bytes > uint64_t(INT64_MAX) - 2 * kPageBytes - bytes)
    return variable.emitOpError()
           << "expected the variables to have fewer than 2^63 bytes, found "
           << bytes + entry.bytes;
  if (entry.bytes >= kLargeBytes)
    entry.offset = llvm::alignTo(bytes, kPageBytes);
  bytes = alignUp(entry.offset + entry.bytes);
  indices[variable.getSymName()] = entries.size();
  entries.push_back(entry);
  return success();
}

/// Returns true if inference needs the variable.
static bool isUsedInInference(tg::VariableOp variable) {
  uint32_t role = roleOf(variable);
  return role == TG_ROLE_PARAMETER || role == TG_ROLE_STATISTIC;
}

/// Returns the variables in the slab, in its order.
static SmallVector<tg::VariableOp> variablesOf(ModuleOp module, bool keepsAll) {
  auto all = module.getOps<tg::VariableOp>();
  if (keepsAll)
    return SmallVector<tg::VariableOp>(all.begin(), all.end());
  llvm::StringSet<> used = usedVariables(module);
  SmallVector<tg::VariableOp> variables;
  for (bool isFront : {true, false})
    for (tg::VariableOp variable : all)
      if (isUsedInInference(variable) == isFront &&
          used.contains(variable.getSymName()))
        variables.push_back(variable);
  return variables;
}

FailureOr<SlabLayout> SlabLayout::create(ModuleOp module, bool keepsAll) {
  SlabLayout layout;
  SmallVector<tg::VariableOp> variables = variablesOf(module, keepsAll);
  if (variables.empty())
    return layout;
  layout.bytes = sizeof(tg_slab_header_t);
  for (tg::VariableOp variable : variables)
    if (failed(layout.add(variable)))
      return failure();
  for (SlabEntry &entry : layout.entries) {
    std::optional<StringRef> owner = entry.variable.getSlotOf();
    if (entry.role == TG_ROLE_SLOT && layout.indices.contains(*owner))
      entry.owner = layout.indices.lookup(*owner);
  }
  return layout;
}

std::array<uint8_t, 16> SlabLayout::getId() const {
  std::string text;
  llvm::raw_string_ostream os(text);
  for (const SlabEntry &entry : entries) {
    RankedTensorType type = entry.getType();
    tg::VariableOp variable = entry.variable;
    os << variable.getSymName() << '\t'
       << typeInfoOf(elementOf(type.getElementType())).name << '\t';
    llvm::interleave(type.getShape(), os, ",");
    os << '\t' << entry.role << '\t' << entry.offset << '\n';
  }
  os << bytes << '\n';
  std::array<uint8_t, 32> hash =
      llvm::SHA256::hash(llvm::arrayRefFromStringRef(text));
  std::array<uint8_t, 16> id;
  std::copy_n(hash.begin(), id.size(), id.begin());
  return id;
}
