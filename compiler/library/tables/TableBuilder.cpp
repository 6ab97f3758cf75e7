//===- TableBuilder.cpp - C structs as LLVM constants ---------------------===//
#include "compiler/library/tables/TableBuilder.h"
#include "dialects/tg/elements/ElementTypes.h"

using namespace tg;
using llvm::Constant;
using llvm::ConstantDataArray;
using llvm::ConstantInt;

TableBuilder::TableBuilder(llvm::Module &module) : module(module) {}

Constant *TableBuilder::word(uint32_t value) const {
  return ConstantInt::get(llvm::Type::getInt32Ty(module.getContext()), value);
}

Constant *TableBuilder::wide(uint64_t value) const {
  return ConstantInt::get(llvm::Type::getInt64Ty(module.getContext()), value);
}

Constant *TableBuilder::null() const {
  return llvm::ConstantPointerNull::get(
      llvm::PointerType::get(module.getContext(), 0));
}

Constant *TableBuilder::bytes(llvm::ArrayRef<uint8_t> values) const {
  return ConstantDataArray::get(module.getContext(), values);
}

Constant *TableBuilder::dtype(mlir::Type elementType) const {
  tg_dtype_t dtype = typeInfoOf(elementOf(elementType)).dtype;
  auto *byte = llvm::Type::getInt8Ty(module.getContext());
  auto *half = llvm::Type::getInt16Ty(module.getContext());
  return llvm::ConstantStruct::getAnon({ConstantInt::get(byte, dtype.code),
                                        ConstantInt::get(byte, dtype.bits),
                                        ConstantInt::get(half, dtype.lanes)});
}

Constant *TableBuilder::string(llvm::StringRef text) {
  Constant *&known = strings[text];
  if (!known)
    known = define(ConstantDataArray::getString(module.getContext(), text), "",
                   /*alignment=*/1);
  return known;
}

Constant *TableBuilder::numbers(llvm::ArrayRef<int64_t> values) {
  if (values.empty())
    return null();
  llvm::ArrayRef<uint64_t> words(
      reinterpret_cast<const uint64_t *>(values.data()), values.size());
  return define(ConstantDataArray::get(module.getContext(), words), "");
}

Constant *TableBuilder::list(llvm::ArrayRef<Constant *> pointers) {
  if (pointers.empty())
    return null();
  return array(pointers, "");
}

llvm::GlobalVariable *TableBuilder::define(Constant *value,
                                           llvm::StringRef name,
                                           uint64_t alignment) {
  auto linkage = name.empty() ? llvm::GlobalValue::PrivateLinkage
                              : llvm::GlobalValue::ExternalLinkage;
  auto *global =
      new llvm::GlobalVariable(module, value->getType(),
                               /*isConstant=*/true, linkage, value, name);
  global->setAlignment(llvm::Align(alignment));
  if (!name.empty())
    global->setVisibility(llvm::GlobalValue::HiddenVisibility);
  return global;
}

Constant *TableBuilder::array(llvm::ArrayRef<Constant *> entries,
                              llvm::StringRef name) {
  if (entries.empty())
    return define(word(0), name);
  auto *type = llvm::ArrayType::get(entries.front()->getType(), entries.size());
  return define(llvm::ConstantArray::get(type, entries), name);
}

Constant *TableBuilder::at(Constant *object, uint64_t offset) const {
  return llvm::ConstantExpr::getInBoundsGetElementPtr(
      llvm::Type::getInt8Ty(module.getContext()), object, wide(offset));
}

Constant *TableBuilder::external(llvm::StringRef name) {
  if (llvm::GlobalValue *known = module.getNamedValue(name))
    return known;
  auto *global = new llvm::GlobalVariable(
      module, llvm::Type::getInt8Ty(module.getContext()), /*isConstant=*/true,
      llvm::GlobalValue::ExternalLinkage, /*Initializer=*/nullptr, name);
  global->setVisibility(llvm::GlobalValue::HiddenVisibility);
  return global;
}
