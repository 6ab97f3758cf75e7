/// Finds bright balls in three series of small volumes, and the series in which
/// they are bright.
///
///   brain_tumor [directory]
#include "../Example.h"
#include "Network.h"

#include <string_view>

using namespace tg;
using namespace example;
using namespace brain_tumor;

namespace {
constexpr size_t batchSize = 8, steps = 48;

/// A batch of volumes with their labels.
struct Volumes {
  std::array<std::vector<float>, 3> series;
  std::vector<int32_t> mask, label;

  std::vector<Input> inputs() const {
    return {{"t1", series[0]}, {"t2", series[1]}, {"tc", series[2]}};
  }
};
} // namespace

/// Returns random volumes of noise with a ball of the class in each: bit i of
/// the class is set if the ball is bright in series i, otherwise it is dark.
static Volumes makeVolumes(std::mt19937 &generator) {
  std::uniform_real_distribution<float> noise(-0.2f, 0.2f), middle(4, 12);
  Volumes volumes;
  for (size_t example = 0; example < batchSize; ++example) {
    const auto label = static_cast<int32_t>(generator() % fineClasses);
    const float y0 = middle(generator);
    const float x0 = middle(generator);
    volumes.label.push_back(label);
    for (int64_t voxel = 0; voxel < voxelCount; ++voxel) {
      const float y = float(voxel / extents[2] % extents[1]) - y0;
      const float x = float(voxel % extents[2]) - x0;
      const bool isInside = x * x + y * y < 9;
      volumes.mask.push_back(isInside);
      for (size_t i = 0; i < 3; ++i)
        volumes.series[i].push_back(noise(generator) + (!isInside        ? 0
                                                        : label >> i & 1 ? 1
                                                                         : -1));
    }
  }
  return volumes;
}

/// Copies the variables whose names begin with `scope` from another model,
/// except those of the optimizer, such as <variable>.adam_m. Returns their
/// number.
static size_t restoreScope(Context &target, const Model &model,
                           const Context &source, std::string_view scope) {
  size_t count = 0;
  const tg_model_t &tables = model.tables();
  for (uint32_t i = 0; i < tables.variable_count; ++i) {
    const std::string_view name = tables.variables[i]->name;
    if (!name.starts_with(scope) ||
        name.find(".adam_") != std::string_view::npos)
      continue;
    target.set(name, source.get<float>(name));
    ++count;
  }
  return count;
}

/// Returns the fraction of voxels whose most likely class is right.
static double maskAccuracy(Context &context, const Volumes &unseen) {
  std::span<const float> found =
      context.run("test", unseen.inputs()).values<float>("tumour");
  size_t right = 0;
  for (size_t voxel = 0; voxel < unseen.mask.size(); ++voxel)
    right += (found[2 * voxel + 1] > 0.5f) == (unseen.mask[voxel] == 1);
  return double(right) / double(unseen.mask.size());
}

static void runExample(const std::string &directory) {
  Program program("brain_tumor");
  defineNetwork(program);
  // Code for one ISA level, because only this machine uses it.
  program.compile(directory + "/brain_tumor.so", {.levels = {3}});
  Model model = Model::load(directory + "/brain_tumor.so");
  Context context = model.context({.seed = 1});

  std::mt19937 generator(1);
  std::vector<double> losses;
  for (size_t step = 0; step < steps; ++step) {
    Volumes batch = makeVolumes(generator);
    std::vector<Input> inputs = batch.inputs();
    inputs.push_back({"mask", batch.mask});
    inputs.push_back({"label", batch.label});
    const Outputs &found = context.run("train", inputs);
    losses.push_back(found.scalar("segments"));
    check(std::isfinite(losses.back()), "a finite loss");
    if (step % 8 == 0)
      std::printf("step %2zu  rate %.6f  loss %.4f, of masks %.4f\n", step,
                  found.scalar("rate"), found.scalar("loss"), losses.back());
  }
  auto mean = [&](size_t first) {
    double sum = 0;
    for (size_t i = first; i < first + 8; ++i)
      sum += losses[i];
    return sum / 8;
  };
  check(mean(steps - 8) < 0.6 * mean(0), "a falling loss of the masks");
  context.save(directory + "/brain_tumor.safetensors");

  Volumes unseen = makeVolumes(generator);
  double accuracy = maskAccuracy(context, unseen);
  std::printf("%.1f %% of unseen voxels are right\n", 100 * accuracy);
  check(accuracy > 0.93,
        "more than 93 % of the voxels right, of which 89 % are outside");

  // A new training starts from the learned variables, with a new optimizer.
  Context restarted = model.context({.seed = 2});
  Context trained = model.context({.seed = 3});
  trained.load(directory + "/brain_tumor.safetensors");
  size_t count = restoreScope(restarted, model, trained, "brain_tumor/C4_1/");
  std::printf("%zu variables of the network restored\n", count);
  check(count > 0 && count < model.tables().variable_count,
        "the variables of the network without the optimizer's");
  check(std::abs(maskAccuracy(restarted, unseen) - accuracy) < 1e-9,
        "the masks of the trained network");
}

int main(int argc, char **argv) { return run(argc, argv, runExample); }
