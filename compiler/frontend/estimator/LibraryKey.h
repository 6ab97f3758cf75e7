//===- LibraryKey.h - names of compiled programs --------------------------===//
#ifndef TG_COMPILER_FRONTEND_ESTIMATOR_LIBRARYKEY_H
#define TG_COMPILER_FRONTEND_ESTIMATOR_LIBRARYKEY_H

#include <string>

namespace tg::estimator {

/// Returns a text of 32 digits that differs between programs and options, which
/// `text` describes, and between compilers that may emit different code.
std::string libraryKey(const std::string &text);

} // namespace tg::estimator

#endif // TG_COMPILER_FRONTEND_ESTIMATOR_LIBRARYKEY_H
