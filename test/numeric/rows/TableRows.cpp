//===- TableRows.cpp - training steps on lookup tables --------------------===//
//
// Random programs, compared with the interpreter, which computes dense
// gradients of the whole table: lookups with repeated indices, lookups in
// loops, clipping, and optimizers of all kinds.
//
//===----------------------------------------------------------------------===//
#include "test/numeric/OpRows.h"
#include <random>

using namespace tg::test;

namespace {
constexpr int kTableRows = 11;

/// Generates one training step of @table and @slot.
class TableProgram {
public:
  explicit TableProgram(unsigned seed) : seed(seed), random(seed) {}
  OpRow write();

private:
  bool toss() { return random() % 2; }
  /// Emits `op` and returns the name of its result, which has the table's
  /// shape.
  std::string table(const std::string &op, const std::string &operands,
                    const std::string &types);
  std::string binary(const std::string &op, const std::string &lhs,
                     const std::string &rhs);
  std::string scaled(const std::string &value, const std::string &number);
  std::string scalar(const std::string &op, const std::string &lhs,
                     const std::string &rhs);
  void addLookup();
  void addLoop();
  void addLoss(const std::string &rows, const std::string &type);
  std::string clip(std::string gradient);
  void update(const std::string &gradient);
  std::string fresh() { return "%v" + std::to_string(count++); }

  unsigned seed;
  std::mt19937 random;
  OpRow row;
  std::string loss;
  unsigned count = 0;
};
} // namespace

static const std::string kTable = "tensor<11x5xFLOAT>";
static const std::string kBoth =
    "(" + kTable + ", " + kTable + ") -> " + kTable;

std::string TableProgram::table(const std::string &op,
                                const std::string &operands,
                                const std::string &types) {
  std::string name = fresh();
  row.body += name + " = tg." + op + " " + operands + " : " + types + "\n";
  return name;
}

std::string TableProgram::binary(const std::string &op, const std::string &lhs,
                                 const std::string &rhs) {
  return table(op, lhs + ", " + rhs, kBoth);
}

std::string TableProgram::scaled(const std::string &value,
                                 const std::string &number) {
  return table("mul", value + ", " + number,
               "(" + kTable + ", tensor<FLOAT>) -> " + kTable);
}

std::string TableProgram::scalar(const std::string &op, const std::string &lhs,
                                 const std::string &rhs) {
  return table(op, lhs + ", " + rhs,
               "(tensor<FLOAT>, tensor<FLOAT>) -> tensor<FLOAT>");
}

/// Adds tanh(rows) * random numbers, summed, to the loss.
void TableProgram::addLoss(const std::string &rows, const std::string &type) {
  std::string factor = "c" + std::to_string(row.inputs.size());
  row.inputs.push_back({factor, type});
  std::string tensor = row.inputs.back().getType("FLOAT");
  std::string bent = table("tanh", rows, tensor);
  std::string product = table("mul", bent + ", %" + factor,
                              "(" + tensor + ", " + tensor + ") -> " + tensor);
  std::string sum =
      table("reduce_sum", product, "(" + tensor + ") -> tensor<FLOAT>");
  loss = loss.empty() ? sum : scalar("add", loss, sum);
}

void TableProgram::addLookup() {
  std::string number = std::to_string(1 + random() % 7) + (toss() ? "?" : "");
  if (toss())
    number += "x2";
  std::string name = "i" + std::to_string(row.inputs.size());
  row.inputs.push_back({name, number + (toss() ? "xi32" : "xi64"), 0,
                        // Few distinct indices, so that they repeat often.
                        toss() ? 3.0 : double(kTableRows - 1)});
  std::string indices = row.inputs.back().getType("FLOAT");
  RowTensor rows{"", number + "x5xFLOAT"};
  std::string found =
      table("gather", "%w, %" + name,
            "(" + kTable + ", " + indices + ") -> " + rows.getType("FLOAT"));
  addLoss(found, rows.type);
}

