/// Callbacks that set numbers or end trainings, and their states.
#include "Support.h"

#include <cmath>

using namespace tg;
using namespace tg::test;
using namespace tg::training;
using data::errorOf;

/// Calls summary() with values of a tag. Returns the rate after each.
static std::vector<double> feed(Callback &callback, FakeTraining &training,
                                const std::vector<double> &values) {
  std::vector<double> rates;
  for (double value : values) {
    callback.summary(training, {{"other", 7}, {"valid/loss", value}});
    rates.push_back(training.get("rate"));
  }
  return rates;
}

/// Expects that a callback which is restored after `count` values has the same
/// rates and state as one that is not.
static void expectResumes(const std::function<CallbackPtr()> &make,
                          const std::vector<double> &values) {
  const CallbackPtr whole = make();
  FakeTraining uninterrupted;
  whole->beforeTrain(uninterrupted);
  const std::vector<double> expected = feed(*whole, uninterrupted, values);
  for (size_t count = 0; count <= values.size(); ++count) {
    const auto middle = values.begin() + static_cast<ptrdiff_t>(count);
    FakeTraining first, second;
    const CallbackPtr before = make(), after = make();
    before->beforeTrain(first);
    std::vector<double> rates = feed(*before, first, {values.begin(), middle});
    second.numbers = first.numbers;
    after->restore(before->state());
    after->beforeTrain(second);
    for (double rate : feed(*after, second, {middle, values.end()}))
      rates.push_back(rate);
    EXPECT_EQ(rates, expected) << count;
    EXPECT_EQ(after->state(), whole->state()) << count;
    EXPECT_EQ(first.reason.empty() ? second.reason : first.reason,
              uninterrupted.reason);
  }
  EXPECT_THROW(whole->restore("damaged state"), data::DataError);
}

static const std::vector<double> losses = {1, 0.9, 0.95, 0.91, 0.9, 0.1, 0.2};

TEST_F(Callbacks, EarlyStopping) {
  const auto make = [] { return earlyStopping("valid/loss", {.patience = 2}); };
  FakeTraining training;
  const CallbackPtr callback = make();
  feed(*callback, training, {1, 0.9, 0.95});
  EXPECT_EQ(training.reason, "");
  callback->summary(training, {{"loss", 3}}); // no value of the tag
  feed(*callback, training, {0.91});
  EXPECT_EQ(training.reason, "'valid/loss' was least at value 2 of 4: 0.9");
  expectResumes(make, {1, 0.9, 0.95, 0.91});
  EXPECT_EQ(errorOf([] { earlyStopping("loss", {.patience = -1}); }),
            "expected a patience of 0 epochs or more, found -1");
}

TEST_F(Callbacks, ReduceOnPlateau) {
  const auto make = [] {
    return reduceOnPlateau("rate", "valid/loss",
                           {.learningRate = 0.5, .factor = 0.5, .patience = 2});
  };
  FakeTraining training;
  const CallbackPtr callback = make();
  callback->beforeTrain(training);
  EXPECT_EQ(training.get("rate"), 0.5);
  EXPECT_EQ(feed(*callback, training, losses),
            (std::vector<double>{0.5, 0.5, 0.5, 0.25, 0.25, 0.25, 0.25}));
  expectResumes(make, losses);
  EXPECT_EQ(errorOf([] { reduceOnPlateau("rate", "loss", {.factor = 2}); }),
            "expected a factor above 0 and below 1, found 2.000000");
}

TEST_F(Callbacks, MonitoredNumber) {
  const auto make = [] {
    return monitoredNumber("rate", "valid/loss",
                           [](double rate) { return rate / 2; },
                           {.threshold = 0.02, .last = 2});
  };
  FakeTraining training;
  // 0.9 is below 1, but neither 0.95 nor 0.91 is below 0.9.
  EXPECT_EQ(feed(*make(), training, losses),
            (std::vector<double>{0.1, 0.1, 0.1, 0.05, 0.05, 0.05, 0.05}));
  expectResumes(make, losses);
  const CallbackPtr rising = monitoredNumber(
      "rate", "valid/loss", [](double) { return 3; }, {.increases = true});
  EXPECT_EQ(feed(*rising, training, {1, 2, 3, 3}),
            (std::vector<double>{0.05, 0.05, 0.05, 3}));
  EXPECT_EQ(
      errorOf([] { monitoredNumber("rate", "loss", nullptr, {.last = 0}); }),
      "expected to monitor 1 or more values with a threshold of 0 or "
      "more, found 0 and 0.000000");
}

