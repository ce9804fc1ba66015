// Bodies that attract each other; checks that their center of mass stays.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "particles/state.h"

static double center(const std::vector<float> &bodies, int axis) {
  double sum = 0, mass = 0;
  for (size_t i = 0; i < bodies.size(); i += 4) {
    sum += bodies[i + axis] * bodies[i + 3];
    mass += bodies[i + 3];
  }
  return sum / mass;
}

int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 40, steps = argc > 2 ? atoi(argv[2]) : 5;
  std::vector<float> bodies(4 * n);
  for (int i = 0; i < n; i++) {
    bodies[4 * i] = std::cos(i * 0.7f) * i;
    bodies[4 * i + 1] = std::sin(i * 1.1f) * i;
    bodies[4 * i + 2] = i % 5 - 2.0f;
    bodies[4 * i + 3] = 1.0f + i % 3;
  }
  std::vector<float> before = bodies;
  unsigned long long pairs = simulate(bodies.data(), n, steps, 0.01f);
  bool ok = pairs == static_cast<unsigned long long>(n) * n * steps && bodies != before;
  for (int axis = 0; axis < 3; axis++) ok = ok && std::fabs(center(bodies, axis) - center(before, axis)) < 1e-3;
  std::printf("particles: %d bodies, %d steps, %llu pairs: %s\n", n, steps, pairs, ok ? "PASS" : "FAIL");
  return ok ? 0 : 1;
}
