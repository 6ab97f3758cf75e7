//===- LinkedFile.cpp - checks and edits of a linked file -----------------===//
#include "compiler/library/link/Link.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/ObjCopy/ConfigManager.h"
#include "llvm/ObjCopy/ObjCopy.h"
#include "llvm/Object/ELFObjectFile.h"

using namespace tg;
using llvm::Error;
using llvm::StringRef;

Error tg::localizeHidden(llvm::ArrayRef<char> object,
                         llvm::SmallVectorImpl<char> &result,
                         const SymbolNames *names) {
  auto binary = llvm::object::ObjectFile::createObjectFile(
      llvm::MemoryBufferRef({object.data(), object.size()}, "object"));
  if (!binary)
    return binary.takeError();
  llvm::objcopy::ConfigManager config;
  config.ELF.LocalizeHidden = true;
  if (!names)
    config.Common.DiscardMode = llvm::objcopy::DiscardType::All;
  else
    for (const auto &[symbol, name] : *names)
      config.Common.SymbolsToRename[symbol] = name;
  result.clear();
  llvm::raw_svector_ostream stream(result);
  return llvm::objcopy::executeObjcopyOnBinary(config, **binary, stream);
}

/// Returns true if models may call the function of this name, which every libc
/// has.
static bool isOfLibc(StringRef name) {
  return llvm::is_contained({"memcpy", "memmove", "memset", "memcmp"}, name);
}

/// Fails if an undefined symbol is not guaranteed to be in a libc.
static Error checkUndefined(const llvm::object::ELFObjectFileBase &file) {
  for (llvm::object::ELFSymbolRef symbol : file.getDynamicSymbolIterators()) {
    llvm::Expected<uint32_t> flags = symbol.getFlags();
    llvm::Expected<StringRef> name = symbol.getName();
    if (!flags || !name)
      return llvm::joinErrors(flags.takeError(), name.takeError());
    if (*flags & llvm::object::SymbolRef::SF_Undefined && !name->empty() &&
        !isOfLibc(*name))
      return llvm::createStringError(
          "expected the library to need only memcpy, memmove, memset and "
          "memcmp, found " +
          *name);
  }
  return Error::success();
}

/// Fails if a section stays writable after relocation.
static Error checkWritable(const llvm::object::ELFObjectFileBase &file) {
  for (llvm::object::ELFSectionRef section : file.sections()) {
    llvm::Expected<StringRef> name = section.getName();
    if (!name)
      return name.takeError();
    bool isWritable = section.getFlags() & llvm::ELF::SHF_WRITE;
    if (isWritable && section.getSize() &&
        !llvm::is_contained(
            {".dynamic", ".got", ".got.plt", ".data.rel.ro", ".relro_padding"},
            *name))
      return llvm::createStringError(
          "expected the library to have no writable data, found section " +
          *name);
  }
  return Error::success();
}

Error tg::checkLibrary(llvm::ArrayRef<char> library) {
  auto binary = llvm::object::ObjectFile::createELFObjectFile(
      llvm::MemoryBufferRef({library.data(), library.size()}, "library"));
  if (!binary)
    return binary.takeError();
  auto &file = llvm::cast<llvm::object::ELFObjectFileBase>(**binary);
  if (Error error = checkUndefined(file))
    return error;
  return checkWritable(file);
}

/// Returns the names of the symbols that an object exports; none if it needs a
/// symbol that is not from libc, or cannot be read.
static std::optional<llvm::StringSet<>>
findDefined(const llvm::object::ELFObjectFileBase &file) {
  llvm::StringSet<> defined;
  for (const llvm::object::ELFSymbolRef symbol : file.symbols()) {
    llvm::Expected<uint32_t> flags = symbol.getFlags();
    llvm::Expected<StringRef> name = symbol.getName();
    if (!flags || !name) {
      llvm::consumeError(llvm::joinErrors(flags.takeError(), name.takeError()));
      return std::nullopt;
    }
    if (!(*flags & llvm::object::SymbolRef::SF_Global))
      continue;
    if (!(*flags & llvm::object::SymbolRef::SF_Undefined))
      defined.insert(*name);
    else if (!isOfLibc(*name) && *name != "_GLOBAL_OFFSET_TABLE_")
      return std::nullopt;
  }
  return defined;
}

bool tg::isObjectOf(llvm::ArrayRef<char> object,
                    llvm::ArrayRef<StringRef> functions) {
  auto binary = llvm::object::ObjectFile::createELFObjectFile(
      llvm::MemoryBufferRef({object.data(), object.size()}, "object"));
  if (!binary) {
    llvm::consumeError(binary.takeError());
    return false;
  }
  auto *file = llvm::cast<llvm::object::ELFObjectFileBase>(binary->get());
  if (file->getEType() != llvm::ELF::ET_REL ||
      file->getEMachine() != llvm::ELF::EM_X86_64)
    return false;
  if (llvm::Error error = checkWritable(*file)) {
    llvm::consumeError(std::move(error));
    return false;
  }
  std::optional<llvm::StringSet<>> defined = findDefined(*file);
  return defined && defined->size() == functions.size() &&
         llvm::all_of(functions,
                      [&](StringRef name) { return defined->contains(name); });
}
