/// The commands of tgc-data.
#ifndef TG_TOOLS_TGCDATA_COMMANDS_H
#define TG_TOOLS_TGCDATA_COMMANDS_H

#include "CommandLine.h"

namespace tg {

/// A command: its name, the number of words after it, and its function, which
/// prints to standard output and throws data::DataError.
struct Command {
  const char *name;
  int words;
  void (*run)(const CommandLine &line);
};

/// Returns the command with a name, or null.
const Command *findCommand(const std::string &name);
/// Returns the names of all commands for a message.
std::string listCommands();

void printInfo(const CommandLine &line);
void verify(const CommandLine &line);
void dump(const CommandLine &line);
void convert(const CommandLine &line);
void writeBatches(const CommandLine &line);
void printOrder(const CommandLine &line);
void bench(const CommandLine &line);

} // namespace tg

#endif // TG_TOOLS_TGCDATA_COMMANDS_H
