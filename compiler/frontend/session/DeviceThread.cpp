//===- DeviceThread.cpp - the thread of a device --------------------------===//
#include "compiler/frontend/session/DeviceThread.h"

using namespace tg::session;

void DeviceThread::start(std::function<void()> function) {
  std::lock_guard lock(mutex);
  work = std::move(function);
  changed.notify_all();
}

void DeviceThread::wait() {
  std::unique_lock lock(mutex);
  changed.wait(lock, [&] { return !work; });
}

void DeviceThread::loop(std::stop_token stop) {
  std::unique_lock lock(mutex);
  while (changed.wait(lock, stop, [&] { return bool(work); })) {
    lock.unlock();
    work();
    lock.lock();
    work = nullptr;
    changed.notify_all();
  }
}
