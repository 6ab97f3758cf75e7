/// Tests the file format of a library: symbols, sections, trailer, reproducible
/// bytes.
#include "LibraryHarness.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Support/SHA256.h"
#include "gtest/gtest.h"
#include <cstring>
#include <set>

using namespace tg;
using namespace tg::test;

namespace {

using ElfFile = llvm::object::ELF64LEObjectFile;

/// Parses a library file as ELF, without its trailer.
std::unique_ptr<ElfFile> parse(const std::vector<char> &file) {
  llvm::Expected<ElfFile> elf = ElfFile::create(
      llvm::MemoryBufferRef({file.data(), file.size()}, "model"));
  if (!elf) {
    ADD_FAILURE() << llvm::toString(elf.takeError());
    return nullptr;
  }
  return std::make_unique<ElfFile>(std::move(*elf));
}

/// Returns the defined or the undefined names of the dynamic symbol table.
std::set<std::string> dynamicSymbols(const ElfFile &elf, bool undefined) {
  std::set<std::string> names;
  for (llvm::object::ELFSymbolRef symbol : elf.getDynamicSymbolIterators()) {
    bool isUndefined = llvm::cantFail(symbol.getFlags()) &
                       llvm::object::SymbolRef::SF_Undefined;
    std::string name = llvm::cantFail(symbol.getName()).str();
    if (isUndefined == undefined && !name.empty())
      names.insert(name);
  }
  return names;
}

TEST(LibraryFileTest, exports_one_function_and_needs_memory_functions) {
  std::vector<char> file = compile(kCounterModel, {});
  auto elf = parse(file);
  ASSERT_TRUE(elf);
  EXPECT_EQ(dynamicSymbols(*elf, /*undefined=*/false),
            std::set<std::string>{"tg_model_get"});
  for (const std::string &name : dynamicSymbols(*elf, /*undefined=*/true))
    EXPECT_TRUE(
        llvm::is_contained({"memcpy", "memmove", "memset", "memcmp"}, name))
        << name;
}

TEST(LibraryFileTest, has_no_section_for_data_that_changes) {
  std::vector<char> file = compile(kCounterModel, {});
  auto elf = parse(file);
  ASSERT_TRUE(elf);
  std::set<std::string> names;
  for (llvm::object::ELFSectionRef section : elf->sections())
    names.insert(llvm::cantFail(section.getName()).str());
  for (const char *name :
       {".data", ".bss", ".tdata", ".tbss", ".init_array", ".fini_array",
        ".symtab", ".debug_info", ".note.gnu.build-id"})
    EXPECT_FALSE(names.count(name)) << name;
  EXPECT_TRUE(names.count(".dynsym"));
}

TEST(LibraryFileTest, dynamic_section_binds_at_once_and_keeps_text) {
  std::vector<char> file = compile(kCounterModel, {});
  auto elf = parse(file);
  ASSERT_TRUE(elf);
  uint64_t flags = 0;
  auto entries = llvm::cantFail(elf->getELFFile().dynamicEntries());
  for (const auto &entry : entries) {
    EXPECT_NE(entry.getTag(), llvm::ELF::DT_TEXTREL);
    EXPECT_NE(entry.getTag(), llvm::ELF::DT_RPATH);
    EXPECT_NE(entry.getTag(), llvm::ELF::DT_RUNPATH);
    EXPECT_NE(entry.getTag(), llvm::ELF::DT_NEEDED);
    if (entry.getTag() == llvm::ELF::DT_FLAGS)
      flags = entry.getVal();
  }
  EXPECT_TRUE(flags & llvm::ELF::DF_BIND_NOW);
  bool hasRelro = false;
  for (const auto &header :
       llvm::cantFail(elf->getELFFile().program_headers())) {
    hasRelro |= header.p_type == llvm::ELF::PT_GNU_RELRO;
    if (header.p_type == llvm::ELF::PT_GNU_STACK)
      EXPECT_FALSE(header.p_flags & llvm::ELF::PF_X);
  }
  EXPECT_TRUE(hasRelro);
}

TEST(LibraryFileTest, trailer_seals_every_byte) {
  std::vector<char> file = compile(kCounterModel, {});
  ASSERT_GT(file.size(), sizeof(tg_trailer_t));
  size_t payload = file.size() - sizeof(tg_trailer_t);
  tg_trailer_t trailer;
  std::memcpy(&trailer, file.data() + payload, sizeof(trailer));
  EXPECT_EQ(std::memcmp(trailer.magic, TG_TRAILER_MAGIC, 8), 0);
  EXPECT_EQ(trailer.payload_bytes, payload);
  // The lowest ABI version that supports a model without host functions.
  EXPECT_EQ(trailer.abi_version, TG_ABI_MAJOR << 16);
  EXPECT_EQ(trailer.targets, 0x1cu);
  EXPECT_STREQ(trailer.symbol, "tg_model_get");
  auto bytes = reinterpret_cast<const uint8_t *>(file.data());
  EXPECT_EQ(llvm::toHex(llvm::SHA256::hash({bytes, payload})),
            llvm::toHex(llvm::ArrayRef<uint8_t>(trailer.payload_sha256)));
  EXPECT_EQ(llvm::toHex(llvm::SHA256::hash(
                {bytes + payload, offsetof(tg_trailer_t, trailer_sha256)})),
            llvm::toHex(llvm::ArrayRef<uint8_t>(trailer.trailer_sha256)));
  Loaded library(file);
  ASSERT_TRUE(library.model());
  EXPECT_EQ(std::memcmp(trailer.model_id, library.model()->model_id, 16), 0);
  EXPECT_EQ(std::memcmp(trailer.layout_id, library.model()->layout_id, 16), 0);
}

TEST(LibraryFileTest, equal_input_gives_equal_bytes) {
  for (int optimization : {0, 2}) {
    LibraryOptions options;
    options.optimization = optimization;
    EXPECT_EQ(compile(kCounterModel, options), compile(kCounterModel, options));
  }
}

TEST(LibraryFileTest, model_id_follows_program_and_options) {
  LibraryOptions options, lower;
  lower.optimization = 1;
  std::set<std::string> ids;
  const std::vector<std::pair<std::string, LibraryOptions>> cases = {
      {"a", options}, {"b", options}, {"a", lower}};
  for (const auto &[program, each] : cases) {
    std::string text = kCounterModel, name = "module @counter";
    text.replace(text.find(name), name.size(),
                 name + " attributes {tg.program = \"" + program + "\"}");
    Loaded library(compile(text, each));
    ASSERT_TRUE(library.model());
    ids.insert(llvm::toHex(llvm::ArrayRef<uint8_t>(library.model()->model_id)));
  }
  EXPECT_EQ(ids.size(), 3u);
}

TEST(LibraryFileTest, prefix_names_the_exported_function) {
  LibraryOptions options;
  options.symbolPrefix = "digits";
  std::vector<char> file = compile(kCounterModel, options);
  Loaded library(file, "digits_tg_model_get");
  EXPECT_NE(library.model(), nullptr);
  options.symbolPrefix = std::string(90, 'x');
  std::string messages;
  EXPECT_TRUE(compile(kCounterModel, options, &messages).empty());
  EXPECT_EQ(messages,
            "option 'symbol-prefix': expected at most 82 bytes, found 90\n");
}

TEST(LibraryFileTest, relocatable_has_one_global_function) {
  LibraryOptions options;
  options.symbolPrefix = "digits";
  options.relocatable = true;
  auto file = compile(kCounterModel, options);
  auto elf = parse(file);
  ASSERT_TRUE(elf);
  std::set<std::string> defined, undefined;
  for (llvm::object::ELFSymbolRef symbol : elf->symbols()) {
    if (symbol.getBinding() != llvm::ELF::STB_GLOBAL)
      continue;
    bool isUndefined = llvm::cantFail(symbol.getFlags()) &
                       llvm::object::SymbolRef::SF_Undefined;
    (isUndefined ? undefined : defined)
        .insert(llvm::cantFail(symbol.getName()).str());
  }
  EXPECT_EQ(defined, std::set<std::string>{"digits_tg_model_get"});
  for (const std::string &name : undefined)
    EXPECT_TRUE(llvm::is_contained(
        {"memcpy", "memmove", "memset", "memcmp", "_GLOBAL_OFFSET_TABLE_"},
        name))
        << name;
}

} // namespace
