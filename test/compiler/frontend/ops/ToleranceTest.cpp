/// Prints and checks a table of distances. The gradients of control flow and of
/// layers over sequences are compared with central differences, and all
/// compiled results with unrolled loops.
#include "ToleranceRows.h"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <iomanip>
#include <iostream>
#include <regex>
#include <set>

using namespace tg;

namespace {
/// The largest allowed differences, relative to 1 or to the number, whichever
/// is greater.
constexpr double greatestOfUnrolled = 1e-12, greatestOfDifferences = 1e-6;

Array arrayOf(const Given &given, size_t number) {
  std::vector<int64_t> extents;
  for (const Extent &extent : given.shape)
    extents.push_back(extent.value);
  Array array(given.dtype, extents);
  for (size_t i = 0; i < array.size(); ++i)
    array.set(i, given.elements.empty()
                     ? std::sin(double(number) + 12.9898 * double(i + 1))
                     : given.elements[i]);
  return array;
}

Tensor lossOf(const Tensors &values) {
  Tensor loss;
  for (const Tensor &value : values)
    if (value.dtype() == f64) {
      Tensor sum = reduceSum(square(value)) * 0.1;
      loss = loss.isDefined() ? loss + sum : sum;
    }
  return loss;
}

/// The results of a row, the gradients of a loss of the results, and the
/// gradients of a loss of these gradients, by the float inputs and then by the
/// variables.
struct Derived {
  Tensors values, first, second;

  Tensors all() const {
    Tensors list = values;
    list.insert(list.end(), first.begin(), first.end());
    list.insert(list.end(), second.begin(), second.end());
    return list;
  }
};

Derived derive(const Row &row, const Program &program, const Tensors &inputs) {
  Derived found;
  GradientTape outer, inner;
  Tensors sources;
  for (const Tensor &input : inputs)
    if (input.dtype() == f64) {
      outer.watch(input);
      inner.watch(input);
      sources.push_back(input);
    }
  found.values = row.build(inputs);
  Tensor loss = lossOf(found.values);
  for (const Variable &variable : program.variables())
    sources.push_back(variable);
  auto differentiate = [&](GradientTape &tape, const Tensor &target) {
    Tensors list = tape.gradient(target, sources);
    for (size_t i = 0; i < list.size(); ++i)
      if (!list[i].isDefined())
        list[i] = zerosLike(sources[i]);
    return list;
  };
  found.first = differentiate(inner, loss);
  found.second = differentiate(outer, lossOf(found.first));
  return found;
}

std::vector<Array> squareOfHost(const std::vector<Array> &inputs) {
  Array square(inputs[0].dtype(), inputs[0].shape());
  for (size_t i = 0; i < square.size(); ++i)
    square.set(i, inputs[0].at(i) * inputs[0].at(i));
  return {square};
}

std::vector<double> numbersOf(const Tensor &tensor) {
  if (tensor.dtype() == f64)
    return tensor.values<double>();
  std::vector<int64_t> numbers = tensor.values<int64_t>();
  return {numbers.begin(), numbers.end()};
}

using Numbers = std::vector<std::vector<double>>;

/// The row evaluated op by op: each iteration of a loop runs eagerly, and C++
/// takes the branches.
struct Unrolled {
  Numbers results, variables;

