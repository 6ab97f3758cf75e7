//===- Workers.cpp - the threads of a loader ------------------------------===//
#include "Workers.h"

using namespace tg::data;

Workers::Workers(unsigned count) {
  for (unsigned i = 0; i < count; ++i)
    threads.emplace_back([this] { work(); });
}

Workers::~Workers() {
  {
    std::lock_guard lock(mutex);
    isStopping = true;
    tasks.clear();
  }
  changed.notify_all();
  for (std::thread &thread : threads)
    thread.join();
}

void Workers::enqueue(std::function<void()> task) {
  if (threads.empty())
    return task();
  {
    std::lock_guard lock(mutex);
    if (isStopping)
      return;
    tasks.push_back(std::move(task));
  }
  changed.notify_one();
}

bool Workers::runOne() {
  std::function<void()> task;
  {
    std::lock_guard lock(mutex);
    if (tasks.empty())
      return false;
    task = std::move(tasks.front());
    tasks.pop_front();
  }
  task();
  return true;
}

void Workers::work() {
  for (;;) {
    {
      std::unique_lock lock(mutex);
      changed.wait(lock, [this] { return isStopping || !tasks.empty(); });
      if (isStopping)
        return;
    }
    runOne();
  }
}
