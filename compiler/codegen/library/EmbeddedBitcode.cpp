//===- EmbeddedBitcode.cpp - the checks that every model carries
//--------------===//
#include "compiler/codegen/library/EmbeddedBitcode.h"

__asm__(".section .rodata\n"
        ".balign 16\n"
        ".local tgEmbeddedBitcodeBegin\n"
        ".local tgEmbeddedBitcodeEnd\n"
        "tgEmbeddedBitcodeBegin: .incbin \"" TG_EMBEDDED_BITCODE "\"\n"
        "tgEmbeddedBitcodeEnd: .byte 0\n"
        ".text\n");

extern "C" const char tgEmbeddedBitcodeBegin[], tgEmbeddedBitcodeEnd[];

llvm::StringRef tg::embeddedBitcode() {
  return {tgEmbeddedBitcodeBegin,
          size_t(tgEmbeddedBitcodeEnd - tgEmbeddedBitcodeBegin)};
}