  explicit Unrolled(const Row &row) {
    ExecutionScope scope(true);
    Program program("row");
    registerHost(program, "square", squareOfHost);
    onPrint(program, {});
    Tensors inputs;
    for (size_t i = 0; i < row.inputs.size(); ++i)
      inputs.push_back(tensorOf(program, row.inputs[i], i));
    for (const Tensor &tensor : derive(row, program, inputs).all())
      results.push_back(numbersOf(tensor));
    for (const Variable &variable : program.variables())
      variables.push_back(numbersOf(variable));
  }

private:
  static Tensor tensorOf(const Program &program, const Given &given, size_t i) {
    Array array = arrayOf(given, i);
    Program owner = program;
    if (given.dtype == i64)
      return owner.tensor(array.to<int64_t>(), given.shape);
    return owner.tensor(array.to<double>(), given.shape);
  }
};

/// The row as compiled code.
class Compiled {
public:
  Compiled(const Row &row, const Numbers &variables) {
    for (size_t i = 0; i < row.inputs.size(); ++i) {
      arrays.push_back(arrayOf(row.inputs[i], i));
      Shape shape;
      for (const Extent &extent : row.inputs[i].shape)
        shape.push_back(extent.name.empty() ? extent : dim(extent.name));
      inputs.push_back(
          program.input("x" + std::to_string(i), row.inputs[i].dtype, shape));
    }
    Derived derived = derive(row, program, inputs);
    firsts = derived.values.size();
    seconds = firsts + derived.first.size();
    for (const Tensor &tensor : derived.all())
      fetches.emplace_back(tensor);
    fetches.emplace_back(lossOf(derived.values));
    fetches.emplace_back(lossOf(derived.first));
    session.emplace(program,
                    SessionOptions{.optimization = 1, .kernelCache = ""});
    session->registerHost("square", squareOfHost);
    session->onPrint({});
    for (size_t i = 0; i < variables.size(); ++i) {
      Variable variable = program.variables()[i];
      values.emplace_back(variables[i], extentsOf(variable.shape()));
      session->setValue(variable, values[i]);
    }
  }

  /// Returns the largest difference between the results and `expected`.
  double compare(const Numbers &expected) {
    std::vector<Array> found = run();
    EXPECT_EQ(found.size(), expected.size() + 2);
    double greatest = 0;
    for (size_t i = 0; i < expected.size(); ++i) {
      EXPECT_EQ(found[i].size(), expected[i].size()) << "result " << i;
      for (size_t e = 0; e < expected[i].size(); ++e)
        greatest =
            std::max(greatest, differenceOf(found[i].at(e), expected[i][e]));
    }
    return greatest;
  }

  /// Returns the largest differences between the gradients and central
  /// differences, for first and second order.
  std::pair<double, double> differentiate() {
    std::vector<Array> found = run();
    double first = 0, second = 0;
    size_t source = 0;
    auto move = [&](Array &array) {
      for (size_t e = 0; e < array.size();
           e += std::max<size_t>(1, array.size() / 8)) {
        auto [loss, slope] = slopesAt(array, e);
        first =
            std::max(first, differenceOf(found[firsts + source].at(e), loss));
        second = std::max(second,
                          differenceOf(found[seconds + source].at(e), slope));
      }
      ++source;
    };
    for (Array &array : arrays)
      if (array.dtype() == f64)
        move(array);
    for (Array &array : values)
      move(array);
    return {first, second};
  }

  std::string text() const { return program.graphText(); }

private:
  static double differenceOf(double found, double expected) {
    return std::abs(found - expected) / std::max(1.0, std::abs(expected));
  }
  static std::vector<int64_t> extentsOf(const Shape &shape) {
    std::vector<int64_t> extents;
    for (const Extent &extent : shape)
      extents.push_back(extent.value);
    return extents;
  }

  std::vector<Array> run() {
    std::vector<Feed> feeds;
    for (size_t i = 0; i < inputs.size(); ++i)
      feeds.emplace_back(inputs[i], arrays[i]);
    for (size_t i = 0; i < values.size(); ++i)
      session->setValue(program.variables()[i], values[i]);
    return session->run(fetches, feeds);
  }

  /// Returns the central differences of both losses for one element.
  std::pair<double, double> slopesAt(Array &array, size_t element) {
    double at = array.at(element);
    double step = 1e-5 * std::max(1.0, std::abs(at));
    array.set(element, at + step);
    std::vector<Array> above = run();
    array.set(element, at - step);
    std::vector<Array> below = run();
    array.set(element, at);
    size_t last = above.size() - 1;
    auto slope = [&](size_t i) {
      return (above[i].scalar() - below[i].scalar()) / (2 * step);
    };
    return {slope(last - 1), slope(last)};
  }

