// CUDA arrays, texture and surface objects and references: contents that come
// back, and every kind of misuse with the code that CUDA gives.
#include <algorithm>
#include <vector>

#include "fake.h"

static textureReference ref;
static textureReference stranger;
static surfaceReference board;

static cudaResourceDesc arrayResource(cudaArray_t a) {
  cudaResourceDesc r = {};
  r.resType = cudaResourceTypeArray;
  r.res.array.array = a;
  return r;
}

static void copies() {
  const int w = 5, h = 3, d = 2;
  std::vector<short> in(w * h * d), out(w * h * d);
  for (size_t i = 0; i < in.size(); i++) in[i] = (short)(i * 7);
  cudaChannelFormatDesc c = cudaCreateChannelDesc(16, 0, 0, 0, cudaChannelFormatKindSigned), got;
  cudaArray_t a, b, flat;
  cudaExtent extent = {w, h, d}, e;
  unsigned flags;
  CHECK(0, cudaMalloc3DArray(&a, &c, extent, 0));
  CHECK(0, cudaMalloc3DArray(&b, &c, extent, cudaArrayLayered));
  CHECK(0, cudaMallocArray(&flat, &c, w, h, 0));
  CHECK(0, cudaArrayGetInfo(&got, &e, &flags, b));
  CHECK(1, got.x == 16 && got.f == cudaChannelFormatKindSigned && e.depth == d && flags == cudaArrayLayered);
  CHECK(0, cudaGetChannelDesc(&got, a));

  // To one array, from there to another, and back in two pieces.
  cudaMemcpy3DParms p = {};
  p.srcPtr = {in.data(), w * sizeof(short), w, h};
  p.dstArray = a;
  p.extent = extent;
  p.kind = cudaMemcpyHostToDevice;
  CHECK(0, cudaMemcpy3D(&p));
  p = {};
  p.srcArray = a;
  p.dstArray = b;
  p.extent = extent;
  p.kind = cudaMemcpyDeviceToDevice;
  CHECK(0, cudaMemcpy3DAsync(&p, nullptr));
  for (int part = 0; part < 2; part++) {
    p = {};
    p.srcArray = b;
    p.srcPos = {part ? 2u : 0u, 0, 0};
    p.dstPtr = {out.data(), w * sizeof(short), w, h};
    p.dstPos = {p.srcPos.x * sizeof(short), 0, 0};
    p.extent = {part ? 3u : 2u, h, d};
    p.kind = cudaMemcpyDeviceToHost;
    CHECK(0, cudaMemcpy3D(&p));
  }
  CHECK(1, in == out);

  // Rows, and runs over the ends of rows.
  std::vector<short> rows(w * h), back(w * h);
  CHECK(0, cudaMemcpy2DToArray(flat, 0, 0, in.data(), w * 2, w * 2, h, cudaMemcpyHostToDevice));
  CHECK(0, cudaMemcpy2DFromArray(rows.data(), w * 2, flat, 0, 0, w * 2, h, cudaMemcpyDeviceToHost));
  CHECK(1, std::equal(rows.begin(), rows.end(), in.begin()));
  CHECK(0, cudaMemcpy2DArrayToArray(flat, 0, 0, flat, 4, 1, 4, 2, cudaMemcpyDeviceToDevice));
  CHECK(0, cudaMemcpyFromArray(back.data(), flat, 0, 0, w * h * 2, cudaMemcpyDeviceToHost));
  CHECK(1, back[0] == in[w + 2] && back[1] == in[w + 3] && back[w] == in[2 * w + 2] && back[2] == in[2]);
  CHECK(0, cudaMemcpyToArray(flat, 4, 0, in.data(), 12, cudaMemcpyHostToDevice));
  CHECK(0, cudaMemcpyArrayToArray(flat, 0, 2, flat, 4, 0, 10, cudaMemcpyDeviceToDevice));
  CHECK(0, cudaMemcpyFromArray(back.data(), flat, 0, 2, w * 2, cudaMemcpyDeviceToHost));
  CHECK(1, std::equal(back.begin(), back.begin() + w, in.begin()));

  // Beyond.
  CHECK(cudaErrorInvalidValue, cudaMemcpy2DToArray(flat, 2, 0, in.data(), w * 2, w * 2, 1, cudaMemcpyHostToDevice));
  CHECK(cudaErrorInvalidValue, cudaMemcpy2DFromArray(rows.data(), w * 2, flat, 0, 1, w * 2, h, cudaMemcpyDeviceToHost));
  CHECK(cudaErrorInvalidValue, cudaMemcpyToArray(flat, 0, 1, in.data(), w * h * 2, cudaMemcpyHostToDevice));
  CHECK(cudaErrorInvalidPitchValue, cudaMemcpy2DToArray(flat, 0, 0, in.data(), 2, w * 2, 2, cudaMemcpyHostToDevice));
  p.extent.width = 6;
  CHECK(cudaErrorInvalidValue, cudaMemcpy3D(&p));
  CHECK(cudaErrorInvalidValue, cudaFree(a));
  CHECK(0, cudaFreeArray(a));
  CHECK(cudaErrorInvalidResourceHandle, cudaFreeArray(a));
  CHECK(cudaErrorInvalidResourceHandle, cudaMemcpyToArray(a, 0, 0, in.data(), 2, cudaMemcpyHostToDevice));
  CHECK(0, cudaFreeArray(b));
  CHECK(0, cudaFreeArray(flat));
  CHECK(0, cudaFreeArray(nullptr));
}

