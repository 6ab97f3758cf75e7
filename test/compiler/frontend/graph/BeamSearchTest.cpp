/// Compares beam search with the enumeration of all sequences.
#include "../nn/OneLayer.h"

#include <algorithm>
#include <cmath>

using namespace tg;
using namespace tg::test;

using Doubles = std::vector<double>;
using Tokens = std::vector<int64_t>;

namespace {
constexpr int64_t count = 4, begin = 0, end = 3;
/// The probability of a token (column) after another token (row).
const Doubles transitions = {.1, .5, .3, .1, .2,  .2,  .5,  .1,
                             .4, .1, .1, .4, .25, .25, .25, .25};

/// Searches a chain whose logits are log(transitions) times the sharpness of
/// the example, which is the state.
Beams searchChain(Program &program, const Tensor &sharpness,
                  const BeamSearchOptions &options) {
  Tensor logits =
      log(program.constant(transitions, sharpness.dtype(), {count, count}));
  return beamSearch(
      [&](Tensor tokens, Tensor sharp) {
        return std::pair(gather(logits, tokens) * expandDims(sharp, 1), sharp);
      },
      {sharpness}, options);
}

struct Sequence {
  Tokens tokens;
  double score;
};

double logProbability(int64_t from, int64_t to, double sharpness) {
  double sum = 0;
  for (int64_t token = 0; token < count; ++token)
    sum += std::pow(transitions[size_t(from * count + token)], sharpness);
  return sharpness * std::log(transitions[size_t(from * count + to)]) -
         std::log(sum);
}

/// Appends all sequences of a chain that begin with `prefix` to `all`.
void enumerate(Sequence &prefix, int64_t length, double sharpness,
               std::vector<Sequence> &all) {
  if (int64_t(prefix.tokens.size()) == length)
    return all.push_back(prefix);
  int64_t last = prefix.tokens.empty() ? begin : prefix.tokens.back();
  bool isDone = !prefix.tokens.empty() && last == end;
  for (int64_t token = isDone ? end : 0; token < count; ++token) {
    double score = isDone ? 0 : logProbability(last, token, sharpness);
    prefix.tokens.push_back(token);
    prefix.score += score;
    enumerate(prefix, length, sharpness, all);
    prefix.score -= score;
    prefix.tokens.pop_back();
  }
}

std::vector<Sequence> sortedSequences(int64_t length, double sharpness) {
  std::vector<Sequence> all;
  Sequence prefix{{}, 0};
  enumerate(prefix, length, sharpness, all);
  std::sort(all.begin(), all.end(),
            [](const Sequence &lhs, const Sequence &rhs) {
              return lhs.score > rhs.score;
            });
  return all;
}
} // namespace

TEST(BeamSearchTest, FindsWhatTheOracleFinds) {
  ExecutionScope scope(true);
  Program program("test");
  Tensor sharp = program.ones({1});
  Beams beams = searchChain(
      program, sharp, {.width = 4, .length = 3, .begin = begin, .end = end});
  EXPECT_EQ(toString(beams.tokens.shape()), "[1, 4, 3]");
  EXPECT_EQ(beams.tokens.values<int64_t>(),
            (Tokens{2, 3, 3, 1, 2, 0, 1, 2, 3, 2, 0, 1}));
  Doubles expected = {.12, .1, .1, .06};
  for (size_t i = 0; i < expected.size(); ++i)
    EXPECT_NEAR(std::exp(beams.scores.values<float>()[i]), expected[i], 1e-6);
}

TEST(BeamSearchTest, BeamsThatHoldAllPrefixesFindTheBestOfAll) {
  ExecutionScope scope(true);
  Program program("test");
  // Two examples in f64, each with its own best sequences.
  const Doubles sharpness = {1.1, 0.6};
  Beams beams =
      searchChain(program, program.tensor(sharpness, {2}),
                  {.width = 40, .length = 4, .begin = begin, .end = end});
  Tokens tokens = beams.tokens.values<int64_t>();
  Doubles scores = beams.scores.values<double>();
  for (size_t example = 0; example < 2; ++example) {
    std::vector<Sequence> all = sortedSequences(4, sharpness[example]);
    for (size_t beam = 0; beam < 10; ++beam) {
      size_t row = example * 40 + beam;
      EXPECT_NEAR(scores[row], all[beam].score, 1e-12);
      Tokens found(tokens.begin() + int64_t(row * 4),
                   tokens.begin() + int64_t(row * 4 + 4));
      double score = 0;
      int64_t last = begin;
      for (size_t i = 0; i < 4 && !(i && last == end); ++i) {
        score += logProbability(last, found[i], sharpness[example]);
        last = found[i];
      }
      EXPECT_NEAR(score, scores[row], 1e-12);
    }
  }
}

