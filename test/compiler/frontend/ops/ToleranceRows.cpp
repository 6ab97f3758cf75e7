/// Rows of the table of tolerances.
#include "ToleranceRows.h"

using namespace tg;

static const Shape rowsOf4 = {Extent(3, "n"), 4};
static const Given lengths = {{Extent(4, "n")}, i64, {5, 0, 2, 1}};
static const Given sequence = {{Extent(4, "n"), Extent(5, "t"), 3}};

static Tensors stepOf(const Tensors &values) {
  Tensor next = tanh(values[0] * 0.5 + matmul(values[1], values[2]));
  return {next, next * values[1]};
}

std::vector<Row> opRows() {
  std::vector<Row> rows = {
      {"sin", {{rowsOf4}}, [](auto x) { return Tensors{sin(x[0] * 3.0)}; }},
      {"cos", {{rowsOf4}}, [](auto x) { return Tensors{cos(x[0] * 3.0)}; }},
      {"nonzero",
       {{rowsOf4}},
       [](auto x) {
         return Tensors{nonzero(x[0] > 0), booleanMask(x[0], x[0] > 0)};
       }},
      {"ensure_shape bounds",
       {{rowsOf4}},
       [](auto x) {
         return Tensors{ensureShape(booleanMask(x[0], x[0] < 0), {-1}, {12}) *
                        2.0};
       }},
      {"custom_gradient",
       {{rowsOf4}, {rowsOf4}},
       [](auto x) {
         return customGradient(
             {x[0], x[1]}, [](auto in) { return Tensors{in[0] * sin(in[1])}; },
             [](auto in, auto, auto g) {
               return Tensors{g[0] * sin(in[1]), g[0] * in[0] * cos(in[1])};
             });
       }},
      {"host_call",
       {{{3, 4}}},
       [](auto x) {
         return customGradient(
             {x[0]},
             [](auto in) {
               return Tensors{
                   hostCall("square", {in[0]}, in[0].type(), {.pure = true})};
             },
             [](auto in, auto, auto g) { return Tensors{g[0] * in[0] * 2.0}; });
       }},
      {"print",
       {{rowsOf4}},
       [](auto x) { return Tensors{print("square", x[0] * x[0])}; }},
      {"assert", {{rowsOf4}}, [](auto x) {
         return Tensors{assertPositive(exp(x[0]))};
       }}};
  for (bool exclusive : {false, true})
    for (bool reverse : {false, true})
      for (int64_t axis : {0, 1})
        rows.push_back({"cumsum" + std::string(exclusive ? " exclusive" : "") +
                            (reverse ? " reverse" : "") + " of axis " +
                            std::to_string(axis),
                        {{rowsOf4}},
                        [=](auto x) {
                          return Tensors{cumsum(x[0], {.axis = axis,
                                                       .exclusive = exclusive,
                                                       .reverse = reverse})};
                        }});
  for (bool taken : {true, false})
    rows.push_back({taken ? "if taken" : "if not taken",
                    {{rowsOf4}, {rowsOf4}},
                    [=](auto x) {
                      Tensor sum = reduceSum(x[0] * x[0]);
                      return cond(
                          taken ? sum > 0 : sum < 0,
                          [&] { return Tensors{x[0] * x[1], sin(x[0])}; },
                          [&] { return Tensors{sin(x[1]), x[0] * sum}; });
                    }});
  rows.push_back(
      {"while", {{rowsOf4}, {{4, 4}}}, [](auto x) {
         Tensors found = whileLoop(
             [](const Tensors &v) { return reduceSum(square(v[1])) > 0.2; },
             [&](const Tensors &v) {
               return Tensors{v[0] + 1, tanh(matmul(v[1], x[1]) * 0.4)};
             },
             {0, x[0]}, {.maxTrip = 20});
         return Tensors{found[1]};
       }});
  for (bool reverse : {false, true})
    for (int64_t segments : {0, 2, 7})
      rows.push_back(
          {"scan" + std::string(reverse ? " reverse" : "") + " segments " +
               std::to_string(segments),
           {{{Extent(5, "t"), Extent(3, "n"), 4}}, {rowsOf4}, {{4, 4}}},
           [=](auto x) {
             return scan([&](Tensor state,
                             Tensor row) { return stepOf({row, state, x[2]}); },
                         {x[1]}, {x[0]},
                         {.reverse = reverse, .segments = segments});
           }});
  rows.push_back({"scan length", {{rowsOf4}}, [](auto x) {
                    return scan(
                        [](Tensor v) { return Tensors{sin(v) * 2.0, v}; },
                        {x[0]}, {}, {.length = 6});
                  }});
  rows.push_back(
      {"scan empty", {{{Extent(0, "t"), 4}}, {{4}}}, [](auto x) {
         return scan(
             [](Tensor v, Tensor row) { return Tensors{v * row, v + row}; },
             {x[1]}, {x[0]});
       }});
  return rows;
}

