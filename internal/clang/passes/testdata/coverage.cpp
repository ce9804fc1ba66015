// What clang counts, in all the forms that a region or a branch can have.
#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define CHECK(x)    \
  do {              \
    if (!(x)) {     \
      failed++;     \
    }               \
  } while (0)
#define BOTH(a, b) (MIN(a, b) > 3 && MIN(b, a) < 9)

static int failed;

template <class T> struct Box {
  T value;
  bool holds(T x) const { return x == value || (x > value && x < 2 * value); }
  template <int N> int scaled() {
    if constexpr (N > 2)
      return value * N;
    else
      return value;
  }
};

int early(int a) {
  /* a comment
     of two lines */
  if (a < 0)
    return -1;

  if (a == 0) { // another
    a = 5;
  } else if (a > 100) {
    return 7;
  } else {
    a++;
  }
  return a;
}

int loops(int n) {
  int sum = 0;
  for (int i = 0; i < n; i++) {
    if (i == 7)
      continue;
    if (i == 20)
      break;
    sum += i & 1 ? 2 : i;
  }
  while (sum > 10)
    sum /= 2;
  do {
    sum++;
  } while (sum < 5 || (sum < 8 && n > 3));
  int list[] = {1, 2, 3};
  for (int x : list)
    sum += x;
  while (true) {
    if (sum > 3) break; else { sum++;
    }
  }
  return sum;
}

int choose(int a) {
  int r = 0;
  switch (a) {
  case 0:
    r = 1;
    break;
  case 1:
  case 2:
    r = 2; // falls through
  case 3:
    r += 3;
    return r;
  default:
    r = a > 3 ? a < 9 ? 1 : 2 : 3;
  }
#if 0
  r = 100;
#endif
  if (r > 2)
    goto out;
  r *= 3;
out:
  return r;
}

int macros(int a, int b) {
  CHECK(a > 3 && b);
  CHECK(MIN(a, b) < 7);
  int r = BOTH(a, b) ? MIN(a, MIN(b, 3)) : 0;
  return r;
}

int lambdas(int a) {
  auto f = [=](int x) { return x > a && a ? x : !x; };
  bool value = f(3) && a, other = f(4) || !a;
  return value + other;
}

static int unused(int a) {
  // nothing
  return a ? 1 : 2;
}

int all(int a) {
  Box<int> i{a};
  Box<double> d{2.5};
  return early(a) + loops(a) + choose(a) + macros(a, 3) + lambdas(a) + i.holds(3) + (int)d.value + i.scaled<1>() + i.scaled<3>();
}
