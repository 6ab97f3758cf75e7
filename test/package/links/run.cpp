/// Runs a library that another program compiled.
#include "Run.h"

int main(int, char **arguments) { return runTwice(arguments[1]); }
