#include "KernelCounts.h"
#include "Driver.h"

#include <fstream>

using namespace tg::simulator;

/// A counter and its name in the file of counts.
struct KernelField {
  const char *name;
  uint64_t tgSimulatorKernelCounters::*member;
};

using Counters = tgSimulatorKernelCounters;

static constexpr KernelField kernelFields[] = {
    {"launches", &Counters::launches},
    {"instructions", &Counters::instructions},
    {"warp_instructions", &Counters::warpInstructions},
    {"multiply_adds", &Counters::multiplyAdds},
    {"global_loads", &Counters::globalLoads},
    {"global_stores", &Counters::globalStores},
    {"global_bytes_read", &Counters::globalBytesRead},
    {"global_bytes_written", &Counters::globalBytesWritten},
    {"sectors_touched", &Counters::sectorsTouched},
    {"sectors_needed", &Counters::sectorsNeeded},
    {"shared_loads", &Counters::sharedLoads},
    {"shared_stores", &Counters::sharedStores},
    {"bank_conflicts", &Counters::bankConflicts}};
static_assert(sizeof(kernelFields) / sizeof(kernelFields[0]) ==
              sizeof(Counters) / sizeof(uint64_t));

void tg::simulator::add(Counters &sum, const Counters &counts) {
  for (const KernelField &field : kernelFields)
    sum.*field.member += counts.*field.member;
}

void Driver::count(uint64_t tgSimulatorCounters::*counter, const char *name) {
  ++(counters.*counter);
  if (!settings.count.empty())
    std::ofstream(settings.count, std::ios::app) << name << "\n";
}

void Driver::addCounts(const std::string &kernel, const Counters &counts) {
  add(kernels[kernel], counts);
  std::ofstream out(settings.count, std::ios::app);
  out << "kernel " << kernel;
  for (const KernelField &field : kernelFields)
    out << " " << field.name << "=" << counts.*field.member;
  out << "\n";
}
