/// Runs a library that was made elsewhere.
#include "Run.h"

int main(int, char **arguments) { return runTwice(arguments[1]); }
