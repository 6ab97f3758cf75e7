/// Compiles a library and runs it.
#include "Run.h"
#include "Twice.h"

int main(int, char **arguments) {
  compileTwice(arguments[1]);
  return runTwice(arguments[1]);
}
