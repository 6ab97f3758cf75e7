//===- LibraryKey.cpp - names of compiled programs ------------------------===//
#include "compiler/frontend/estimator/LibraryKey.h"
#include "compiler/library/code/BuildIdentity.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/SHA256.h"

std::string tg::estimator::libraryKey(const std::string &text) {
  llvm::SHA256 hash;
  hash.update(buildIdentity());
  hash.update(text);
  return llvm::toHex(hash.final(), /*LowerCase=*/true).substr(0, 32);
}
