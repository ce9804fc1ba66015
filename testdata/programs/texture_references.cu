// Texture and surface references, their C forms, and old thread calls.
#include <stdio.h>
#include <cuda_runtime.h>
texture<float, 2, cudaReadModeElementType> tex2;
texture<uchar4, 3, cudaReadModeNormalizedFloat> tex3;
texture<unsigned short, 1> t1;
surface<void, 2> surfRef;
texture<float4, cudaTextureType2DLayered> lay;
__constant__ float cc[4];
__global__ void k(float *o, int n) {
  int i = threadIdx.x;
  if (i < n) o[i] = tex2D(tex2, i + .5f, .5f) + tex1Dfetch(t1, i) + cc[i & 3] + tex3D(tex3, .5f, .5f, .5f).x;
  float v = o[i];
  surf2Dwrite(v, surfRef, i * 4, 0);
}
int main() {
  int bad = 0;
  float h[32], *d, c[4] = {1, 2, 3, 4};
  for (int i = 0; i < 32; i++) h[i] = i;
  size_t pitch;
  float *dp;
  cudaMallocPitch((void **)&dp, &pitch, sizeof h, 2);
  cudaMemcpy2D(dp, pitch, h, sizeof h, sizeof h, 1, cudaMemcpyHostToDevice);
  cudaChannelFormatDesc cd = cudaCreateChannelDesc<float>();
  size_t off;
  cudaBindTexture2D(&off, &tex2, dp, &cd, 32, 2, pitch);
  unsigned short us[32], *du;
  for (int i = 0; i < 32; i++) us[i] = 2 * i;
  cudaMalloc((void **)&du, sizeof us);
  cudaMemcpy(du, us, sizeof us, cudaMemcpyHostToDevice);
  const textureReference *tr;
  cudaGetTextureReference(&tr, &t1);
  cudaChannelFormatDesc cs = cudaCreateChannelDesc(16, 0, 0, 0, cudaChannelFormatKindUnsigned);
  cudaBindTexture(&off, tr, du, &cs, sizeof us);
  cudaMemcpyToSymbol(cc, c, sizeof c, 0, cudaMemcpyHostToDevice);
  cudaArray *va;
  cudaChannelFormatDesc c4 = cudaCreateChannelDesc<uchar4>();
  cudaExtent ex = make_cudaExtent(1, 1, 1);
  cudaMalloc3DArray(&va, &c4, ex);
  uchar4 px = {255, 0, 0, 0};
  cudaMemcpy3DParms mp = {0};
  mp.srcPtr = make_cudaPitchedPtr(&px, 4, 1, 1);
  mp.dstArray = va;
  mp.extent = ex;
  mp.kind = cudaMemcpyHostToDevice;
  cudaMemcpy3D(&mp);
  tex3.normalized = false;
  tex3.filterMode = cudaFilterModePoint;
  tex3.addressMode[0] = tex3.addressMode[1] = tex3.addressMode[2] = cudaAddressModeClamp;
  cudaBindTextureToArray(tex3, va, c4);
  cudaArray *sa;
  cudaMallocArray(&sa, &cd, 32, 1, cudaArraySurfaceLoadStore);
  cudaBindSurfaceToArray(surfRef, sa);
  cudaMalloc((void **)&d, sizeof h);
  k<<<1, 32>>>(d, 32);
  cudaError_t e = cudaThreadSynchronize();
  if (e) {
    printf("%s\n", cudaGetErrorString(e));
    bad++;
  }
  float r[32], q[32];
  cudaMemcpy(r, d, sizeof r, cudaMemcpyDeviceToHost);
  cudaMemcpyFromArray(q, sa, 0, 0, sizeof q, cudaMemcpyDeviceToHost);
  for (int i = 0; i < 32; i++)
    if (r[i] != i + 2 * i + c[i & 3] + 1 || q[i] != r[i]) {
      if (bad++ < 3) printf("%d %g %g\n", i, r[i], q[i]);
    }
  cudaUnbindTexture(&tex2);
  cudaUnbindTexture(&t1);
  cudaUnbindTexture(tex3);
  size_t ao;
  if (cudaGetTextureAlignmentOffset(&ao, &tex2) == cudaSuccess) bad += ao != 0;
  cudaGetLastError();
  cudaFuncSetCacheConfig(k, cudaFuncCachePreferL1);
  cudaThreadSetCacheConfig(cudaFuncCachePreferShared);
  enum cudaFuncCache fc;
  cudaThreadGetCacheConfig(&fc);
  size_t lim;
  cudaThreadGetLimit(&lim, cudaLimitStackSize);
  cudaThreadSetLimit(cudaLimitPrintfFifoSize, 1 << 20);
  cudaSetDeviceFlags(cudaDeviceMapHost);
  cudaGetLastError();
  unsigned fl;
  cudaGetDeviceFlags(&fl);
  cudaDeviceSetSharedMemConfig(cudaSharedMemBankSizeEightByte);
  cudaDeviceProp want = {};
  want.major = 1;
  int dev = -1;
  cudaChooseDevice(&dev, &want);
  if (dev) bad++;
  int valid[] = {0};
  cudaSetValidDevices(valid, 1);
  cudaGetLastError();
  if (cudaMemcpyToSymbol((const char *)"cc", c, 4) != cudaErrorInvalidSymbol) bad++;
  cudaGetLastError();
  if (cudaSetDevice(7) != cudaErrorInvalidDevice) bad++;
  cudaGetLastError();
  printf("%s|%s\n", cudaGetErrorString((cudaError_t)98765), cudaGetErrorName(cudaErrorInvalidValue));
  cudaFree(dp);
  cudaFree(du);
  cudaFree(d);
  cudaFreeArray(va);
  cudaFreeArray(sa);
  printf(bad ? "FAIL\n" : "PASS\n");
  cudaThreadExit();
}
