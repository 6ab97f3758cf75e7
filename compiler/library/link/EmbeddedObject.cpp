//===- EmbeddedObject.cpp - the object of the embedded runtime ------------===//
#include "compiler/library/link/EmbeddedObject.h"

__asm__(".section .rodata\n"
        ".balign 16\n"
        ".local tgEmbeddedObjectBegin\n"
        ".local tgEmbeddedObjectEnd\n"
        "tgEmbeddedObjectBegin: .incbin \"" TG_EMBEDDED_OBJECT "\"\n"
        "tgEmbeddedObjectEnd: .byte 0\n"
        ".text\n");

extern "C" const char tgEmbeddedObjectBegin[], tgEmbeddedObjectEnd[];

llvm::ArrayRef<char> tg::embeddedObject() {
  return {tgEmbeddedObjectBegin, tgEmbeddedObjectEnd};
}
