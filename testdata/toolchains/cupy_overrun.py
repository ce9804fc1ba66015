# A write behind the end of an array of CuPy, within the 512 bytes to which its pool rounds.
import cupy

kernel = cupy.RawKernel(r'''
extern "C" __global__ void f(float *a, int n) {
    a[n] = 1;
}
''', "f")
a = cupy.zeros(1000, dtype=cupy.float32)
kernel((1,), (1,), (a, cupy.int32(1000)))
cupy.cuda.Device().synchronize()
