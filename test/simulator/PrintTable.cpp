// Prints a module with every instruction of the table, for ptxas.
#include "support/TableModule.h"

#include <iostream>

int main() {
  std::cout << tg::test::printTable();
  return std::cout.flush() ? 0 : 1;
}
