// Three-dimensional, mipmapped, cubemap and gathered textures, surfaces.
#include <cuda_runtime.h>
#include <cstdio>
#include <cstring>
#include <vector>
int main2();
__global__ void nop() {}
__global__ void rd(cudaTextureObject_t t, cudaSurfaceObject_t s, float *o) {
  int x = threadIdx.x, y = threadIdx.y, z = threadIdx.z;
  float v = tex3D<float>(t, x + .5f, y + .5f, z + .5f);
  surf3Dwrite(v * 2, s, x * 4, y, z);
  o[(z * 4 + y) * 4 + x] = v;
}
__global__ void mip(cudaTextureObject_t t, float *o) {
  o[threadIdx.x] = tex2DLod<float>(t, .5f, .5f, threadIdx.x);
}
__global__ void cube(cudaTextureObject_t t, float *o) {
  float3 d[6] = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
  float3 v = d[threadIdx.x];
  o[threadIdx.x] = texCubemap<float>(t, v.x, v.y, v.z);
}
__global__ void gather(cudaTextureObject_t t, float4 *o) { *o = tex2Dgather<float4>(t, 1.0f, 1.0f, 0); }
int main() {
  int bad = 0;
  std::vector<float> h(64), o(64);
  for (int i = 0; i < 64; i++) h[i] = i;
  cudaExtent e = make_cudaExtent(4, 4, 4);
  cudaChannelFormatDesc f = cudaCreateChannelDesc<float>();
  cudaArray_t a, b;
  bad += cudaMalloc3DArray(&a, &f, e);
  bad += cudaMalloc3DArray(&b, &f, e, cudaArraySurfaceLoadStore);
  cudaMemcpy3DParms p = {};
  p.srcPtr = make_cudaPitchedPtr(h.data(), 16, 4, 4);
  p.dstArray = a;
  p.extent = e;
  p.kind = cudaMemcpyHostToDevice;
  bad += cudaMemcpy3D(&p);
  cudaChannelFormatDesc gf;
  cudaExtent ge;
  unsigned fl;
  bad += cudaArrayGetInfo(&gf, &ge, &fl, a);
  if (ge.depth != 4 || gf.x != 32) bad++;
  cudaResourceDesc r = {};
  r.resType = cudaResourceTypeArray;
  r.res.array.array = a;
  cudaTextureDesc td = {};
  td.readMode = cudaReadModeElementType;
  cudaTextureObject_t t;
  bad += cudaCreateTextureObject(&t, &r, &td, 0);
  r.res.array.array = b;
  cudaSurfaceObject_t s;
  bad += cudaCreateSurfaceObject(&s, &r);
  float *d;
  cudaMalloc(&d, 256);
  rd<<<1, dim3(4, 4, 4)>>>(t, s, d);
  cudaMemcpy(o.data(), d, 256, cudaMemcpyDeviceToHost);
  if (o != h) bad++;
  memset(&p, 0, sizeof p);
  p.srcArray = b;
  p.dstPtr = make_cudaPitchedPtr(o.data(), 16, 4, 4);
  p.extent = e;
  p.kind = cudaMemcpyDeviceToHost;
  cudaStream_t st;
  cudaStreamCreate(&st);
  bad += cudaMemcpy3DAsync(&p, st);
  cudaStreamSynchronize(st);
  for (int i = 0; i < 64; i++)
    if (o[i] != 2 * i) {
      bad++;
      break;
    }
  cudaMipmappedArray_t mm;
  bad += cudaMallocMipmappedArray(&mm, &f, make_cudaExtent(4, 4, 0), 3);
  for (int l = 0; l < 3; l++) {
    cudaArray_t lv;
    bad += cudaGetMipmappedArrayLevel(&lv, mm, l);
    std::vector<float> x(16, 10.0f * l);
    int w = 4 >> l;
    bad += cudaMemcpy2DToArray(lv, 0, 0, x.data(), w * 4, w * 4, w, cudaMemcpyHostToDevice);
  }
  memset(&r, 0, sizeof r);
  r.resType = cudaResourceTypeMipmappedArray;
  r.res.mipmap.mipmap = mm;
  td.normalizedCoords = 1;
  td.maxMipmapLevelClamp = 2;
  td.filterMode = td.mipmapFilterMode = cudaFilterModePoint;
  cudaTextureObject_t tm;
  bad += cudaCreateTextureObject(&tm, &r, &td, 0);
  mip<<<1, 3>>>(tm, d);
  cudaMemcpy(o.data(), d, 12, cudaMemcpyDeviceToHost);
  if (o[0] != 0 || o[1] != 10 || o[2] != 20) {
    printf("mip %g %g %g\n", o[0], o[1], o[2]);
    bad++;
  }
  cudaArray_t ca;
  bad += cudaMalloc3DArray(&ca, &f, make_cudaExtent(2, 2, 6), cudaArrayCubemap);
  std::vector<float> c(24);
  for (int i = 0; i < 24; i++) c[i] = i / 4;
  memset(&p, 0, sizeof p);
  p.srcPtr = make_cudaPitchedPtr(c.data(), 8, 2, 2);
  p.dstArray = ca;
  p.extent = make_cudaExtent(2, 2, 6);
  p.kind = cudaMemcpyHostToDevice;
  bad += cudaMemcpy3D(&p);
  memset(&r, 0, sizeof r);
  r.res.array.array = ca;
  memset(&td, 0, sizeof td);
  td.normalizedCoords = 1;
  cudaTextureObject_t tc;
  bad += cudaCreateTextureObject(&tc, &r, &td, 0);
  cube<<<1, 6>>>(tc, d);
  cudaMemcpy(o.data(), d, 24, cudaMemcpyDeviceToHost);
  for (int i = 0; i < 6; i++)
    if (o[i] != i) {
      printf("cube %d %g\n", i, o[i]);
      bad++;
    }
  cudaArray_t ga;
  bad += cudaMallocArray(&ga, &f, 4, 4, cudaArrayTextureGather);
  bad += cudaMemcpyToArray(ga, 0, 0, h.data(), 64, cudaMemcpyHostToDevice);
  memset(&r, 0, sizeof r);
  r.res.array.array = ga;
  memset(&td, 0, sizeof td);
  cudaTextureObject_t tg;
  bad += cudaCreateTextureObject(&tg, &r, &td, 0);
  float4 *d4, h4;
  cudaMalloc(&d4, 16);
  gather<<<1, 1>>>(tg, d4);
  cudaMemcpy(&h4, d4, 16, cudaMemcpyDeviceToHost);
  if (h4.x != 4 || h4.y != 5 || h4.z != 1 || h4.w != 0) {
    printf("gather %g %g %g %g\n", h4.x, h4.y, h4.z, h4.w);
    bad++;
  }
  for (auto x : {t, tm, tc, tg}) cudaDestroyTextureObject(x);
  cudaDestroySurfaceObject(s);
  cudaFreeArray(a);
  cudaFreeArray(b);
  cudaFreeArray(ca);
  cudaFreeArray(ga);
  cudaFreeMipmappedArray(mm);
  cudaFree(d);
  cudaFree(d4);
  cudaStreamDestroy(st);
  printf(bad ? "FAIL %d\n" : "PASS\n", bad);
  return bad;
}
