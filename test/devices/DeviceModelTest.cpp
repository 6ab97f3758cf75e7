/// Runs mlp on a device by libtgrt: the bits, files and errors of the CPU.
#include "support/DeviceModel.h"

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <thread>

using namespace tg::test;

namespace {

class DeviceModelTest : public DeviceModelFixture {};

/// Returns the contents of a file.
std::string read(const std::string &path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

} // namespace

TEST_F(DeviceModelTest, trainsWithTheBitsOfTheCpu) {
  tg::Context onCpu = cpu.context({.seed = 7});
  tg::Context onDevice = device.context({.seed = 7});
  EXPECT_EQ(variablesOf(onDevice), variablesOf(onCpu));
  for (int step = 0; step < 50; ++step) {
    const MlpBatch batch(1 + step % 4, step);
    const double expected = train(onCpu, batch);
    ASSERT_EQ(train(onDevice, batch), expected) << "in step " << step;
  }
  EXPECT_EQ(variablesOf(onDevice), variablesOf(onCpu));
  EXPECT_EQ(test(onDevice, MlpBatch(6, 77)), test(onCpu, MlpBatch(6, 77)));
}

TEST_F(DeviceModelTest, checkpointsGoToTheDeviceAndBack) {
  const std::string first = testing::TempDir() + "/tg-device-1.safetensors";
  const std::string second = testing::TempDir() + "/tg-device-2.safetensors";
  tg::Context onCpu = cpu.context({.seed = 3});
  train(onCpu, MlpBatch(4, 0));
  onCpu.save(first);
  tg::Context onDevice = device.context();
  onDevice.load(first);
  onDevice.save(second);
  EXPECT_EQ(read(first), read(second));
  train(onDevice, MlpBatch(4, 1));
  onDevice.save(second);
  tg::Context back = cpu.context();
  back.load(second);
  train(onCpu, MlpBatch(4, 1));
  EXPECT_EQ(variablesOf(back), variablesOf(onCpu));
  std::filesystem::remove(first);
  std::filesystem::remove(second);
}

TEST_F(DeviceModelTest, variablesAreReadAndWritten) {
  tg::Context onCpu = cpu.context({.seed = 3});
  tg::Context onDevice = device.context({.seed = 4});
  const std::vector<std::byte> block = onCpu.snapshot();
  onDevice.restore(block);
  EXPECT_EQ(variablesOf(onDevice), variablesOf(onCpu));
  std::vector<float> bias(10, 0.5f);
  onDevice.set("b2", bias);
  onCpu.set("b2", bias);
  EXPECT_EQ(onDevice.get<float>("b2"), bias);
  EXPECT_EQ(test(onDevice, MlpBatch(2, 5)), test(onCpu, MlpBatch(2, 5)));
}

TEST_F(DeviceModelTest, publishedWeightsServeOtherContexts) {
  tg::Context source = device.context({.seed = 11});
  device.publish(source);
  tg::Context shared = device.context({.shared = true});
  const std::vector<float> before = test(source, MlpBatch(3, 1));
  EXPECT_EQ(test(shared, MlpBatch(3, 1)), before);
  train(source, MlpBatch(4, 2));
  EXPECT_EQ(test(shared, MlpBatch(3, 1)), before);
  device.publish(source);
  EXPECT_EQ(test(shared, MlpBatch(3, 1)), test(source, MlpBatch(3, 1)));
}

TEST_F(DeviceModelTest, contextsOnTwoThreadsDoNotDisturbEachOther) {
  std::vector<float> found[2], expected[2];
  const auto work = [&](const tg::Model &model, int number) {
    tg::Context context = model.context({.seed = number});
    for (int step = 0; step < 5; ++step)
      train(context, MlpBatch(2, 10 * number + step));
    return test(context, MlpBatch(3, 9));
  };
  for (int number : {0, 1})
    expected[number] = work(cpu, number);
  std::thread other([&] { found[1] = work(device, 1); });
  found[0] = work(device, 0);
  other.join();
  EXPECT_EQ(found[0], expected[0]);
  EXPECT_EQ(found[1], expected[1]);
}

TEST_F(DeviceModelTest, profilesHaveTheTimesOfTheDevice) {
  tg::Context context = device.context({.seed = 1});
  const MlpBatch batch(2, 0);
  tg::Profile profile;
  context.run("train",
              {{"x", batch.x}, {"label", batch.labels}, {"learning_rate", 0.1}},
              profile);
  ASSERT_FALSE(profile.begin.empty());
  for (size_t i = 0; i < profile.begin.size(); ++i)
    EXPECT_LE(profile.begin[i], profile.end[i]);
}
