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
  std::vector<int32_t> place, label;

  std::vector<Input> inputs() const {
    return {{"t1", series[0]}, {"t2", series[1]}, {"tc", series[2]}};
  }
};
} // namespace

/// Returns random volumes of noise with a ball of the class in each: bit i of
/// the class is set if the ball is bright in series i, otherwise it is dark.
static Volumes drawVolumes(std::mt19937 &generator) {
  std::uniform_real_distribution<float> noise(-0.2f, 0.2f), middle(4, 12);
  Volumes drawn;
  for (size_t example = 0; example < batchSize; ++example) {
    const auto label = static_cast<int32_t>(generator() % fineClasses);
    const float y0 = middle(generator), x0 = middle(generator);
    drawn.label.push_back(label);
    for (int64_t at = 0; at < places; ++at) {
      const float y = float(at / extents[2] % extents[1]) - y0,
                  x = float(at % extents[2]) - x0;
      const bool isInside = x * x + y * y < 9;
      drawn.place.push_back(isInside);
      for (size_t i = 0; i < 3; ++i)
        drawn.series[i].push_back(noise(generator) + (!isInside        ? 0
                                                      : label >> i & 1 ? 1
                                                                       : -1));
    }
  }
  return drawn;
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

/// Returns the fraction of positions whose most likely class is right.
static double shareOfPlaces(Context &context, const Volumes &unseen) {
  std::span<const float> found =
      context.run("test", unseen.inputs()).values<float>("tumour");
  size_t right = 0;
  for (size_t at = 0; at < unseen.place.size(); ++at)
    right += (found[2 * at + 1] > 0.5f) == (unseen.place[at] == 1);
  return double(right) / double(unseen.place.size());
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
    Volumes batch = drawVolumes(generator);
    std::vector<Input> inputs = batch.inputs();
    inputs.push_back({"place", batch.place});
    inputs.push_back({"label", batch.label});
    const Outputs &found = context.run("train", inputs);
    losses.push_back(found.scalar("segments"));
    check(std::isfinite(losses.back()), "a finite loss");
    if (step % 8 == 0)
      std::printf("step %2zu  rate %.6f  loss %.4f, of places %.4f\n", step,
                  found.scalar("rate"), found.scalar("loss"), losses.back());
  }
  auto mean = [&](size_t first) {
    double sum = 0;
    for (size_t i = first; i < first + 8; ++i)
      sum += losses[i];
    return sum / 8;
  };
  check(mean(steps - 8) < 0.6 * mean(0), "a loss of places that falls");
  context.save(directory + "/brain_tumor.safetensors");

  Volumes unseen = drawVolumes(generator);
  double share = shareOfPlaces(context, unseen);
  std::printf("%.1f %% of unseen places are right\n", 100 * share);
  check(share > 0.93, "more than 93 % of places, of which 89 % show nothing");

  // Another training begins with the learned variables and a new optimizer.
  Context again = model.context({.seed = 2});
  Context trained = model.context({.seed = 3});
  trained.load(directory + "/brain_tumor.safetensors");
  size_t count = restoreScope(again, model, trained, "brain_tumor/C4_1/");
  std::printf("%zu variables of the network restored\n", count);
  check(count > 0 && count < model.tables().variable_count,
        "the variables of the network without the optimizer's");
  check(std::abs(shareOfPlaces(again, unseen) - share) < 1e-9,
        "the places of the trained network");
}

int main(int argc, char **argv) { return run(argc, argv, runExample); }
