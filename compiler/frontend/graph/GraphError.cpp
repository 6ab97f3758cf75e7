//===- GraphError.cpp - the text of errors and warnings -------------------===//
#include "tg/tensor/error.h"

using namespace tg;

static std::string describe(const std::string &sentence,
                            const std::string &source, unsigned line,
                            unsigned column) {
  if (line == 0)
    return "error: " + sentence;
  return source + ":" + std::to_string(line) + ":" + std::to_string(column) +
         ": error: " + sentence;
}

static std::string describe(const std::vector<GraphError> &more) {
  std::string lines;
  for (const GraphError &other : more)
    lines += std::string("\n") + other.what();
  return lines;
}

GraphError::GraphError(const std::string &sentence, const std::string &source,
                       unsigned atLine, unsigned atColumn,
                       const std::vector<GraphError> &more)
    : std::runtime_error(describe(sentence, source, atLine, atColumn) +
                         describe(more)),
      message(sentence), file(source), line(atLine), column(atColumn),
      others(more) {}
GraphError::GraphError(const std::string &sentence,
                       const std::source_location &where)
    : GraphError(sentence, where.file_name(), where.line(), where.column()) {}
GraphError::GraphError(const GraphError &) = default;
GraphError::~GraphError() = default;

std::string Warning::text() const {
  return file + ":" + std::to_string(line) + ":" + std::to_string(column) +
         ": warning: " + message;
}
