// Tests contexts and sessions that are used within their own runs, by prints
// and host functions.
#include "tg/runtime.hpp"
#include "tg/tg.h"

#include <filesystem>
#include <gtest/gtest.h>

using namespace tg;

namespace {
/// Compiles a function that trains, prints and calls the host, and a function
/// of any length.
Model makeModel() {
  Program program("p");
  Tensor x = program.input("x", f32, {dim("n")});
  Variable w = program.variable("w", f32, {4}, 1.0);
  Tensor told = print("w", w * 2.0);
  Tensor y = hostCall("host", {told}, {f32, {4}});
  program.function("train",
                   {.outputs = {{"y", y}}, .updates = assign(w, w + y)});
  program.function("square", {.inputs = {x}, .outputs = {{"y", x * x}}});
  std::string path = testing::TempDir() + "busy.so";
  program.compile(path, {.levels = {2}});
  return Model::load(path);
}

/// Copies the input to the output.
void copy(std::span<const HostInput> inputs,
          std::span<const HostOutput> outputs) {
  std::ranges::copy(inputs[0].values<float>(),
                    outputs[0].values<float>().begin());
}

/// Returns the status of the error that `call` throws.
template <typename Call> tg_status_t statusOf(Call call) {
  try {
    call();
  } catch (const RuntimeError &error) {
    return error.status();
  }
  return TG_OK;
}

std::vector<float> square(Context &context, size_t count) {
  auto y = context.run("square", {{"x", std::vector<float>(count, 3)}})
               .values<float>("y");
  return {y.begin(), y.end()};
}
} // namespace

TEST(Busy, contextsRefuseWhatWouldDisturbTheirRun) {
  Model model = makeModel();
  Context context = model.context({.seed = 1});
  Context other = model.context({});
  std::string file = testing::TempDir() + "busy.safetensors";
  context.save(file);
  std::vector<tg_status_t> found;
  const auto tryAll = [&] {
    tg_error_t error = {};
    error.struct_size = sizeof(error);
    tg_context_t *handle = context.handle();
    int64_t symbols[] = {1000000};
    uint32_t number = 0;
    EXPECT_EQ(
        tg_module_find_function(model.handle(), "square", &number, &error),
        TG_OK);
    found = {
        tg_context_run(handle, number, nullptr, 0, nullptr, 0, &error),
        tg_context_run_named(handle, "square", nullptr, 0, &error),
        tg_context_reserve(handle, number, symbols, &error),
        tg_context_init(handle, 1, &error),
        tg_context_set_seed(handle, 1, &error),
        tg_context_save_variables(handle, file.c_str(), &error),
        tg_context_load_variables(handle, file.c_str(), &error),
        tg_context_register_host(handle, "host", nullptr, nullptr, &error),
        tg_context_set_print(handle, nullptr, nullptr, &error),
        tg_module_publish(model.handle(), handle, &error),
        statusOf([&] { square(context, 100000); }),
        statusOf([&] { context.run("train", {}); }),
        statusOf([&] { context.reserve("square", {{"n", 100000}}); }),
        statusOf([&] { context.load(file); }),
        statusOf([&] { context.restore(context.snapshot()); }),
        statusOf([&] { (void)context.get<float>("w"); }),
        statusOf([&] { context.set("w", std::vector<float>(4)); }),
        statusOf([&] { context.setSeed(2); }),
        statusOf([&] { context.registerHost("host", copy); }),
        statusOf([&] { context.onPrint([](auto, auto &) {}); }),
    };
    EXPECT_EQ(std::string(error.message),
              "the context is running a function: expected a call after the "
              "run, or another context");
    // Another context of the model may run at the same time.
    EXPECT_EQ(square(other, 3), std::vector<float>(3, 9));
  };
  context.onPrint([&](std::string_view, const HostInput &) { tryAll(); });
  context.registerHost("host", [&](auto inputs, auto outputs) {
    EXPECT_EQ(found, std::vector<tg_status_t>(20, TG_ERROR_BUSY));
    found.clear();
    tryAll();
    copy(inputs, outputs);
  });
  auto y = context.run("train", {}).values<float>("y");
  EXPECT_EQ(found, std::vector<tg_status_t>(20, TG_ERROR_BUSY));
  EXPECT_EQ(std::vector<float>(y.begin(), y.end()), std::vector<float>(4, 2));
  EXPECT_EQ(context.get<float>("w"), std::vector<float>(4, 3));
  EXPECT_EQ(square(context, 5), std::vector<float>(5, 9));
}

TEST(Busy, whatAPrintThrowsLeavesTheRun) {
  Model model = makeModel();
  Context context = model.context({.seed = 1});
  context.registerHost("host", copy);
  context.onPrint([&](std::string_view, const HostInput &) {
    (void)context.get<float>("w");
  });
  EXPECT_EQ(statusOf([&] { context.run("train", {}); }), TG_ERROR_BUSY);
  EXPECT_EQ(context.get<float>("w"), std::vector<float>(4, 3))
      << "the run was complete";
  context.onPrint([](std::string_view, const HostInput &) {});
  EXPECT_EQ(statusOf([&] { context.run("train", {}); }), TG_OK);
}

