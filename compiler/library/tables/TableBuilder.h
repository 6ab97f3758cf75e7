//===- TableBuilder.h - C structs as LLVM constants -----------------------===//
#ifndef TG_COMPILER_LIBRARY_TABLES_TABLEBUILDER_H
#define TG_COMPILER_LIBRARY_TABLES_TABLEBUILDER_H

#include "mlir/IR/Types.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Module.h"

namespace tg {

/// A builder of constant structs of abi.h and of the embedded runtime, field by
/// field in the order of the C declaration. Every constant has private linkage
/// unless it is named.
class TableBuilder {
public:
  explicit TableBuilder(llvm::Module &module);

  /// Return a 32-bit and a 64-bit integer.
  llvm::Constant *word(uint32_t value) const;
  llvm::Constant *wide(uint64_t value) const;
  llvm::Constant *null() const;
  llvm::Constant *bytes(llvm::ArrayRef<uint8_t> values) const;
  /// Returns a tg_dtype_t.
  llvm::Constant *dtype(mlir::Type elementType) const;
  /// Returns a zero-terminated string. Equal strings share one constant.
  llvm::Constant *string(llvm::StringRef text);
  /// Returns an array of i64; null if it is empty.
  llvm::Constant *numbers(llvm::ArrayRef<int64_t> values);
  /// Returns an array of numbers or of structs without pointers; null if it is
  /// empty.
  template <typename T> llvm::Constant *data(const std::vector<T> &values) {
    static_assert(std::is_trivially_copyable_v<T>);
    if (values.empty())
      return null();
    return define(bytes({reinterpret_cast<const uint8_t *>(values.data()),
                         values.size() * sizeof(T)}),
                  "");
  }
  /// Returns a named array of constants of one type.
  llvm::Constant *array(llvm::ArrayRef<llvm::Constant *> entries,
                        llvm::StringRef name);
  /// Returns an array of pointers; null if it is empty.
  llvm::Constant *list(llvm::ArrayRef<llvm::Constant *> pointers);
  /// Returns a private struct with the layout of T.
  template <typename T>
  llvm::Constant *record(llvm::ArrayRef<llvm::Constant *> fields) {
    return define(structOf<T>(fields), "");
  }
  /// Returns a struct with the layout of T, under a name that other objects of
  /// the library may use.
  template <typename T>
  llvm::Constant *record(llvm::ArrayRef<llvm::Constant *> fields,
                         llvm::StringRef name) {
    return define(structOf<T>(fields), name);
  }
  /// Defines a global variable for a constant: private if `name` is empty,
  /// otherwise hidden.
  llvm::GlobalVariable *define(llvm::Constant *value, llvm::StringRef name,
                               uint64_t alignment = 8);
  /// Returns the address of byte `offset` of an object.
  llvm::Constant *at(llvm::Constant *object, uint64_t offset) const;
  /// Declares a constant or function that the module or another object of the
  /// library defines.
  llvm::Constant *external(llvm::StringRef name);

  template <typename T>
  llvm::Constant *structOf(llvm::ArrayRef<llvm::Constant *> fields) {
    llvm::Constant *value =
        llvm::ConstantStruct::getAnon(module.getContext(), fields);
    assert(module.getDataLayout().getTypeAllocSize(value->getType()) ==
               sizeof(T) &&
           "the fields do not match the struct");
    return value;
  }

private:
  llvm::Module &module;
  llvm::StringMap<llvm::Constant *> strings;
};

} // namespace tg

#endif // TG_COMPILER_LIBRARY_TABLES_TABLEBUILDER_H
