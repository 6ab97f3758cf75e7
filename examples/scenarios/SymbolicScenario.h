/// Tools for the scenarios of symbolic layers.
#ifndef TG_EXAMPLES_SCENARIOS_SYMBOLICSCENARIO_H
#define TG_EXAMPLES_SCENARIOS_SYMBOLICSCENARIO_H

#include "Scenario.h"

#include <sstream>

/// Returns the text of a program without source locations.
inline std::string operations(const tg::Program &program) {
  std::istringstream lines(program.text());
  std::string operations;
  for (std::string line; std::getline(lines, line);)
    if (!line.starts_with("#loc"))
      operations += line.substr(0, line.find(" loc(")) + "\n";
  return operations;
}

#endif // TG_EXAMPLES_SCENARIOS_SYMBOLICSCENARIO_H
