/// Tests variables in files: by name and by object, all or none, with slots.
#include "../Errors.h"

#include <filesystem>
#include <fstream>
#include <sstream>

using namespace tg;

namespace {
class SaverTest : public testing::Test {
protected:
  ExecutionScope scope{true};
  Program program{"net"};
  std::vector<std::string> warnings;

  SaverTest() {
    program.onWarning(
        [&](const Warning &warning) { warnings.push_back(warning.message); });
  }
  std::string path(const char *name) { return testing::TempDir() + name; }
};

/// A program that minimizes x² in eager mode.
struct Minimum {
  ExecutionScope scope{true};
  Program program{"net"};
  Variable x;
  Adam adam{{.learningRate = 0.1}};

  explicit Minimum(double first)
      : x(program.variable("x", f32, {}, Initializer(first))) {}
  void train(int steps) {
    for (int step = 0; step < steps; ++step)
      (void)adam.minimize([&] { return x * x; });
  }
};
} // namespace

TEST_F(SaverTest, RestoresWhatItSaved) {
  Variable x = program.variable("x", f32, {2}, values({1, 2}));
  Variable flags = program.variable("flags", boolean, {3}, values({1, 0, 1}),
                                    {.trainable = false});
  Saver saver({x, flags});
  saver.save(path("both.safetensors"));
  (void)assign(x, x * 10);
  (void)assign(flags, !flags);
  saver.restore(path("both.safetensors"));
  EXPECT_EQ(x.values<float>(), (std::vector<float>{1, 2}));
  EXPECT_EQ(flags.values<bool>(), (std::vector<bool>{true, false, true}));
}

TEST_F(SaverTest, SavesUnderOtherNames) {
  Variable x = program.variable("x", f32, {}, 5.2);
  Saver({{"old", x}}).save(path("other.safetensors"));
  EXPECT_ERROR(Saver(x).restore(path("other.safetensors")),
               "expected a tensor 'x' in");
  Variable y = program.variable("y", f32, {}, 0.0);
  Saver({{"old", y}}).restore(path("other.safetensors"));
  EXPECT_EQ(float(y.item()), 5.2f);
}

TEST_F(SaverTest, TrainingGoesOnWithSlots) {
  Minimum first(5.2);
  first.train(10);
  Saver(first.x).save(path("slots.safetensors"));
  Minimum second(13.14);
  Saver(second.x).restore(path("slots.safetensors"));
  EXPECT_EQ(second.x.item(), first.x.item());
  first.train(10);
  second.train(10);
  EXPECT_EQ(second.x.item(), first.x.item());
  EXPECT_EQ(second.program.step().item(), 20);
}

TEST_F(SaverTest, EagerSaversListTheirVariables) {
  EXPECT_ERROR(Saver(program),
               "expected a variable, or a list or map of variables, to save in "
               "eager execution, found a program");
  EXPECT_ERROR(Saver(std::vector<Variable>()),
               "expected at least one variable to save");
  ExecutionScope graph(false);
  Program other("graph");
  Variable x = other.variable("x", f32, {}, 1.0);
  Saver saver(other);
  EXPECT_ERROR(saver.save(path("graph.safetensors")),
               "expected a session or eager mode");
}

TEST_F(SaverTest, AFailedRestoreChangesNothing) {
  Variable a = program.variable("a", f32, {}, 1.0);
  Variable b = program.variable("b", f32, {2}, 1.0);
  Saver({{"a", a}, {"b", a}}).save(path("short.safetensors"));
  (void)assign(a, 2);
  EXPECT_ERROR(
      Saver(std::vector<Variable>{a, b}).restore(path("short.safetensors")),
      "to be f32 [2], found f32 []");
  EXPECT_EQ(a.item(), 2);
  std::ofstream(path("bad.safetensors")) << "nothing";
  EXPECT_ERROR(Saver(a).restore(path("bad.safetensors")), "safetensors");
  EXPECT_ERROR(Saver(a).restore(path("none.safetensors")), "cannot be read");
  EXPECT_ERROR(Saver(a).save("/nowhere/at/all.safetensors"), "");
}

TEST_F(SaverTest, ADamagedFileIsTold) {
  Variable a = program.variable("a", f32, {}, 1.0);
  std::string name = path("damaged.safetensors");
  Saver(a).save(name);
  std::fstream file(name, std::ios::in | std::ios::out | std::ios::binary);
  file.seekp(-1, std::ios::end);
  file.put('\x41');
  file.close();
  EXPECT_ERROR(Saver(a).restore(name), "damaged");
}