/// Returns a row for a layer in training mode.
static Row rowOf(const std::string &name, std::vector<Given> inputs,
                 const std::function<Layer()> &make) {
  return {name, std::move(inputs),
          [make](const Tensors &x) { return make()->fprop(x, Mode::train); }};
}

static void addRecurrent(std::vector<Row> &rows) {
  const Given state = {{Extent(4, "n"), 2}};
  for (bool reverse : {false, true})
    for (int64_t segments : {0, 2}) {
      RecurrentOptions options = {
          .units = 2, .reverse = reverse, .segments = segments};
      std::string kind = std::string(reverse ? " reverse" : "") +
                         (segments ? " segments" : "");
      rows.push_back(rowOf("LSTM" + kind, {sequence, lengths, state, state},
                           [=] { return LSTM(options); }));
      rows.push_back(rowOf("GRU" + kind, {sequence, lengths},
                           [=] { return GRU(options); }));
      rows.push_back(rowOf("SimpleRNN" + kind, {sequence, lengths}, [=] {
        return SimpleRNN(
            {.units = 2, .reverse = reverse, .segments = segments});
      }));
    }
  rows.push_back(rowOf("DynamicLSTM", {sequence, lengths},
                       [] { return DynamicLSTM({.units = 2}); }));
  rows.push_back(rowOf("DynamicLSTM constantSequenceLength", {sequence}, [] {
    return DynamicLSTM({.units = 2, .constantSequenceLength = true});
  }));
  rows.push_back(rowOf("DynamicBiLSTM", {sequence, lengths}, [] {
    return DynamicBiLSTM({.forwardUnits = 2, .backwardUnits = 1});
  }));
  rows.push_back(rowOf("BiLSTMMerge", {sequence, lengths}, [] {
    return BiLSTMMerge({.forwardUnits = 2, .backwardUnits = 1});
  }));
  rows.push_back(rowOf("BiLSTMLastMerge", {sequence, lengths}, [] {
    return BiLSTMLastMerge({.forwardUnits = 2, .backwardUnits = 1});
  }));
  const Given decoded = {{Extent(4, "n"), Extent(3, "s"), 2}};
  for (auto [cell, called] : {std::pair(RecurrentCell::simple, " simple"),
                              std::pair(RecurrentCell::gru, " gru"),
                              std::pair(RecurrentCell::lstm, " lstm")})
    for (bool attention : {false, true})
      rows.push_back(rowOf(
          std::string("Seq2Seq") + called + (attention ? " attention" : ""),
          {sequence, decoded, lengths}, [=, cell = cell] {
            return Seq2Seq({.units = 2, .cell = cell, .attention = attention});
          }));
  rows.push_back(
      rowOf("AttentionDecoder",
            {decoded, {{Extent(4, "n"), Extent(5, "t"), 2}}, lengths},
            [] { return AttentionDecoder({.units = 2}); }));
}

std::vector<Row> layerRows() {
  std::vector<Row> rows;
  addRecurrent(rows);
  const Given wide = {{Extent(4, "n"), Extent(5, "t"), 4}};
  rows.push_back(rowOf("Attention", {wide, wide, wide, lengths},
                       [] { return Attention(); }));
  for (bool causal : {false, true}) {
    std::string kind = causal ? " causal" : "";
    rows.push_back(
        rowOf("MultiHeadAttention" + kind, {wide, wide, wide, lengths}, [=] {
          return MultiHeadAttention({.heads = 2, .causal = causal});
        }));
    for (bool first : {true, false})
      rows.push_back(rowOf(
          "TransformerEncoderBlock" + kind + (first ? "" : " normalized last"),
          {wide, lengths}, [=] {
            return TransformerEncoderBlock(
                {.heads = 2, .causal = causal, .normalizeFirst = first});
          }));
  }
  rows.push_back({"Embedding",
                  {{{Extent(3, "n"), 2}, i64, {0, 3, 3, 1, 0, 4}}},
                  [](const Tensors &x) {
                    Variable table = Program::of(x[0]).variable(
                        "table", f64, {5, 3}, uniform({.low = -1, .high = 1}));
                    return Tensors{Embedding(
                        {.vocabulary = 5, .units = 3, .table = table})(x[0])};
                  }});
  return rows;
}