static void shapes() {
  cudaChannelFormatDesc c = cudaCreateChannelDesc(32, 0, 0, 0, cudaChannelFormatKindFloat);
  cudaChannelFormatDesc three = cudaCreateChannelDesc(8, 8, 8, 0, cudaChannelFormatKindUnsigned);
  cudaChannelFormatDesc none = cudaCreateChannelDesc(0, 0, 0, 0, cudaChannelFormatKindNone);
  cudaArray_t a;
  CHECK(cudaErrorInvalidValue, cudaMallocArray(nullptr, &c, 4, 4, 0));
  CHECK(cudaErrorInvalidValue, cudaMallocArray(&a, nullptr, 4, 4, 0));
  CHECK(cudaErrorInvalidValue, cudaMallocArray(&a, &c, 0, 4, 0));
  CHECK(cudaErrorInvalidChannelDescriptor, cudaMallocArray(&a, &three, 4, 4, 0));
  CHECK(cudaErrorInvalidChannelDescriptor, cudaMallocArray(&a, &none, 4, 4, 0));
  CHECK(cudaErrorInvalidValue, cudaMalloc3DArray(&a, &c, {4, 0, 4}, 0));
  CHECK(cudaErrorInvalidValue, cudaMalloc3DArray(&a, &c, {4, 5, 6}, cudaArrayCubemap));
  CHECK(cudaErrorInvalidValue, cudaMalloc3DArray(&a, &c, {4, 4, 7}, cudaArrayCubemap | cudaArrayLayered));
  CHECK(cudaErrorInvalidValue, cudaMalloc3DArray(&a, &c, {4, 4, 0}, cudaArrayLayered));

  cudaMipmappedArray_t m;
  cudaExtent e;
  CHECK(0, cudaMallocMipmappedArray(&m, &c, {20, 5, 0}, 99, 0)); // as many as there can be: 20, 10, 5, 2, 1
  CHECK(0, cudaGetMipmappedArrayLevel(&a, m, 4));
  CHECK(0, cudaArrayGetInfo(nullptr, &e, nullptr, a));
  CHECK(1, e.width == 1 && e.height == 1 && e.depth == 0);
  CHECK(cudaErrorInvalidValue, cudaFreeArray(a));
  CHECK(cudaErrorInvalidValue, cudaGetMipmappedArrayLevel(&a, m, 5));
  CHECK(0, cudaFreeMipmappedArray(m));
  CHECK(cudaErrorInvalidResourceHandle, cudaFreeMipmappedArray(m));
}

static void objects() {
  cudaChannelFormatDesc c = cudaCreateChannelDesc(32, 0, 0, 0, cudaChannelFormatKindSigned);
  cudaArray_t plain, both;
  CHECK(0, cudaMallocArray(&plain, &c, 4, 4, 0));
  CHECK(0, cudaMallocArray(&both, &c, 4, 4, cudaArraySurfaceLoadStore));
  cudaResourceDesc r = arrayResource(plain), got;
  cudaTextureDesc t = {}, gotSettings;
  cudaTextureObject_t x = 0, y = 0;
  cudaSurfaceObject_t s = 0;
  CHECK(cudaErrorInvalidValue, cudaCreateTextureObject(nullptr, &r, &t, nullptr));
  t.filterMode = cudaFilterModeLinear;
  CHECK(cudaErrorInvalidFilterSetting, cudaCreateTextureObject(&x, &r, &t, nullptr));
  t.filterMode = cudaFilterModePoint;
  t.readMode = cudaReadModeNormalizedFloat;
  CHECK(cudaErrorInvalidNormSetting, cudaCreateTextureObject(&x, &r, &t, nullptr));
  t.readMode = cudaReadModeElementType;
  t.addressMode[1] = cudaAddressModeBorder;
  CHECK(0, cudaCreateTextureObject(&x, &r, &t, nullptr));
  CHECK(0, cudaCreateTextureObject(&y, &r, &t, nullptr));
  CHECK(1, x != 0 && y != 0 && x != y);
  CHECK(0, cudaGetTextureObjectResourceDesc(&got, x));
  CHECK(0, cudaGetTextureObjectTextureDesc(&gotSettings, x));
  CHECK(1, got.res.array.array == plain && gotSettings.addressMode[1] == cudaAddressModeBorder);
  CHECK(0, cudaCreateSurfaceObject(&s, &r)); // needs no cudaArraySurfaceLoadStore, as surface references do
  CHECK(0, cudaDestroySurfaceObject(s));
  r = arrayResource(both);
  CHECK(0, cudaCreateSurfaceObject(&s, &r));
  CHECK(cudaErrorInvalidValue, cudaDestroyTextureObject(s));
  CHECK(0, cudaDestroySurfaceObject(s));
  CHECK(cudaErrorInvalidValue, cudaDestroySurfaceObject(s));
  CHECK(0, cudaDestroySurfaceObject(0));
  CHECK(0, cudaDestroyTextureObject(0));
  CHECK(0, cudaDestroyTextureObject(x));
  CHECK(cudaErrorInvalidValue, cudaDestroyTextureObject(x));
  CHECK(cudaErrorInvalidValue, cudaGetTextureObjectResourceDesc(&got, x));

  // Views: other formats of the same size.
  cudaResourceViewDesc v = {};
  v.format = cudaResViewFormatUnsignedChar4;
  CHECK(0, cudaCreateTextureObject(&x, &r, &t, &v));
  v.format = cudaResViewFormatFloat2;
  CHECK(cudaErrorInvalidValue, cudaCreateTextureObject(&x, &r, &t, &v));
  v.format = cudaResViewFormatNone;
  v.lastMipmapLevel = 1;
  CHECK(cudaErrorInvalidValue, cudaCreateTextureObject(&x, &r, &t, &v));
  CHECK(0, cudaFreeArray(plain));
  CHECK(0, cudaFreeArray(both));
}

