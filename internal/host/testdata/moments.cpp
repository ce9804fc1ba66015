// What a process may do at any moment: fork, exec, end, take signals, while other threads
// are in calls. Argument 1 chooses; argument 2 is a number for the moment.
#include "fake.h"
#include <atomic>
#include <csignal>
#include <sys/time.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

static unsigned *flag;
static void *held;

static void flagged() {
  CHECK(0, cudaHostAlloc((void **)&flag, 4, 0));
  *(volatile unsigned *)flag = 0;
}

// Children of a program whose other threads are in calls end in all ways, and hold no
// lock that these threads held.
static int forks() {
  std::atomic<bool> stop{false};
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; i++)
    threads.emplace_back([&] {
      while (!stop) {
        void *p;
        CHECK(0, cudaMalloc(&p, 100));
        CHECK(0, launch(count, 1, 1, 0, 0));
        CHECK(0, cudaFree(p));
      }
    });
  for (int i = 0; i < 60; i++) {
    pid_t child = fork();
    if (child == 0) {
      if (i % 4 == 0) _exit(7);
      if (i % 4 == 1) execl("/bin/sh", "sh", "-c", "exit 7", nullptr);
      if (i % 4 == 2) exit(7);
      void *p;
      _exit(cudaMalloc(&p, 4) == cudaErrorInitializationError ? 7 : 8);
    }
    int status = 0;
    waitpid(child, &status, 0);
    CHECK(7, WEXITSTATUS(status));
  }
  stop = true;
  for (auto &t : threads) t.join();
  return finish();
}

// A child may use the device if its parent does not yet.
static int forksFirst() {
  pid_t child = fork();
  void *p;
  CHECK(0, cudaMalloc(&p, 100));
  CHECK(0, cudaFree(p));
  if (child == 0) return finish();
  int status = 1;
  waitpid(child, &status, 0);
  CHECK(0, status);
  return finish();
}

// Ends while another thread waits for a kernel that nothing will release.
static int exits() {
  flagged();
  CHECK(0, launch(awaits, 1, 1, 0, 0, flag));
  std::thread([] { cudaDeviceSynchronize(); }).detach();
  std::thread([] { cudaDeviceSynchronize(); }).detach();
  usleep(2000);
  exit(3);
}

// A thread waits for a kernel that another releases, and calls meanwhile.
static int waits() {
  flagged();
  CHECK(0, launch(awaits, 1, 1, 0, 0, flag));
  std::thread t([] {
    void *p;
    for (int i = 0; i < 20; i++) CHECK(0, cudaMalloc(&p, 4)), CHECK(0, cudaMemset(p, 0, 0));
    *(volatile unsigned *)flag = 1;
  });
  CHECK(0, cudaDeviceSynchronize());
  t.join();
  return failures ? finish() : 3;
}

static int fatal;

// A signal ends the program in the middle of calls: by a handler that exits, or by itself.
static int signals(int moment, int number) {
  flagged();
  fatal = number;
  signal(SIGALRM, [](int) { fatal == SIGALRM ? exit(3) : (void)raise(fatal); });
  itimerval timer{};
  timer.it_value.tv_usec = 200 + moment * 137;
  setitimer(ITIMER_REAL, &timer, nullptr);
  for (;;) {
    launch(count, 1, 1, 0, 0);
    if (moment % 3 == 0) launch(awaits, 1, 1, 0, 0, flag);
    if (moment % 3 == 0) cudaStreamQuery(0);
    if (moment % 3 == 1) cudaDeviceSynchronize();
    cudaMemset(held, 0, 100);
  }
}

int main(int, char **argv) {
  std::string what = argv[1];
  if (what == "forks first") return forksFirst();
  if (what == "forks") return forks();
  CHECK(0, cudaMalloc(&held, 100));
  if (what == "exits") return exits();
  if (what == "waits") return waits();
  return signals(atoi(argv[2]), what == "signals" ? SIGALRM : what == "interrupted" ? SIGINT : SIGTERM);
}
