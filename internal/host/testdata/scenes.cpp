// Short scenes, chosen by argument 1, that end in various ways.
#include "fake.h"
#include <csignal>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

static int many() {
  std::vector<char *> all;
  for (int i = 0; i < 10000; i++) {
    char *p;
    CHECK(0, cudaMalloc((void **)&p, 1 + i % 5000));
    all.push_back(p);
    if (i % 3 == 0) {
      CHECK(0, cudaFree(all[i / 2]));
      all[i / 2] = nullptr;
    }
  }
  for (char *p : all) CHECK(0, cudaFree(p));
  return finish();
}

static int forked() {
  int *d;
  CHECK(0, cudaMalloc((void **)&d, 4));
  pid_t child = fork();
  if (child == 0) _exit(cudaFree(d) == cudaErrorInitializationError ? 7 : 8);
  int status;
  waitpid(child, &status, 0);
  CHECK(7, WEXITSTATUS(status));
  CHECK(0, cudaFree(d));
  return finish();
}

struct Late {
  void *p = nullptr;
  ~Late() { cudaFree(p); }
} late;

int main(int, char **argv) {
  std::string scene = argv[1];
  int *d;
  if (scene == "many") return many();
  if (scene == "forked") return forked();
  if (scene == "unused") return finish();
  if (scene == "nodevice") {
    int n = 5;
    CHECK(cudaErrorNoDevice, cudaGetDeviceCount(&n));
    CHECK(0, n);
    CHECK(cudaErrorNoDevice, cudaMalloc((void **)&d, 4));
    CHECK(cudaErrorNoDevice, launch(count, 1, 1, 0, 0));
    return finish();
  }
  CHECK(0, cudaMalloc((void **)&d, 100));
  if (scene == "abort") abort();
  if (scene == "follow") return *d;
  if (scene == "segv") raise(SIGSEGV);
  if (scene == "leak") return finish();
  if (scene == "exit3") exit(3);
  if (scene == "sleep") sleep(100);
  if (scene == "dies") {
    ualarm(300000, 0);
    return launch(slow, 1, 1, 0, 0);
  }
  if (scene == "slow") return launch(slow, 1, 1, 0, 0);
  if (scene == "term") raise(SIGTERM);
  if (scene == "late") {
    late.p = d;
    return finish();
  }
  if (scene == "heap") {
    CHECK(0, launch(heap, 1, 1, 0, 0));
    CHECK(0, cudaFree(d));
    return finish();
  }
  if (scene == "reset") {
    CHECK(0, cudaDeviceReset());
    CHECK(cudaErrorInvalidValue, cudaFree(d));
    CHECK(0, launch(count, 1, 32, 0, 0));
    return finish();
  }
  if (scene == "unsupported") {
    CHECK(cudaErrorNotSupported, cudaMemPoolExportPointer(nullptr, nullptr));
    CHECK(0, cudaFree(d));
    return finish();
  }
  printf("no scene %s\n", argv[1]);
  return 1;
}