TEST(Busy, aContextThatFailedIsIdleAgain) {
  Model model = makeModel();
  Context context = model.context({.seed = 1});
  context.registerHost("host", [&](auto, auto) { square(context, 2); });
  try {
    context.run("train", {});
    ADD_FAILURE() << "expected an error";
  } catch (const RuntimeError &error) {
    EXPECT_EQ(error.status(), TG_ERROR_HOST);
    EXPECT_NE(std::string(error.what()).find("context is running a function"),
              std::string::npos);
  }
  EXPECT_EQ(context.get<float>("w"), std::vector<float>(4, 1));
  context.registerHost("host", copy);
  context.run("train", {});
  EXPECT_EQ(context.get<float>("w"), std::vector<float>(4, 3));
}

namespace {
/// A graph that counts, prints and calls the host.
class BusySession : public testing::Test {
protected:
  Program graph{"g"};
  DefaultGraph building{graph};
  Variable count = variable(0, "count");
  Variable other = variable(7, "other");
  Assignment counted = assignAdd(count, 1);
  Tensor told, y;
  Session session{graph, {.optimization = 1, .kernelCache = ""}};

  BusySession() {
    ControlDependencies order({counted});
    told = print("count", count + 0);
    y = hostCall("host", {told}, {i32, {}});
  }
  void SetUp() override {
    session.onPrint({});
    session.registerHost(
        "host", [](const std::vector<Array> &inputs) { return inputs; });
    session.run(graph.initializer());
  }
  /// Returns the message of the error that a use of the session throws.
  template <typename Call> std::string messageOf(Call call) {
    try {
      call();
    } catch (const GraphError &error) {
      return error.message;
    }
    return "";
  }
};
} // namespace

TEST_F(BusySession, givesValuesToHandlers) {
  std::vector<double> seen;
  session.onPrint([&](const std::string &, const Array &) {
    seen.push_back(session.value(other).scalar());
    seen.push_back(session.value(count).scalar());
  });
  std::string file = testing::TempDir() + "busy-session.safetensors";
  session.registerHost("host", [&](const std::vector<Array> &inputs) {
    seen.push_back(session.value(count).scalar());
    seen.push_back(double(session.devices().size()));
    Saver({{"other", other}}).save(session, file);
    return inputs;
  });
  for (int run = 1; run <= 3; ++run) {
    seen.clear();
    EXPECT_EQ(session.run(y).scalar(), run);
    ASSERT_EQ(seen.size(), 4u);
    EXPECT_EQ(seen[0], 7);
    EXPECT_EQ(seen[3], 1);
    for (double value : {seen[1], seen[2]}) // before or after the assign
      EXPECT_TRUE(value == run || value == run - 1) << value;
  }
  EXPECT_TRUE(std::filesystem::exists(file));
}

TEST_F(BusySession, refusesWhatWouldDisturbItsRun) {
  std::vector<std::string> found;
  Tensor large = graph.zeros({1000000});
  session.registerHost("host", [&](const std::vector<Array> &inputs) {
    found = {
        messageOf([&] { session.run(y); }),
        messageOf([&] { session.run(large); }),
        messageOf([&] { session.partialRunSetup({y}, {}); }),
        messageOf([&] { session.setValue(other, 3); }),
        messageOf([&] { session.setSamples({}); }),
        messageOf([&] { session.onPrint({}); }),
        messageOf([&] { session.registerHost("host", nullptr); }),
    };
    return inputs;
  });
  EXPECT_EQ(session.run(y).scalar(), 1);
  ASSERT_EQ(found.size(), 7u);
  EXPECT_EQ(found[0],
            "expected run() before or after a run of the session, found it "
            "within one, in a print or a host function: there, values may be "
            "read and other sessions used");
  for (const std::string &message : found)
    EXPECT_NE(message.find("within one"), std::string::npos) << message;
  EXPECT_EQ(session.value(other).scalar(), 7);
  EXPECT_EQ(session.run(y).scalar(), 2);
}

TEST_F(BusySession, tellsWhatAPrintThrew) {
  session.onPrint(
      [&](const std::string &, const Array &) { session.run(other); });
  EXPECT_NE(messageOf([&] { session.run(y); }).find("within one"),
            std::string::npos);
  EXPECT_EQ(session.value(count).scalar(), 1) << "the run was complete";
  session.onPrint([](const std::string &, const Array &) {
    throw std::runtime_error("no paper");
  });
  EXPECT_EQ(messageOf([&] { session.run(y); }),
            "the handler of prints failed: no paper");
  session.onPrint({});
  EXPECT_EQ(session.run(y).scalar(), 3);
}

TEST_F(BusySession, anotherSessionMayRunMeanwhile) {
  Session second(graph, {.optimization = 1, .kernelCache = ""});
  second.run(graph.initializer());
  session.registerHost("host", [&](const std::vector<Array> &inputs) {
    second.setValue(other, 9);
    return std::vector<Array>{second.run(other)};
  });
  EXPECT_EQ(session.run(y).scalar(), 9);
}
