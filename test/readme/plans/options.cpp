// The frame of the fragment on options of docs/training.md. It includes the
// first block as a function; only main may omit the return statement.
#pragma GCC diagnostic ignored "-Wreturn-type"
#define main writeDigits
#include "block_1.h"
#undef main

int main() {
// the block
}