/// Adds a loop that sums the rows selected by a carried index and by an input.
void TableProgram::addLoop() {
  std::string steps = toss() ? "4" : "4?";
  std::string name = "s" + std::to_string(row.inputs.size());
  row.inputs.push_back({name, steps + "x3xi32", 0, 4});
  std::string inputs = row.inputs.back().getType("FLOAT");
  std::string last = fresh();
  row.body +=
      "%zero" + name + " = tg.constant dense<0.1> : tensor<3x5xFLOAT>\n" +
      last + " = tg.scan inits(%zero" + name + ") inputs(%" + name + ") " +
      (toss() ? "{segments = 2} " : "") + ": (tensor<3x5xFLOAT>, " + inputs +
      ") -> tensor<3x5xFLOAT> {\n" +
      "^bb0(%old: tensor<3x5xFLOAT>, %in: tensor<3xi32>):\n"
      "  %r = tg.gather %w, %in : (" +
      kTable +
      ", tensor<3xi32>) -> tensor<3x5xFLOAT>\n"
      "  %m = tg.mul %r, %old : (tensor<3x5xFLOAT>, tensor<3x5xFLOAT>) "
      "-> tensor<3x5xFLOAT>\n"
      "  %n = tg.add %m, %r : (tensor<3x5xFLOAT>, tensor<3x5xFLOAT>) -> "
      "tensor<3x5xFLOAT>\n"
      "  %bent = tg.tanh %n : tensor<3x5xFLOAT>\n"
      "  tg.yield %bent : tensor<3x5xFLOAT>\n}\n";
  addLoss(last, "3x5xFLOAT");
}

/// Clips the gradient by value, by norm, by a condition, or not at all.
std::string TableProgram::clip(std::string gradient) {
  if (toss()) {
    std::string low = table("maximum", gradient + ", %low",
                            "(" + kTable + ", tensor<FLOAT>) -> " + kTable);
    gradient = table("minimum", low + ", %high",
                     "(" + kTable + ", tensor<FLOAT>) -> " + kTable);
  }
  if (toss()) {
    std::string squares = binary("mul", gradient, gradient);
    std::string sum =
        table("reduce_sum", squares, "(" + kTable + ") -> tensor<FLOAT>");
    std::string norm = table("sqrt", sum, "tensor<FLOAT>");
    std::string larger = scalar("maximum", norm, "%high");
    gradient = scaled(gradient, scalar("div", "%high", larger));
  }
  return gradient;
}

void TableProgram::update(const std::string &gradient) {
  std::string weight, slot;
  switch (random() % 4) {
  case 0: // plain descent
    weight = binary("sub", "%w", scaled(gradient, "%rate"));
    break;
  case 1: { // Adagrad
    slot = binary("add", "%a", binary("mul", gradient, gradient));
    std::string root = table("sqrt", slot, kTable);
    weight =
        binary("sub", "%w", binary("div", scaled(gradient, "%rate"), root));
    break;
  }
  case 2: // momentum
    slot = binary("add", scaled("%a", "%rate"), gradient);
    weight = binary("sub", "%w", scaled(slot, "%rate"));
    break;
  case 3: // conditional gradient ascent
    weight = binary("add", scaled(gradient, "%rate"), "%w");
    weight = table("select", "%q, " + weight + ", %w",
                   "(tensor<i1>, " + kTable + ", " + kTable + ") -> " + kTable);
    break;
  }
  row.body += "tg.assign @table, " + weight + " : " + kTable + "\n";
  if (!slot.empty())
    row.body += "tg.assign @slot, " + slot + " : " + kTable + "\n";
}

OpRow TableProgram::write() {
  row.name = "update_table_" + std::to_string(seed);
  row.inputs = {{"rate", "FLOAT", 0.1, 0.5},
                {"q", "i1", 0, 1},
                {"t", "11x5xFLOAT"},
                {"b", "11x5xFLOAT", 0.5, 2}};
  row.variables = rowVariables();
  row.gradient = false;
  row.tolerance = 1e-5;
  row.body += "tg.assign @table, %t : " + kTable + "\n" +
              "tg.assign @slot, %b : " + kTable + "\n" +
              "%w = tg.read @table : " + kTable + "\n" +
              "%a = tg.read @slot : " + kTable + "\n" +
              "%low = tg.constant dense<-0.6> : tensor<FLOAT>\n"
              "%high = tg.constant dense<0.7> : tensor<FLOAT>\n";
  for (unsigned lookups = 1 + random() % 3; lookups > 0; --lookups)
    random() % 3 ? addLookup() : addLoop();
  row.body += "%g = tg.gradient " + loss + " wrt(%w) : (tensor<FLOAT>, " +
              kTable + ") -> " + kTable + "\n";
  update(clip("%g"));
  row.body += "%y = tg.read @table : " + kTable + "\n" +
              "%z = tg.read @slot : " + kTable;
  row.outputs = {{"y", "11x5xFLOAT"}, {"z", "11x5xFLOAT"}};
  return row;
}

void tg::test::addTableRows(std::vector<OpRow> &rows) {
  for (unsigned seed = 0; seed < 40; ++seed)
    rows.push_back(TableProgram(seed).write());
}