TEST(BeamSearchTest, CompilesForAnyNumberOfExamples) {
  Program program("test");
  Tensor sharp = program.input("sharp", f32, {dim("n")});
  Beams beams = searchChain(
      program, sharp, {.width = 3, .length = 6, .begin = begin, .end = end});
  program.function(
      "run", {.inputs = {sharp},
              .outputs = {{"tokens", beams.tokens}, {"scores", beams.scores}}});
  Context context = makeContext(program);
  // The first example is so sharp that all of its beams finish early.
  const std::vector<float> numbers = {9, 1, 0.3f};
  const Outputs &found = context.run("run", {{"sharp", numbers}});
  ExecutionScope scope(true);
  Program eager("test");
  Beams expected =
      searchChain(eager, eager.tensor(numbers, {3}),
                  {.width = 3, .length = 6, .begin = begin, .end = end});
  std::span<const int64_t> tokens = found.values<int64_t>("tokens");
  EXPECT_EQ(Tokens(tokens.begin(), tokens.end()),
            expected.tokens.values<int64_t>());
  std::span<const float> scores = found.values<float>("scores");
  expectNear({scores.begin(), scores.end()}, expected.scores.values<float>());
}

TEST(BeamSearchTest, EndsWhereAllBeamsAreFinished) {
  ExecutionScope scope(true);
  Program program("test");
  int64_t iterations = 0;
  Beams beams = beamSearch(
      [&](Tensor tokens, Tensor state) {
        ++iterations;
        // The end token has a probability of nearly 1.
        Tensor logits = oneHot(zerosLike(tokens) + double(end), count) * 50.0;
        return std::pair(logits, state);
      },
      {program.zeros({2, 1})}, {.width = 1, .length = 100, .end = end});
  EXPECT_EQ(iterations, 1);
  EXPECT_EQ(beams.tokens.values<int64_t>(), Tokens(200, end));
}

/// Returns a step of the chain without state: the last token determines the
/// logits.
static auto chainStep(Program &program) {
  Tensor logits = log(program.constant(transitions, f32, {count, count}));
  return [logits](Tensor tokens) { return gather(logits, tokens); };
}

TEST(BeamSearchTest, NeedsNoStateAndTakesABeginTokenOfEachExample) {
  ExecutionScope scope(true);
  Program program("test");
  auto step = chainStep(program);
  Tensor firsts = program.tensor<int32_t>({0, 2, 1}, {3});
  Beams all = beamSearch(
      step, {}, {.width = 2, .length = 3, .begin = firsts, .end = end});
  EXPECT_EQ(toString(all.tokens.shape()), "[3, 2, 3]");
  // Each example gives the same result as in a batch of its own.
  for (int64_t i : {0, 1, 2}) {
    Tensor first = program.tensor<int64_t>({std::array{0, 2, 1}[i]}, {1});
    Beams alone = beamSearch(
        step, {}, {.width = 2, .length = 3, .begin = first, .end = end});
    EXPECT_EQ(all.tokens[i].values<int64_t>(),
              alone.tokens[0].values<int64_t>());
    EXPECT_EQ(all.scores[i].values<float>(), alone.scores[0].values<float>());
  }
  Beams numbered = beamSearch(
      [&](Tensor tokens, Tensor state) {
        return std::pair(step(tokens), state);
      },
      program.zeros({1}), {.width = 2, .length = 3, .begin = 2, .end = end});
  EXPECT_EQ(numbered.tokens[0].values<int64_t>(),
            all.tokens[1].values<int64_t>());
}

