//===- RowModules.cpp - modules of rows of the numeric table --------------===//
#include "test/numeric/bits/RowModules.h"
#include "test/numeric/OpTable.h"

using namespace llvm;
using namespace tg;
using namespace tg::test;

std::vector<std::string> test::makeRowModules(const std::string &floatType,
                                              size_t distance,
                                              size_t perModule) {
  ArrayRef<OpRow> table = getOpTable();
  std::vector<OpRow> rows;
  for (size_t row = 0; row < table.size(); row += distance)
    rows.push_back(table[row]);
  std::vector<std::string> modules;
  for (ArrayRef<OpRow> left = rows; !left.empty();
       left = left.drop_front(std::min(perModule, left.size())))
    modules.push_back(moduleText(
        left.take_front(std::min(perModule, left.size())), floatType));
  return modules;
}
