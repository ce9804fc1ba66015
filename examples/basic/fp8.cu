// 8-bit floats: all 256 values survive the way to float and back, rounding is
// to nearest even, too large values saturate, host and device agree; and a
// scaled dot product in e4m3.
#include <cuda_fp8.h>
#include "../check.h"

template <class T> __global__ void roundTrip(unsigned char *out) {
    T v;
    v.__x = (unsigned char)threadIdx.x;
    out[threadIdx.x] = T((float)v).__x;
}

template <class T> __global__ void convert(const float *in, unsigned char *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = T(in[i]).__x;
}

__global__ void dot(const __nv_fp8x4_e4m3 *a, const __nv_fp8x4_e4m3 *b, float *sum, int n) {
    float s = 0;
    for (int i = threadIdx.x; i < n; i += blockDim.x) {
        float4 x = (float4)a[i], y = (float4)b[i];
        s += x.x * y.x + x.y * y.y + x.z * y.z + x.w * y.w;
    }
    for (int d = 16; d > 0; d /= 2) s += __shfl_down_sync(0xffffffffu, s, d);
    if (threadIdx.x == 0) *sum = s;
}

// nearest finds the fp8 value next to f by trying all, ties to even.
template <class T> unsigned char nearest(float f, float largest) {
    int best = 0;
    double distance = 1e30;
    for (int k = 0; k < 128; k++) {
        T v;
        v.__x = (unsigned char)k;
        float x = (float)v;
        if (!(x <= largest)) continue;
        double d = std::fabs((double)x - std::fabs((double)f));
        if (d < distance || (d == distance && k % 2 == 0)) {
            distance = d;
            best = k;
        }
    }
    return (unsigned char)(best | (std::signbit(f) ? 0x80 : 0));
}

template <class T> bool tryType(const char *name, float largest) {
    unsigned char *back;
    CHECK(cudaMallocManaged(&back, 256));
    roundTrip<T><<<1, 256>>>(back);
    CHECK_LAUNCH();
    bool ok = true;
    for (int k = 0; k < 256; k++) {
        T v;
        v.__x = (unsigned char)k;
        bool number = (float)v == (float)v && std::fabs((float)v) <= largest;
        if (number && back[k] != k) ok = false;
    }
    Random random;
    std::vector<float> in;
    for (int i = 0; i < 2000; i++) in.push_back((random.uniform() - 0.5f) * std::ldexp(1.0f, random.below(40) - 22));
    for (int k = 0; k < 256; k++) {
        T v, w;
        v.__x = (unsigned char)k;
        w.__x = (unsigned char)(k ^ 1);
        float half = ((float)v + (float)w) / 2;
        if (half == half && std::fabs(half) <= largest) in.push_back(half);
    }
    int n = (int)in.size();
    unsigned char *out;
    CHECK(cudaMalloc(&out, n));
    convert<T><<<(n + 127) / 128, 128>>>(toDevice(in), out, n);
    CHECK_LAUNCH();
    std::vector<unsigned char> want, host;
    for (float f : in) {
        want.push_back(nearest<T>(f, largest));
        host.push_back(T(f).__x);
    }
    ok &= same(name, toHost(out, n), want) & same(name, host, want);
    return ok;
}

int main() {
    bool ok = tryType<__nv_fp8_e4m3>("e4m3", 448) & tryType<__nv_fp8_e5m2>("e5m2", 57344);
    ok &= __nv_cvt_float_to_fp8(1000, __NV_NOSAT, __NV_E4M3) == 0x7f;
    ok &= __nv_cvt_float_to_fp8(1e9f, __NV_NOSAT, __NV_E5M2) == 0x7c;
    const int n = 64;
    std::vector<__nv_fp8x4_e4m3> a, b;
    float want = 0;
    for (int i = 0; i < n; i++) {
        float4 x = make_float4(i % 7 * 0.5f, 1, -2, i % 3), y = make_float4(2, i % 5, 0.25f, -1);
        a.push_back(__nv_fp8x4_e4m3(x));
        b.push_back(__nv_fp8x4_e4m3(y));
        want += x.x * y.x + x.y * y.y + x.z * y.z + x.w * y.w;
    }
    float *sum;
    CHECK(cudaMallocManaged(&sum, sizeof *sum));
    dot<<<1, 32>>>(toDevice(a), toDevice(b), sum, n);
    CHECK_LAUNCH();
    ok &= same<float>("dot", {*sum}, {want});
    printf("fp8: %s\n", ok ? "PASS" : "FAIL");
    return !ok;
}
