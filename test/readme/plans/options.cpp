// The program around the fragment of the README on options: the one that the
// first block makes. Only main may do without a return.
#pragma GCC diagnostic ignored "-Wreturn-type"
#define main writeDigits
#include "block_1.h"
#undef main

int main() {
// the block
}
