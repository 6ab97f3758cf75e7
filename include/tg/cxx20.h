/// Says first of all where a compiler was not asked for C++20.
#ifndef TG_CXX20_H
#define TG_CXX20_H

#if !defined(__cplusplus) || __cplusplus < 202002L
#error "the C++ headers of tg need C++20: compile with -std=c++20"
#endif

#endif // TG_CXX20_H
