//===- StubBitcode.cpp - the checks that every model carries --------------===//
#include "compiler/codegen/library/StubBitcode.h"

__asm__(".section .rodata\n"
        ".balign 16\n"
        ".local tgStubBitcodeBegin\n"
        ".local tgStubBitcodeEnd\n"
        "tgStubBitcodeBegin: .incbin \"" TG_STUB_BITCODE "\"\n"
        "tgStubBitcodeEnd: .byte 0\n"
        ".text\n");

extern "C" const char tgStubBitcodeBegin[], tgStubBitcodeEnd[];

llvm::StringRef tg::stubBitcode() {
  return {tgStubBitcodeBegin, size_t(tgStubBitcodeEnd - tgStubBitcodeBegin)};
}
