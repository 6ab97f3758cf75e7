/// The threads of a loader.
#ifndef TG_RUNTIME_DATA_PIPELINE_WORKERS_H
#define TG_RUNTIME_DATA_PIPELINE_WORKERS_H

#include <condition_variable>
#include <deque>
#include <functional>
#include <future>
#include <mutex>
#include <thread>
#include <vector>

namespace tg::data {

/// Threads that run tasks in the order of their submission. A task may submit
/// others and wait for them by get().
class Workers {
public:
  /// Starts the threads. With none, submit() runs the task.
  explicit Workers(unsigned threads);
  /// Waits for the running tasks and drops the others.
  ~Workers();
  Workers(const Workers &) = delete;
  Workers &operator=(const Workers &) = delete;

  size_t threadCount() const { return threads.size(); }

  template <typename Result>
  std::future<Result> submit(std::function<Result()> work) {
    auto task = std::make_shared<std::packaged_task<Result()>>(std::move(work));
    std::future<Result> result = task->get_future();
    enqueue([task] { (*task)(); });
    return result;
  }

  /// Waits for a result and runs other tasks meanwhile, so that a task that
  /// waits does not hold up those that it waits for.
  template <typename Result> Result get(std::future<Result> &result) {
    while (result.wait_for(std::chrono::seconds(0)) !=
           std::future_status::ready)
      if (!runOne())
        result.wait();
    return result.get();
  }

private:
  void enqueue(std::function<void()> task);
  /// Runs the next task. Returns false if there is none.
  bool runOne();
  void work();

  std::mutex mutex;
  std::condition_variable changed;
  std::deque<std::function<void()>> tasks;
  bool isStopping = false;
  std::vector<std::thread> threads;
};

} // namespace tg::data

#endif // TG_RUNTIME_DATA_PIPELINE_WORKERS_H