TEST_F(SaverTest, ObjectsRestoreWhateverVariablesAreCalled) {
  Variable x = program.variable("x", f32, {}, 3.0);
  Variable y = program.variable("y", f32, {}, 4.0);
  Checkpoint({{"model", {x, y}}}).save(path("objects.safetensors"));
  Program other("other");
  Variable p = other.variable("p", f32, {}, 0.0);
  Variable q = other.variable("q", f32, {}, 0.0);
  Checkpoint({{"model", {p, q}}}).restore(path("objects.safetensors"));
  EXPECT_EQ(p.item(), 3);
  EXPECT_EQ(q.item(), 4);
  EXPECT_ERROR(Checkpoint({{"net", {p}}}).restore(path("objects.safetensors")),
               "expected a tensor 'net/0' in");
}

TEST_F(SaverTest, MixingNamesAndObjectsWarns) {
  Variable x = program.variable("x", f32, {}, 3.0);
  Saver(x).save(path("named.safetensors"));
  Checkpoint({{"model", {x}}}).save(path("mixed.safetensors"));
  (void)assign(x, 0);
  Saver(x).restore(path("mixed.safetensors"));
  EXPECT_EQ(x.item(), 3);
  (void)assign(x, 0);
  Checkpoint({{"model", {x}}}).restore(path("named.safetensors"));
  EXPECT_EQ(x.item(), 3);
  ASSERT_EQ(warnings.size(), 2u);
  EXPECT_NE(warnings[0].find("object-based checkpoint using a name-based"),
            std::string::npos);
}

//===----------------------------------------------------------------------===//
// Sessions
//===----------------------------------------------------------------------===//

namespace {
/// A program that minimizes x² in a session.
struct SessionMinimum {
  ExecutionScope scope{false};
  Program program{"net"};
  Variable x;
  Updates train;
  Session session;

  explicit SessionMinimum(double first)
      : x(program.variable("x", f32, {}, Initializer(first))),
        train(Adam({.learningRate = 0.1}).minimize(x * x)),
        session(program, {.optimization = 1, .kernelCache = ""}) {
    session.run(program.initializer());
  }
  void run(int steps) {
    for (int step = 0; step < steps; ++step)
      session.run(train);
  }
};
} // namespace

TEST_F(SaverTest, SessionsRestoreWhatTheySaved) {
  SessionMinimum first(5.2), second(13.14);
  Saver(first.x).save(first.session, path("session.safetensors"));
  Saver(second.x).restore(second.session, path("session.safetensors"));
  EXPECT_EQ(float(second.session.run(second.x).scalar()), 5.2f);
  EXPECT_EQ(float(second.session.value(second.x).scalar()), 5.2f);
}

TEST_F(SaverTest, TrainingGoesOnInAnotherModeWithSlots) {
  SessionMinimum graph(5.2);
  graph.run(10);
  Saver(graph.program).save(graph.session, path("mode.safetensors"));
  Minimum eager(13.14);
  Saver(eager.x).restore(path("mode.safetensors"));
  EXPECT_EQ(eager.x.item(), graph.session.value(graph.x).scalar());
  graph.run(10);
  eager.train(10);
  EXPECT_NEAR(eager.x.item(), graph.session.value(graph.x).scalar(), 1e-6);
  Saver(eager.x).save(path("back.safetensors"));
  SessionMinimum again(0.5);
  Saver(again.x).restore(again.session, path("back.safetensors"));
  again.run(10);
  eager.train(10);
  EXPECT_NEAR(eager.x.item(), again.session.value(again.x).scalar(), 1e-6);
}

TEST_F(SaverTest, SessionsNeedNoRunBefore) {
  SessionMinimum first(5.2);
  Saver(first.x).save(first.session, path("fresh.safetensors"));
  ExecutionScope scope(false);
  Program program("net");
  Variable x = program.variable("x", f32, {}, 0.0);
  Session session(program, {.optimization = 1, .kernelCache = ""});
  EXPECT_FALSE(session.isInitialized(x));
  Saver(x).restore(session, path("fresh.safetensors"));
  EXPECT_EQ(float(session.run(x).scalar()), 5.2f);
  // The graph grows after the session started; existing values stay.
  Variable y = program.variable("y", f32, {3}, 2.0);
  EXPECT_FALSE(session.isInitialized(y));
  session.setValue(y, {1.0, 2.0, 3.0});
  EXPECT_EQ(session.run(y).to<int>(), (std::vector<int>{1, 2, 3}));
  EXPECT_EQ(float(session.run(x).scalar()), 5.2f);
}

