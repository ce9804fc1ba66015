// flags: --std c++17
// All functions of <cmath> in device code, as std::f and ::f and by the names of C for
// both precisions, and those that CUDA adds, against the host's.
#include <cmath>
#include <cstdio>
#include <vector>

#define ONE(X)                                                                                                       \
    X(acos) X(acosh) X(asin) X(asinh) X(atan) X(atanh) X(cbrt) X(ceil) X(cos) X(cosh) X(erf) X(erfc) X(exp) X(exp2)  \
    X(expm1) X(fabs) X(floor) X(lgamma) X(log) X(log10) X(log1p) X(log2) X(logb) X(nearbyint) X(rint) X(round)       \
    X(sin) X(sinh) X(sqrt) X(tan) X(tanh) X(tgamma) X(trunc)
#define TWO(X) \
    X(atan2) X(copysign) X(fdim) X(fmax) X(fmin) X(fmod) X(hypot) X(nextafter) X(pow) X(remainder)
#define WHOLE(X) X(ilogb) X(lrint) X(lround) X(llrint) X(llround)
#define KIND(X) X(isnan) X(isinf) X(isfinite) X(isnormal) X(signbit)
#define ORDER(X) X(isgreater) X(isgreaterequal) X(isless) X(islessequal) X(islessgreater) X(isunordered)

// Both sides compute the same list of values.
template <class T> __host__ __device__ int common(T *o, T a, T b, T c, int n) {
    int k = 0, e = 0;
    T whole;
#define X(f) o[k++] = std::f(a); o[k++] = ::f(a);
    ONE(X) WHOLE(X)
#undef X
#define X(f) o[k++] = std::f(a, b); o[k++] = ::f(a, b);
    TWO(X)
#undef X
#define X(f) o[k++] = std::f(a);
    KIND(X)
#undef X
#define X(f) o[k++] = std::f(a, b);
    ORDER(X)
#undef X
    o[k++] = std::fma(a, b, c);
    o[k++] = std::hypot(a, b, c);
    o[k++] = std::frexp(c, &e), o[k++] = e;
    o[k++] = std::modf(a + n, &whole), o[k++] = whole;
    o[k++] = std::remquo(a, b, &e), o[k++] = e & 7;
    o[k++] = std::ldexp(a, n), o[k++] = std::scalbn(a, n), o[k++] = std::scalbln(a, (long)n);
    o[k++] = std::pow(a, n), o[k++] = std::pow(a, 2), o[k++] = std::abs(-a), o[k++] = std::fpclassify(a);
    return k;
}

// nvcc takes a constexpr function that calls math, which no constant expression can.
__host__ __device__ constexpr float log10Inverse() { return 1.f / ::log(10.f); }

__host__ __device__ int precise(float *o, float a, float b, float c, int n) {
    int k = common(o, a, b, c, n);
#define X(name) o[k++] = ::name##f(a);
    ONE(X) WHOLE(X)
#undef X
#define X(name) o[k++] = ::name##f(a, b);
    TWO(X)
#undef X
    o[k++] = fmaf(a, b, c), o[k++] = ldexpf(a, n), o[k++] = scalbnf(a, n), o[k++] = a * log10Inverse();
    return k;
}
__host__ __device__ int precise(double *o, double a, double b, double c, int n) { return common(o, a, b, c, n); }