TEST_F(Callbacks, ScheduledNumber) {
  const auto rates = [](const CallbackPtr &callback, bool countsSteps) {
    FakeTraining training;
    std::vector<double> found;
    for (uint64_t i = 0; i < 6; ++i) {
      (countsSteps ? training.steps : training.epochs) = i;
      if (countsSteps || i == 0)
        callback->beforeStep(training);
      if (!countsSteps)
        callback->beforeEpoch(training);
      found.push_back(training.get("rate"));
    }
    return found;
  };
  const std::vector<std::pair<uint64_t, double>> points = {{1, 1}, {4, 0.25}};
  EXPECT_EQ(rates(scheduledNumber("rate", points), false),
            (std::vector<double>{0.1, 1, 1, 1, 0.25, 0.25}));
  const std::vector<double> straight = {0.1, 1, 0.75, 0.5, 0.25, 0.25};
  EXPECT_EQ(
      rates(scheduledNumber("rate", points, {.interpolates = true}), false),
      straight);
  EXPECT_EQ(rates(scheduledNumber("rate", points,
                                  {.interpolates = true, .countsSteps = true}),
                  true),
            straight);
  EXPECT_EQ(errorOf([] { scheduledNumber("rate", {}); }),
            "expected a point or more for the schedule of 'rate', found none");
  EXPECT_EQ(errorOf([] { scheduledNumber("rate", {{3, 1}, {3, 2}}); }),
            "expected points of 'rate' in ascending order, found 3 before 3");
}

TEST_F(Callbacks, HumanNumber) {
  FakeTraining training(directory);
  const CallbackPtr callback = humanNumber("rate");
  callback->beforeEpoch(training);
  EXPECT_EQ(training.get("rate"), 0.1);
  const std::string file = path("hyper.txt");
  std::ofstream(file) << "speed: 3\nrate: 0.5\n rate : 0.25\r\nrated: 4\n";
  callback->beforeEpoch(training);
  EXPECT_EQ(training.get("rate"), 0.25);
  for (const char *wrong : {"fast", "", "0.5 m", "nan", "1e999"}) {
    std::ofstream(file) << "rate: " << wrong << '\n';
    EXPECT_EQ(errorOf([&] { callback->beforeEpoch(training); }),
              file +
                  ": line 1: expected 'rate: ' and a finite number, found "
                  "'rate: " +
                  wrong + "'");
  }
  EXPECT_EQ(training.get("rate"), 0.25);
}

TEST_F(Callbacks, NumberWithFunction) {
  FakeTraining training;
  const CallbackPtr callback = numberWithFunction(
      "rate", [](uint64_t epoch, double rate) -> std::optional<double> {
        if (epoch % 2)
          return std::nullopt;
        return rate * 2;
      });
  for (training.epochs = 0; training.epochs < 3; ++training.epochs)
    callback->beforeEpoch(training);
  EXPECT_EQ(training.get("rate"), 0.4);
}

TEST_F(Callbacks, StopWhen) {
  TrainerOptions chosen = options(50);
  Trainer trainer(loadLine(), makeBatches(), chosen);
  trainer.add(stopWhen(
      [](const TrainingState &state) { return state.step() == 7; }, "seven"));
  const TrainingResult result = trainer.run();
  EXPECT_EQ(result.step, 7u);
  EXPECT_EQ(result.reason, "seven");
}

/// Writes the steps and epochs at which it is called.
class Recorder : public Callback {
public:
  std::string name() const override { return "recorder"; }
  void beforeTrain(TrainingState &) override { calls += "("; }
  void beforeEpoch(TrainingState &) override { calls += "["; }
  void afterStep(TrainingState &state) override {
    calls += std::to_string(state.step());
  }
  void triggerEpoch(TrainingState &state) override {
    calls += "e" + std::to_string(state.step());
  }
  void afterEpoch(TrainingState &) override { calls += "]"; }
  void afterTrain(TrainingState &) override { calls += ")"; }
  std::string state() const override { return calls; }
  void restore(const std::string &state) override { calls = state; }

  std::string calls;
};

TEST_F(Callbacks, Periods) {
  const auto callsOf = [](const std::function<CallbackPtr(CallbackPtr)> &wrap) {
    const auto recorder = std::make_shared<Recorder>();
    Trainer trainer(loadLine(), makeBatches(8, 4), options(6)); // 3 epochs
    const CallbackPtr wrapped = wrap(recorder);
    EXPECT_EQ(wrapped->name(), "recorder");
    trainer.add(wrapped);
    trainer.run();
    EXPECT_EQ(wrapped->state(), recorder->calls);
    return recorder->calls;
  };
  EXPECT_EQ(callsOf([](auto inner) { return inner; }), "([12e2][34e4][56e6])");
  EXPECT_EQ(
      callsOf([](auto inner) { return periodicTrigger(inner, {.steps = 3}); }),
      "([12][3e34][56e6])");
  EXPECT_EQ(callsOf([](auto inner) {
              return periodicTrigger(inner, {.steps = 4, .epochs = 3});
            }),
            "([12][34e4][56e6])");
  EXPECT_EQ(callsOf([](auto inner) {
              return periodicCallback(inner, {.steps = 2, .epochs = 3});
            }),
            "(24[6e6])");
  EXPECT_EQ(callsOf([](auto inner) {
              return enableIf(inner, [](const TrainingState &state) {
                return state.step() >= 3;
              });
            }),
            "(34e4][56e6])");
  const CallbackPtr trigger =
      periodicTrigger(std::make_shared<Recorder>(), {.steps = 1});
  trigger->restore("saved");
  EXPECT_EQ(trigger->state(), "saved");
  EXPECT_EQ(errorOf([&] { periodicTrigger(trigger, {}); }),
            "expected a number of steps or epochs for a trigger, found "
            "neither");
  EXPECT_EQ(errorOf([] { periodicCallback(nullptr, {}); }),
            "expected a callback, found a null pointer");
}
