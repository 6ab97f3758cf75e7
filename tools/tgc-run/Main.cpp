/// tgc-run: describes a model library, and runs its functions.
#include "CommandLine.h"
#include "CompareBits.h"
#include "Describe.h"
#include "DeviceCode.h"
#include "Execute.h"

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <exception>
#include <new>

using namespace tg;

int main(int argc, char **argv) {
  // Exceeding a file size limit becomes a write error.
  std::signal(SIGXFSZ, SIG_IGN);
  // As for cmp, 1 is a difference and 2 an error.
  const bool compares = std::any_of(argv, argv + argc, [](const char *word) {
    return std::strcmp(word, "--compare-bits") == 0;
  });
  try {
    const CommandLine line = parseCommandLine(argc, argv);
    int status = 0;
    if (line.notice) {
      std::fputs(line.notice, stdout);
    } else if (line.comparesBits) {
      const BitsComparison comparison = compareBits(line.model, line.other);
      std::fputs(comparison.text.c_str(), stdout);
      status = comparison.areEqual ? 0 : 1;
    } else {
      const Model model = Model::load(
          line.model, {.target = line.target, .device = line.device});
      if (line.wantsRun)
        execute(model, line.run);
      else
        describe(model.tables());
      if (!line.wantsRun)
        describeDeviceCode(line.model, model.tables());
    }
    if (std::fflush(stdout) == 0 && !std::ferror(stdout))
      return status;
    std::fprintf(stderr, "tgc-run: error: cannot write the standard output\n");
  } catch (const UsageError &error) {
    std::fprintf(stderr, "tgc-run: error: %s, see --help\n",
                 error.message.c_str());
  } catch (const std::bad_alloc &) {
    std::fprintf(stderr, "tgc-run: error: out of memory\n");
  } catch (const std::exception &error) {
    std::fprintf(stderr, "tgc-run: error: %s\n", error.what());
  }
  return compares ? 2 : 1;
}
