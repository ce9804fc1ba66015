// Texture and surface objects, arrays, 3D, layered, normalized coordinates, linear filtering, pitch2D,
// surface writes.
#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>
#include <cmath>
#include <vector>
#include <cstring>
#define CK(x)                                                                                                \
  do {                                                                                                       \
    cudaError_t e_ = (x);                                                                                    \
    if (e_ != cudaSuccess) {                                                                                 \
      printf("%d %s -> %s\n", __LINE__, #x, cudaGetErrorName(e_));                                           \
      exit(1);                                                                                               \
    }                                                                                                        \
  } while (0)
__global__ void rotate(float *out, cudaTextureObject_t tex, int w, int h, float th) {
  unsigned x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h) return;
  float u = x / (float)w - .5f, v = y / (float)h - .5f;
  out[y * w + x] = tex2D<float>(tex, u * cosf(th) - v * sinf(th) + .5f, v * cosf(th) + u * sinf(th) + .5f);
}
__global__ void surf(cudaSurfaceObject_t in, cudaSurfaceObject_t out, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < w && y < h) {
    uchar4 d;
    surf2Dread(&d, in, x * 4, y);
    d.x = 255 - d.x;
    surf2Dwrite(d, out, x * 4, y, cudaBoundaryModeTrap);
  }
}
__global__ void fetch(int *o, cudaTextureObject_t lin, cudaTextureObject_t pit, cudaTextureObject_t vol,
                      cudaTextureObject_t lay) {
  int i = threadIdx.x;
  int4 a = tex1Dfetch<int4>(lin, i);
  float p = tex2D<float>(pit, i % 8 + .5f, i / 8 + .5f);
  float v = tex3D<float>(vol, i % 2 + .5f, i / 2 % 2 + .5f, i / 4 % 2 + .5f);
  float2 l = tex2DLayered<float2>(lay, .5f, .5f, i % 3);
  o[i] = a.x + a.w + (int)p * 100 + (int)v * 10000 + (int)l.y * 100000;
}
int main() {
  int bad = 0;
  const int w = 64, h = 48;
  std::vector<float> img(w * h), out(w * h);
  for (int i = 0; i < w * h; i++) img[i] = i % 251;
  cudaChannelFormatDesc cd = cudaCreateChannelDesc(32, 0, 0, 0, cudaChannelFormatKindFloat);
  cudaArray_t arr;
  CK(cudaMallocArray(&arr, &cd, w, h));
  CK(cudaMemcpy2DToArray(arr, 0, 0, img.data(), w * 4, w * 4, h, cudaMemcpyHostToDevice));
  cudaResourceDesc rd;
  memset(&rd, 0, sizeof rd);
  rd.resType = cudaResourceTypeArray;
  rd.res.array.array = arr;
  cudaTextureDesc td = {};
  td.addressMode[0] = td.addressMode[1] = cudaAddressModeWrap;
  td.filterMode = cudaFilterModeLinear;
  td.readMode = cudaReadModeElementType;
  td.normalizedCoords = 1;
  cudaTextureObject_t t;
  CK(cudaCreateTextureObject(&t, &rd, &td, NULL));
  float *d;
  CK(cudaMalloc(&d, w * h * 4));
  rotate<<<dim3(w / 8, h / 8), dim3(8, 8)>>>(d, t, w, h, 0.0f);
  CK(cudaMemcpy(out.data(), d, w * h * 4, cudaMemcpyDeviceToHost));
  for (int y = 1; y < h; y++)
    for (int x = 1; x < w; x++) {
      float want =
          (img[y * w + x] + img[y * w + x - 1] + img[(y - 1) * w + x] + img[(y - 1) * w + x - 1]) / 4;
      if (fabsf(out[y * w + x] - want) > 0.5f) {
        if (bad++ < 3) printf("rot %d %d %g %g\n", x, y, out[y * w + x], want);
      }
    }
  cudaResourceDesc q;
  CK(cudaGetTextureObjectResourceDesc(&q, t));
  if (q.res.array.array != arr) bad++;
  CK(cudaDestroyTextureObject(t));
  CK(cudaFreeArray(arr));
  std::vector<uchar4> im(w * h), im2(w * h);
  for (int i = 0; i < w * h; i++) im[i] = make_uchar4(i, i >> 8, 3, 4);
  cd = cudaCreateChannelDesc<uchar4>();
  cudaArray_t sa, sb;
  CK(cudaMallocArray(&sa, &cd, w, h, cudaArraySurfaceLoadStore));
  CK(cudaMallocArray(&sb, &cd, w, h)); // surface objects need no cudaArraySurfaceLoadStore
  CK(cudaMemcpyToArray(sa, 0, 0, im.data(), w * h * 4, cudaMemcpyHostToDevice));
  rd.res.array.array = sa;
  cudaSurfaceObject_t s1, s2;
  CK(cudaCreateSurfaceObject(&s1, &rd));
  rd.res.array.array = sb;
  CK(cudaCreateSurfaceObject(&s2, &rd));
  surf<<<dim3(w / 16, h / 16), dim3(16, 16)>>>(s1, s2, w, h);
  CK(cudaMemcpy2DFromArray(im2.data(), w * 4, sb, 0, 0, w * 4, h, cudaMemcpyDeviceToHost));
  for (int i = 0; i < w * h; i++)
    if (im2[i].x != 255 - im[i].x || im2[i].y != im[i].y) {
      bad++;
      break;
    }
  cudaDestroySurfaceObject(s1);
  cudaDestroySurfaceObject(s2);
  cudaFreeArray(sa);
  cudaFreeArray(sb);
  int4 hl[32], *dl;
  for (int i = 0; i < 32; i++) hl[i] = make_int4(i, 0, 0, 1);
  CK(cudaMalloc(&dl, sizeof hl));
  CK(cudaMemcpy(dl, hl, sizeof hl, cudaMemcpyHostToDevice));
  memset(&rd, 0, sizeof rd);
  rd.resType = cudaResourceTypeLinear;
  rd.res.linear.devPtr = dl;
  rd.res.linear.desc = cudaCreateChannelDesc<int4>();
  rd.res.linear.sizeInBytes = sizeof hl;
  memset(&td, 0, sizeof td);
  td.readMode = cudaReadModeElementType;
  cudaTextureObject_t lin, pit, vol, lay;
  CK(cudaCreateTextureObject(&lin, &rd, &td, NULL));
  float *dp;
  size_t pitch;
  CK(cudaMallocPitch(&dp, &pitch, 32, 4));
  float hp[32];
  for (int i = 0; i < 32; i++) hp[i] = i;
  CK(cudaMemcpy2D(dp, pitch, hp, 32, 32, 4, cudaMemcpyHostToDevice));
  rd.resType = cudaResourceTypePitch2D;
  rd.res.pitch2D.devPtr = dp;
  rd.res.pitch2D.pitchInBytes = pitch;
  rd.res.pitch2D.width = 8;
  rd.res.pitch2D.height = 4;
  rd.res.pitch2D.desc = cudaCreateChannelDesc<float>();
  CK(cudaCreateTextureObject(&pit, &rd, &td, NULL));
  cudaArray_t va, la;
  cd = cudaCreateChannelDesc<float>();
  CK(cudaMalloc3DArray(&va, &cd, make_cudaExtent(2, 2, 2)));
  float hv[8] = {0, 1, 2, 3, 4, 5, 6, 7};
  cudaMemcpy3DParms mp = {0};
  mp.srcPtr = make_cudaPitchedPtr(hv, 8, 2, 2);
  mp.dstArray = va;
  mp.extent = make_cudaExtent(2, 2, 2);
  mp.kind = cudaMemcpyHostToDevice;
  CK(cudaMemcpy3D(&mp));
  memset(&rd, 0, sizeof rd);
  rd.resType = cudaResourceTypeArray;
  rd.res.array.array = va;
  CK(cudaCreateTextureObject(&vol, &rd, &td, NULL));
  cd = cudaCreateChannelDesc<float2>();
  CK(cudaMalloc3DArray(&la, &cd, make_cudaExtent(1, 1, 3), cudaArrayLayered));
  float2 hy[3] = {{0, 1}, {0, 2}, {0, 3}};
  memset(&mp, 0, sizeof mp);
  mp.srcPtr = make_cudaPitchedPtr(hy, 8, 1, 1);
  mp.dstArray = la;
  mp.extent = make_cudaExtent(1, 1, 3);
  mp.kind = cudaMemcpyHostToDevice;
  CK(cudaMemcpy3D(&mp));
  rd.res.array.array = la;
  CK(cudaCreateTextureObject(&lay, &rd, &td, NULL));
  int *o, ho[32];
  CK(cudaMalloc(&o, 128));
  fetch<<<1, 32>>>(o, lin, pit, vol, lay);
  CK(cudaMemcpy(ho, o, 128, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 32; i++) {
    int want = i + 1 + i * 100 + i % 8 * 10000 + (i % 3 + 1) * 100000;
    if (ho[i] != want) {
      if (bad++ < 3) printf("fetch %d %d %d\n", i, ho[i], want);
    }
  }
  for (auto x : {lin, pit, vol, lay}) cudaDestroyTextureObject(x);
  cudaFreeArray(va);
  cudaFreeArray(la);
  cudaFree(d);
  cudaFree(dl);
  cudaFree(dp);
  cudaFree(o);
  printf(bad ? "FAIL\n" : "PASS\n");
  return bad;
}
