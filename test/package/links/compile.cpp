/// Compiles a library without running it.
#include "Twice.h"

int main(int, char **arguments) { compileTwice(arguments[1]); }