TEST_F(SaverTest, SessionsRefuseWhatDoesNotFit) {
  ExecutionScope scope(false);
  Program program("net");
  Variable a = program.variable("a", f32, {}, 1.0);
  Variable b = program.variable("b", f32, {2}, 1.0);
  Session session(program, {.optimization = 1, .kernelCache = ""});
  EXPECT_ERROR(Saver(a).save(session, path("no.safetensors")),
               "to have a value in this session");
  session.setValue(a, 3.0);
  session.setValue(b, {4.0, 5.0});
  EXPECT_ERROR(session.setValue(b, 4.0), "expected a value of shape [2]");
  Saver({{"a", a}, {"b", a}}).save(session, path("short2.safetensors"));
  session.setValue(a, 6.0);
  EXPECT_ERROR(Saver(std::vector<Variable>{a, b})
                   .restore(session, path("short2.safetensors")),
               "to be f32 [2], found f32 []");
  EXPECT_EQ(session.value(a).scalar(), 6);
  Program other("other");
  Session stranger(other, {.optimization = 1, .kernelCache = ""});
  EXPECT_ERROR(Saver(a).restore(stranger, path("short2.safetensors")),
               "of graph 'other'");
  Checkpoint({{"net", {a, b}}}).save(session, path("objects2.safetensors"));
  session.setValue(b, {0.0, 0.0});
  Checkpoint({{"net", {a, b}}}).restore(session, path("objects2.safetensors"));
  EXPECT_EQ(session.value(b).to<int>(), (std::vector<int>{4, 5}));
}

//===----------------------------------------------------------------------===//
// Random state
//===----------------------------------------------------------------------===//

namespace {
/// A weight, and a random sample whose count no step stores.
struct Drawing {
  ExecutionScope scope{false};
  Program program{"net"};
  Variable x = program.variable("x", f32, {}, 1.0);
  Tensor draw = randomUniformLike(program.zeros({4})) * x;
  Session session;

  explicit Drawing(int64_t seed)
      : session(program, {.optimization = 1, .seed = seed, .kernelCache = ""}) {
  }
  std::vector<float> next() { return session.run(draw).to<float>(); }
};
} // namespace

TEST_F(SaverTest, ARestoredSessionDrawsWhatComesNext) {
  Drawing first(3);
  first.session.run(first.program.initializer());
  for (int run = 0; run < 3; ++run)
    first.next();
  Saver(first.program).save(first.session, path("draws.safetensors"));
  Checkpoint({{"net", {first.x}}})
      .save(first.session, path("drawn.safetensors"));
  std::vector<std::vector<float>> expected = {first.next(), first.next()};
  EXPECT_NE(expected[0], expected[1]);
  // A new process has another seed and uninitialized variables.
  Drawing second(4), third(5);
  Saver(second.x).restore(second.session, path("draws.safetensors"));
  EXPECT_EQ(second.session.draws().seed, 3);
  EXPECT_EQ(second.session.draws().runs, 3);
  EXPECT_EQ(second.next(), expected[0]);
  EXPECT_EQ(second.next(), expected[1]);
  Checkpoint({{"net", {third.x}}})
      .restore(third.session, path("drawn.safetensors"));
  EXPECT_EQ(third.next(), expected[0]);
  // A random state that is set explicitly replaces the restored one.
  second.session.setSamples({3, 3});
  EXPECT_EQ(second.next(), expected[0]);
  second.session.setSamples({4, 3});
  EXPECT_NE(second.next(), expected[0]);
}

TEST_F(SaverTest, FilesWithoutDrawsLeaveThem) {
  Variable x = program.variable("x", f32, {}, 5.0);
  Saver(x).save(path("old.safetensors"));
  Drawing session(3);
  session.session.run(session.program.initializer());
  session.next();
  Saver(session.x).restore(session.session, path("old.safetensors"));
  EXPECT_EQ(session.session.value(session.x).scalar(), 5);
  EXPECT_EQ(session.session.draws().seed, 3);
  EXPECT_EQ(session.session.draws().runs, 1);
}

TEST_F(SaverTest, ADamagedCountOfDrawsIsTold) {
  Drawing session(3);
  session.session.run(session.program.initializer());
  std::string name = path("count.safetensors");
  Saver(session.x).save(session.session, name);
  std::stringstream content;
  content << std::ifstream(name, std::ios::binary).rdbuf();
  std::string text = content.str();
  const std::string key = "\"tg.draws\":\"";
  size_t at = text.find(key);
  ASSERT_NE(at, std::string::npos);
  text[at + key.size()] = 'x';
  std::ofstream(name, std::ios::binary) << text;
  EXPECT_ERROR(Saver(session.x).restore(session.session, name),
               "to be a number of runs, found 'x'");
}

TEST_F(SaverTest, EagerDrawsGoOn) {
  auto draw = [](Program &owner) {
    return randomUniformLike(owner.zeros({4})).values<float>();
  };
  program.setSeed(7);
  Variable x = program.variable("x", f32, {}, 5.0);
  Adam adam({.learningRate = 0.1});
  (void)draw(program);
  (void)adam.minimize([&] { return x * x; });
  Saver(x).save(path("eager_draws.safetensors"));
  std::vector<float> expected = draw(program);
  Program other("net");
  Variable y = other.variable("x", f32, {}, 0.0);
  Saver(y).restore(path("eager_draws.safetensors"));
  EXPECT_EQ(draw(other), expected);
}