TEST(BeamSearchTest, TheCookbooksSearchTakesTheSameStepAndStates) {
  ExecutionScope scope(true);
  Program program("test");
  std::vector<std::string> given;
  Tensor logits = log(program.constant(transitions, f32, {count, count}));
  auto step = [&](Tensor tokens, Tensor state, Tensor other) {
    given.push_back(toString(tokens.shape()) + toString(state.shape()) +
                    toString(other.shape()));
    return std::tuple(gather(logits, tokens), state, other);
  };
  std::vector<Tensor> states = {program.zeros({2, 5}), program.zeros({2})};
  BeamSearchOptions options = {.width = 2,
                               .length = 1,
                               .begin = program.tensor<int64_t>({0, 2}, {2}),
                               .end = end};
  Beams once = beamSearch(step, states, options);
  Beams copied = rnnBeamSearch(step, states, options);
  EXPECT_EQ(given, std::vector<std::string>(2, "[4][4, 5][4]"));
  EXPECT_EQ(once.tokens.values<int64_t>(), (Tokens{1, 2, 0, 3}));
  EXPECT_EQ(copied.tokens.values<int64_t>(), (Tokens{0, 1, 0, 2, 2, 0, 2, 3}));
}

TEST(BeamSearchTest, FinishedBeamsStayWhereATokenIsImpossible) {
  ExecutionScope scope(true);
  Program program("test");
  // Token 0 has the logit -inf, so it is impossible.
  Tensor logits = log(program.constant({0, .6, .4}, f32, {1, 3}));
  auto step = [&](Tensor tokens) { return gather(logits, zerosLike(tokens)); };
  Beams beams = rnnBeamSearch(step, {},
                              {.width = 1,
                               .length = 2,
                               .begin = program.tensor<int64_t>({0}, {1}),
                               .end = 1});
  EXPECT_NEAR(std::exp(beams.scores.values<float>()[0]), 0.6, 1e-6);
}

TEST(BeamSearchTest, BeamsThatCannotExistAreLast) {
  ExecutionScope scope(true);
  Program program("test");
  Tensor first = program.tensor<int64_t>({0, 2}, {2});
  Beams beams =
      beamSearch(chainStep(program), {},
                 {.width = 6, .length = 1, .begin = first, .end = end});
  std::vector<float> scores = beams.scores.values<float>();
  for (size_t example : {0, 1})
    for (size_t beam = 0; beam < 6; ++beam)
      EXPECT_EQ(std::isinf(scores[example * 6 + beam]), beam >= 4);
}

TEST(BeamSearchTest, TellsWhatDoesNotFit) {
  Program program("test");
  Tensor state = program.input("state", f32, {dim("n"), 2});
  auto step = [](Tensor, Tensor state) { return std::pair(state, state); };
  auto search = [&](const std::vector<Tensor> &states,
                    const BeamSearchOptions &options) {
    return errorOf([&] { (void)beamSearch(step, states, options); });
  };
  EXPECT_EQ(search({}, {.length = 3}),
            "expected states [n, ...] of n examples or their begin tokens [n], "
            "found neither");
  EXPECT_EQ(search({state}, {.length = 3, .begin = 1.5}),
            "expected a whole number as begin token, found 1.500000");
  EXPECT_EQ(search({state}, {.length = 3, .begin = state}),
            "expected begin tokens [n] of integers, found f32 [n, 2]");
  EXPECT_EQ(search({program.zeros({3, 2})},
                   {.length = 3, .begin = program.zeros({2}, i64)}),
            "expected a begin token for each of 3 examples, found 2");
  EXPECT_EQ(search({state}, {}), "expected a width and a length of at least 1, "
                                 "found 4 and 0");
  EXPECT_EQ(search({state, state}, {.length = 3}),
            "expected a step of 3 parameters, the tokens and each of the "
            "states, found one of 2");
  EXPECT_EQ(search({state}, {.length = 3, .end = 2}),
            "expected an end token in [0, 2), found 2");
  EXPECT_EQ(search({reduceSum(state)}, {.length = 3}),
            "expected states [n, ...] of n examples, found a scalar");
  EXPECT_EQ(errorOf([&] {
              (void)beamSearch([](Tensor, Tensor state) { return state; },
                               {state}, {.length = 3});
            }),
            "expected a step that returns logits and 1 states, found 1 values");
}
