/// Reports a compiler that does not compile as C++20, before any other error.
#ifndef TG_CXX20_H
#define TG_CXX20_H

#if !defined(__cplusplus) || __cplusplus < 202002L
#error "the C++ headers of tg need C++20: compile with -std=c++20"
// A file that does not exist ends the compilation, so no other errors follow.
#include "the C++ headers of tg need C++20: compile with -std=c++20"
#endif

#endif // TG_CXX20_H
