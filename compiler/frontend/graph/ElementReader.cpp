//===- ElementReader.cpp - reads data sets from any place -----------------===//

#include "compiler/frontend/graph/DatasetElements.h"
#include "compiler/frontend/graph/Iterators.h"
#include "tg/data/loader.hpp"

#include <charconv>

using namespace tg;
using namespace tg::dsl;

/// The position after the end of a pass.
static constexpr char kEnd[] = "end";

/// Begins to read at a position.
static std::shared_ptr<data::Loader>
openLoader(const data::Dataset &examples, uint32_t threads,
           const std::function<data::Position()> &start, Place where) {
  try {
    // With one thread, an element is read when it is asked for.
    return std::make_shared<data::Loader>(
        examples,
        data::LoaderOptions{.threads = threads > 1 ? threads : 0,
                            .prefetch = threads},
        start());
  } catch (const data::DataError &error) {
    throw GraphError(error.what(), where);
  }
}

ElementReader::ElementReader(const Dataset &data, int64_t pass)
    : loader(openLoader(
          data.state->examples, data.state->threads,
          [&] { return data::Position{static_cast<uint64_t>(pass), {}}; },
          data.state->where)),
      where(data.state->where) {}

ElementReader::ElementReader(const Dataset &data, const std::string &position)
    : loader(openLoader(
          data.state->examples, data.state->threads,
          [&] {
            return position == kEnd ? data::Position()
                                    : data::Position::parse(position);
          },
          data.state->where)),
      where(data.state->where), isAtEnd(position == kEnd) {}

bool ElementReader::next(Dataset::Element &element) {
  if (isAtEnd)
    return false;
  try {
    const data::Example *next = loader->next();
    isAtEnd = !next;
    if (next)
      element = elementOf(next->features, where);
    return !isAtEnd;
  } catch (const data::DataError &error) {
    throw GraphError(error.what(), where);
  }
}

std::string ElementReader::position() const {
  return isAtEnd ? kEnd : loader->position().text();
}

std::string ElementReader::describe(const Dataset &data) {
  return data.state->examples.description();
}

//===----------------------------------------------------------------------===//
// Places of iterators
//===----------------------------------------------------------------------===//

void IteratorReading::begin(const Dataset &next) {
  reader = std::make_shared<ElementReader>(next, passes);
  ++passes;
  data = next;
}

// A place is a text of lines: the number of passes, the position, which is
// empty before the first pass, and the description of the data set.
std::string IteratorReading::place(const Dataset &first) const {
  return std::to_string(passes) + "\n" + (reader ? reader->position() : "") +
         "\n" + ElementReader::describe(reader ? data : first);
}

/// Removes the first part of a text up to a separator, and returns it.
static std::string takePart(std::string &text, const std::string &separator) {
  const size_t end = text.find(separator);
  std::string part = text.substr(0, end);
  text.erase(0, end == text.npos ? end : end + separator.size());
  return part;
}

/// Throws GraphError if two data sets differ, with the first stage that does.
static void expectSame(std::string saved, std::string current,
                       const std::string &subject, Place where) {
  if (saved == current)
    return;
  std::string expected, found;
  do {
    expected = takePart(saved, " | ");
    found = takePart(current, " | ");
  } while (expected == found && !(saved.empty() && current.empty()));
  const auto quote = [](const std::string &stage) {
    return stage.empty() ? "nothing" : "'" + stage.substr(0, 120) + "'";
  };
  throw GraphError(subject + " is a place in another dataset: expected " +
                       quote(expected) + ", found " + quote(found),
                   where);
}

IteratorReading IteratorReading::at(const std::string &place,
                                    const Dataset &data,
                                    const std::string &subject,
                                    std::source_location where) {
  std::string rest = place;
  const std::string passes = takePart(rest, "\n");
  const std::string position = takePart(rest, "\n");
  expectSame(rest, ElementReader::describe(data), subject, where);
  IteratorReading reading;
  const char *const end = passes.data() + passes.size();
  const auto [last, error] =
      std::from_chars(passes.data(), end, reading.passes);
  if (error != std::errc() || last != end || reading.passes < 0 ||
      (reading.passes == 0) != position.empty())
    throw GraphError(subject + " is not a place of an iterator: found '" +
                         place.substr(0, 40) + "'",
                     where);
  if (position.empty())
    return reading;
  reading.data = data;
  try {
    reading.reader = std::make_shared<ElementReader>(data, position);
  } catch (const GraphError &failed) {
    throw GraphError(
        subject + " is not a place in the dataset: " + failed.what(), where);
  }
  return reading;
}
