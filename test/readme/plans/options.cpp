// The frame of the README's fragment on options. It includes the first block as
// a function; only main may omit the return statement.
#pragma GCC diagnostic ignored "-Wreturn-type"
#define main writeDigits
#include "block_1.h"
#undef main

int main() {
// the block
}
