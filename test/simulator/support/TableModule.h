/// A module with every instruction of the table.
#ifndef TG_TEST_SIMULATOR_SUPPORT_TABLEMODULE_H
#define TG_TEST_SIMULATOR_SUPPORT_TABLEMODULE_H

#include <string>

namespace tg::test {

/// Returns a module in which each row of the table stands with all of its
/// types, and with each of its modifiers at least once.
std::string printTable();

} // namespace tg::test

#endif