// What CUDA adds, each with what it is by other functions.
#define CHECK_F(f, want) o[k++] = f, o[k++] = want;
#define OWN(T, S)                                                                                                     \
    __device__ int own(T *o, T a, T b, T c, int n) {                                                                  \
        int k = 0;                                                                                                    \
        T x, y, v[4] = {a, b, c, a};                                                                                  \
        const T pi = 3.14159265358979323846;                                                                          \
        CHECK_F(cospi##S(a), cos(pi * a)) CHECK_F(sinpi##S(a), sin(pi * a)) CHECK_F(exp10##S(a), pow(T(10), a))        \
        CHECK_F(rsqrt##S(a), 1 / sqrt(a)) CHECK_F(rcbrt##S(a), 1 / cbrt(a)) CHECK_F(rhypot##S(a, b), 1 / hypot(a, b))  \
        CHECK_F(erfinv##S(erf(a)), a) CHECK_F(erfcinv##S(erfc(a)), a) CHECK_F(erfcx##S(a), exp(a *a) * erfc(a))        \
        CHECK_F(normcdf##S(a), erfc(-a / sqrt(T(2))) / 2) CHECK_F(normcdfinv##S(normcdf##S(a)), a)                     \
        CHECK_F(norm3d##S(a, b, c), sqrt(a *a + b * b + c * c)) CHECK_F(norm##S(3, v), norm3d##S(a, b, c))             \
        CHECK_F(rnorm3d##S(a, b, c), 1 / norm3d##S(a, b, c)) CHECK_F(rnorm##S(4, v), 1 / norm4d##S(a, b, c, a))        \
        CHECK_F(rnorm4d##S(a, b, c, a), 1 / norm4d##S(a, b, c, a)) CHECK_F(powi##S(a, n), a *a *a)                     \
        sincos##S(a, &x, &y);                                                                                         \
        CHECK_F(x, sin(a)) CHECK_F(y, cos(a))                                                                         \
        sincospi##S(a, &x, &y);                                                                                       \
        CHECK_F(x, sinpi##S(a)) CHECK_F(y, cospi##S(a))                                                               \
        /* 9.6.25 of Abramowitz and Stegun at 1/2, and Bessel functions of whole orders */                            \
        CHECK_F(cyl_bessel_i0##S(T(0.5)), T(1.0634833707413236)) CHECK_F(cyl_bessel_i1##S(T(0.5)), T(0.25789430539089632)) \
        CHECK_F(jn##S(0, c), j0##S(c)) CHECK_F(jn##S(1, c), j1##S(c)) CHECK_F(yn##S(0, c), y0##S(c)) CHECK_F(yn##S(1, c), y1##S(c)) \
        CHECK_F(max(a, b), a) CHECK_F(min(a, b), b) CHECK_F(T(isnan(nan##S(""))), 1)                                   \
        return k;                                                                                                     \
    }
OWN(float, f)
OWN(double, )

// Conversions of CUDA's first versions, with a way of rounding.
__device__ int old(float *o) {
    int k = 0;
    CHECK_F(float2int(1.7f), 1) CHECK_F(float2int(1.2f, cudaRoundPosInf), 2) CHECK_F(float2int(-1.2f, cudaRoundMinInf), -2)
    CHECK_F(float2uint(2.5f, cudaRoundNearest), 2) CHECK_F(int2float(16777217, cudaRoundZero), 16777216.0f)
    CHECK_F(int2float(16777217, cudaRoundPosInf), 16777218.0f) CHECK_F(uint2float(3), 3)
    return k;
}
__device__ int old(double *) { return 0; }

template <class T> __global__ void compute(T *o, int *n, T a, T b, T c, int i) {
    n[0] = precise(o, a, b, c, i);
    n[1] = own(o + n[0], a, b, c, i);
    n[2] = old(o + n[0] + n[1]);
}

template <class T> int compare(double tolerance) {
    const int room = 512;
    T *d, a = 0.4375, b = 0.3125, c = 2.5;
    int *counts, n[3], wrong = 0;
    cudaMalloc(&d, room * sizeof(T));
    cudaMalloc(&counts, sizeof n);
    cudaMemset(d, 0, room * sizeof(T));
    compute<<<1, 1>>>(d, counts, a, b, c, 3);
    std::vector<T> got(room), want(room);
    if (cudaMemcpy(got.data(), d, room * sizeof(T), cudaMemcpyDeviceToHost) != cudaSuccess) return 1;
    cudaMemcpy(n, counts, sizeof n, cudaMemcpyDeviceToHost);
    int common = precise(want.data(), a, b, c, 3);
    auto differ = [&](int i, T x, T y) {
        if (std::fabs(x - y) <= tolerance * (1 + std::fabs(y)) || std::isnan(x) && std::isnan(y)) return;
        printf("value %d: got %.9g, want %.9g\n", i, double(x), double(y));
        wrong++;
    };
    wrong += common != n[0];
    for (int i = 0; i < common; i++) differ(i, got[i], want[i]);
    for (int i = common; i < common + n[1] + n[2]; i += 2) differ(i, got[i], got[i + 1]);
    printf("%d values\n", common + n[1] + n[2]);
    cudaFree(d);
    cudaFree(counts);
    return wrong;
}

int main() {
    int wrong = compare<float>(4e-6) + compare<double>(1e-13);
    puts(wrong ? "FAIL" : "PASS");
    return wrong != 0;
}
