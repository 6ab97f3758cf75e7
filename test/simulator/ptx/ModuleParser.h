/// A recursive descent parser of PTX, whose errors are thrown as `Error`.
#ifndef TG_TEST_SIMULATOR_PTX_MODULEPARSER_H
#define TG_TEST_SIMULATOR_PTX_MODULEPARSER_H

#include "Lexer.h"

#include <set>

namespace tg::ptx {

/// Parses one module.
class ModuleParser {
public:
  explicit ModuleParser(std::string_view text) : lexer(text) { advance(); }

  /// Parses the whole text.
  Module parse();

private:
  // Tokens.
  void advance() { token = lexer.next(); }
  [[noreturn]] void failExpected(std::string_view expected) const;
  bool takeIf(char mark);
  bool takeIfDotted(std::string_view name);
  void expect(char mark);
  std::string_view expectName();
  uint64_t expectInteger(uint64_t most);
  void skipLine();
  void skipSection();

  // Directives of modules.
  void parseVersion();
  void parseTarget();
  bool parseModuleDirective();
  void parseDeclaration();
  bool skipDebugDirective();

  // Variables.
  bool parseSpace(Space &space);
  Variable parseVariable(Space space, bool isExternal);
  void parseAttributes(Variable &variable);
  uint64_t parseExtents(bool isExternal, Variable &variable);
  void parseValue(Variable &variable);
  void parseElement(Variable &variable, uint64_t at);
  void parseAddress(Variable &variable, uint64_t at);

  // Functions.
  void parseFunction(bool isEntry);
  std::vector<Variable> parseParameters();
  void parseFunctionDirectives();
  std::array<uint32_t, 3> parseThreads();
  void parseBody();
  void parseBodyItem();
  void parseBodyDirective();
  void parseRegisters();
  void parseBranchTargets(std::string label);
  void addLabel(std::string_view name);
  void checkLabels() const;

  // Scopes of names in braces.
  std::string declare(std::string_view name);
  std::string resolve(std::string_view name) const;

  // Instructions.
  void parseInstruction();
  void parseNamedInstruction(Instruction instruction, std::string_view name);
  Operand parseOperand();
  Operand parseNamedOperand();
  Operand parseNumber(bool isNegative);
  Operand parseAddressOperand();
  Operand parseElements(Operand::Kind kind, char close);
  int64_t parseOffset();

  Lexer lexer;
  Token token;
  Module module;
  Function function;
  /// The names declared in each open brace, and their unique names.
  std::vector<std::map<std::string, std::string, std::less<>>> scopes;
  unsigned uniqueCount = 0;
  /// The bytes of all initial values, which are limited.
  uint64_t valueBytes = 0;
};

} // namespace tg::ptx

#endif