static void linear() {
  char *d, host[64];
  CHECK(0, cudaMalloc((void **)&d, 4096));
  cudaResourceDesc r = {};
  r.resType = cudaResourceTypeLinear;
  r.res.linear = {d, cudaCreateChannelDesc(32, 32, 0, 0, cudaChannelFormatKindFloat), 4096};
  cudaTextureDesc t = {};
  cudaTextureObject_t x = 0;
  CHECK(0, cudaCreateTextureObject(&x, &r, &t, nullptr));
  r.res.linear.devPtr = d + 256;
  CHECK(cudaErrorInvalidValue, cudaCreateTextureObject(&x, &r, &t, nullptr));
  r.res.linear.devPtr = host;
  CHECK(cudaErrorInvalidValue, cudaCreateTextureObject(&x, &r, &t, nullptr));
  r.resType = cudaResourceTypePitch2D;
  r.res.pitch2D = {d, cudaCreateChannelDesc(32, 0, 0, 0, cudaChannelFormatKindFloat), 100, 4, 400};
  CHECK(cudaErrorInvalidValue, cudaCreateTextureObject(&x, &r, &t, nullptr));
  r.res.pitch2D.pitchInBytes = 512;
  CHECK(0, cudaCreateTextureObject(&x, &r, &t, nullptr));

  // References.
  cudaChannelFormatDesc c = cudaCreateChannelDesc(32, 0, 0, 0, cudaChannelFormatKindFloat);
  const textureReference *found;
  size_t offset = 1;
  CHECK(0, cudaBindTexture(nullptr, &ref, d, &c, 4096));
  CHECK(cudaErrorInvalidValue, cudaBindTexture(nullptr, &ref, d + 8, &c, 64));
  CHECK(0, cudaBindTexture(&offset, &ref, d + 8, &c, 64));
  CHECK(8, offset);
  CHECK(0, cudaGetTextureAlignmentOffset(&offset, &ref));
  CHECK(8, offset);
  CHECK(0, cudaBindTexture2D(&offset, &ref, d, &c, 16, 4, 64));
  CHECK(0, cudaGetTextureReference(&found, &ref));
  CHECK(1, found == &ref);
  CHECK(0, cudaUnbindTexture(&ref));
  CHECK(0, cudaUnbindTexture(&ref));
  CHECK(cudaErrorInvalidTexture, cudaBindTexture(nullptr, &stranger, d, &c, 64));
  cudaArray_t a;
  CHECK(0, cudaMallocArray(&a, &c, 4, 4, 0));
  CHECK(cudaErrorInvalidValue, cudaBindSurfaceToArray(&board, a, &c));
  CHECK(0, cudaFreeArray(a));
  CHECK(0, cudaMallocArray(&a, &c, 4, 4, cudaArraySurfaceLoadStore));
  CHECK(0, cudaBindTextureToArray(&ref, a, &c));
  CHECK(0, cudaBindSurfaceToArray(&board, a, &c));
  CHECK(0, cudaFreeArray(a));
  CHECK(0, cudaFree(d));
}

int main() {
  __cudaRegisterTexture(handle, &ref, nullptr, "counter", 1, 0, 0);
  __cudaRegisterSurface(handle, &board, nullptr, "table", 1, 0);
  copies();
  shapes();
  objects();
  linear();
  return finish();
}