  ExecutionScope scope{false};
  Program program{"row"};
  Tensors inputs;
  std::vector<Array> arrays, values;
  std::vector<Fetch> fetches;
  /// The indices of the first fetched gradient of each order.
  size_t firsts = 0, seconds = 0;
  std::optional<Session> session;
};

std::vector<Row> allRows() {
  std::vector<Row> rows = opRows();
  std::vector<Row> layers = layerRows();
  rows.insert(rows.end(), layers.begin(), layers.end());
  std::vector<Row> functions = functionRows();
  rows.insert(rows.end(), functions.begin(), functions.end());
  return rows;
}

/// Returns the op or layer of each row.
std::set<std::string> headsOf(const std::vector<Row> &rows) {
  std::set<std::string> heads;
  for (const Row &row : rows)
    heads.insert(row.name.substr(0, row.name.find(' ')));
  return heads;
}

/// Returns the names that a pattern matches in a file.
std::set<std::string> namesIn(const std::filesystem::path &path,
                              const std::string &pattern) {
  std::ifstream file(path);
  std::string text(std::istreambuf_iterator<char>(file), {});
  std::regex name(pattern);
  std::set<std::string> names;
  for (std::sregex_iterator i(text.begin(), text.end(), name), end; i != end;
       ++i)
    names.insert((*i)[1]);
  return names;
}

/// Returns the layers of a header, including common base classes.
std::set<std::string> layersOf(const std::string &header) {
  return namesIn(std::filesystem::path(TG_NN_HEADERS) / header,
                 "class (\\w+) : public");
}

/// Returns the ops of a family of the dialect, except region terminators.
std::set<std::string> opsOf(const std::string &family) {
  std::set<std::string> ops;
  for (const std::filesystem::directory_entry &entry :
       std::filesystem::recursive_directory_iterator(TG_DIALECT))
    if (entry.path().filename() == family + "Ops.td")
      ops = namesIn(entry.path(), "def Tg_\\w+Op : Tg_\\w+<\"(\\w+)\"");
  ops.erase("yield");
  return ops;
}
} // namespace

TEST(Tolerance, RowsAgreeWithUnrolledOnesAndWithDifferences) {
  std::cout << std::left << std::setw(48) << "row" << std::setw(11)
            << "unrolled" << std::setw(15) << "first order"
            << "second order\n"
            << std::scientific << std::setprecision(1);
  for (const Row &row : allRows()) {
    SCOPED_TRACE(row.name);
    Unrolled unrolled(row);
    Compiled compiled(row, unrolled.variables);
    double distance = compiled.compare(unrolled.results);
    auto [first, second] = compiled.differentiate();
    std::cout << std::setw(48) << row.name << std::setw(11) << distance
              << std::setw(15) << first << second << '\n';
    EXPECT_LE(distance, greatestOfUnrolled);
    EXPECT_LE(first, greatestOfDifferences);
    EXPECT_LE(second, greatestOfDifferences);
  }
}

TEST(Tolerance, EveryLayerHasARow) {
  std::set<std::string> heads = headsOf(layerRows());
  for (const char *header : {"Recurrent.h", "Attention.h"}) {
    std::set<std::string> layers = layersOf(header);
    EXPECT_GE(layers.size(), 3u) << header;
    for (const std::string &layer : layers)
      EXPECT_TRUE(layer == "Recurrent" || heads.contains(layer)) << layer;
  }
  EXPECT_TRUE(heads.contains("Embedding"));
}

/// Each row contains the op that it is named after. The families of control
/// flow and of the host have a row for each op.
TEST(Tolerance, EveryOpHasARow) {
  std::set<std::string> heads = headsOf(opRows());
  for (const char *family : {"Control", "Host"}) {
    std::set<std::string> ops = opsOf(family);
    EXPECT_GE(ops.size(), 3u) << family;
    for (const std::string &op : ops)
      EXPECT_TRUE(heads.contains(op)) << op;
  }
  for (const char *op :
       {"cos", "cumsum", "custom_gradient", "ensure_shape", "nonzero", "sin"})
    EXPECT_TRUE(heads.contains(op)) << op;
  for (const Row &row : opRows()) {
    std::string op = "tg." + row.name.substr(0, row.name.find(' ')) + " ";
    EXPECT_NE(Compiled(row, {}).text().find(op), std::string::npos) << row.name;
  }
}
