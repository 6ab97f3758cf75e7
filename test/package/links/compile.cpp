/// Makes a library and runs nothing.
#include "Twice.h"

int main(int, char **arguments) { compileTwice(arguments[1]); }
