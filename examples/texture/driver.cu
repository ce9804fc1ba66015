// The driver API: PTX text that reads a texture reference and a texture object
// of the same array, and writes a surface reference.
#include <cstring>
#include <cuda.h>

#include "../check.h"

#define CHECK_CU(call)                                                     \
    do {                                                                   \
        CUresult status_ = (call);                                         \
        if (status_ != CUDA_SUCCESS) {                                     \
            const char *text_ = "";                                        \
            cuGetErrorString(status_, &text_);                             \
            fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #call, text_);  \
            exit(2);                                                       \
        }                                                                  \
    } while (0)

static const char *ptx = R"(
.version 6.0
.target sm_50
.address_size 64
.global .texref image;
.global .surfref board;
.visible .entry read(.param .u64 object)
{
    .reg .b32 %x, %y, %bytes;
    .reg .f32 %u, %v, %a<4>, %b<4>;
    .reg .b64 %object;
    ld.param.u64 %object, [object];
    mov.u32 %x, %tid.x;
    mov.u32 %y, %tid.y;
    cvt.rn.f32.u32 %u, %x;
    cvt.rn.f32.u32 %v, %y;
    tex.2d.v4.f32.f32 {%a0, %a1, %a2, %a3}, [image, {%u, %v}];
    tex.2d.v4.f32.s32 {%b0, %b1, %b2, %b3}, [%object, {%x, %y}];
    mul.f32 %b1, %b1, 0f3F800000;
    fma.rn.f32 %a0, %a0, 0f40000000, %b1;
    shl.b32 %bytes, %x, 2;
    sust.b.2d.b32.trap [board, {%bytes, %y}], {%a0};
    ret;
}
)";

int main() {
    const int width = 8, height = 4;
    CUdevice device;
    CUcontext context;
    CHECK_CU(cuInit(0));
    CHECK_CU(cuDeviceGet(&device, 0));
    CHECK_CU(cuCtxCreate(&context, 0, device));
    CUmodule module;
    CUfunction read;
    CHECK_CU(cuModuleLoadData(&module, ptx));
    CHECK_CU(cuModuleGetFunction(&read, module, "read"));

    CUarray from, to;
    CUDA_ARRAY_DESCRIPTOR two = {width, height, CU_AD_FORMAT_UNSIGNED_INT8, 2};
    CUDA_ARRAY3D_DESCRIPTOR one = {width, height, 0, CU_AD_FORMAT_FLOAT, 1, CUDA_ARRAY3D_SURFACE_LDST};
    CHECK_CU(cuArrayCreate(&from, &two));
    CHECK_CU(cuArray3DCreate(&to, &one));
    std::vector<unsigned char> host(2 * width * height);
    for (size_t i = 0; i < host.size(); i++) host[i] = static_cast<unsigned char>(7 * i);
    CUDA_MEMCPY2D fill = {};
    fill.srcMemoryType = CU_MEMORYTYPE_HOST;
    fill.srcHost = host.data();
    fill.srcPitch = fill.WidthInBytes = 2 * width;
    fill.dstMemoryType = CU_MEMORYTYPE_ARRAY;
    fill.dstArray = from;
    fill.Height = height;
    CHECK_CU(cuMemcpy2D(&fill));

    // The reference gives floats between 0 and 1, points in the middle of two.
    CUtexref image;
    CUsurfref board;
    CHECK_CU(cuModuleGetTexRef(&image, module, "image"));
    CHECK_CU(cuModuleGetSurfRef(&board, module, "board"));
    for (int i = 0; i < 2; i++) CHECK_CU(cuTexRefSetAddressMode(image, i, CU_TR_ADDRESS_MODE_CLAMP));
    CHECK_CU(cuTexRefSetFilterMode(image, CU_TR_FILTER_MODE_LINEAR));
    CHECK_CU(cuTexRefSetFlags(image, 0));
    CHECK_CU(cuTexRefSetArray(image, from, CU_TRSA_OVERRIDE_FORMAT));
    CHECK_CU(cuSurfRefSetArray(board, to, 0));
    CUDA_RESOURCE_DESC resource = {};
    resource.resType = CU_RESOURCE_TYPE_ARRAY;
    resource.res.array.hArray = from;
    CUDA_TEXTURE_DESC settings = {};
    // An array of one dimension is copied by functions of its own.
    CUarray line;
    CUDA_ARRAY_DESCRIPTOR row = {width, 0, CU_AD_FORMAT_UNSIGNED_INT8, 2};
    CHECK_CU(cuArrayCreate(&line, &row));
    std::vector<unsigned char> back(2 * width);
    CHECK_CU(cuMemcpyHtoA(line, 0, host.data(), back.size()));
    CHECK_CU(cuMemcpyAtoH(back.data(), line, 0, back.size()));
    if (memcmp(back.data(), host.data(), back.size())) return puts("driver API: FAIL: line"), 1;
    CHECK_CU(cuArrayDestroy(line));

    CUtexObject object;
    CHECK_CU(cuTexObjectCreate(&object, &resource, &settings, nullptr));

    void *params[] = {&object};
    CHECK_CU(cuLaunchKernel(read, 1, 1, 1, width, height, 1, 0, nullptr, params, nullptr));
    CHECK_CU(cuCtxSynchronize());
    std::vector<float> got(width * height), want;
    CUDA_MEMCPY2D result = {};
    result.srcMemoryType = CU_MEMORYTYPE_ARRAY;
    result.srcArray = to;
    result.dstMemoryType = CU_MEMORYTYPE_HOST;
    result.dstHost = got.data();
    result.dstPitch = result.WidthInBytes = width * sizeof(float);
    result.Height = height;
    CHECK_CU(cuMemcpy2D(&result));
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            auto at = [&](int x, int y, int c) { return host[2 * (y * width + x) + c] / 255.0f; };
            int left = x ? x - 1 : 0, up = y ? y - 1 : 0;
            want.push_back((at(left, up, 0) + at(x, up, 0) + at(left, y, 0) + at(x, y, 0)) / 2 + at(x, y, 1));
        }
    bool ok = same("driver API", got, want, 1e-6);
    CHECK_CU(cuTexObjectDestroy(object));
    CHECK_CU(cuArrayDestroy(from));
    CHECK_CU(cuArrayDestroy(to));
    CHECK_CU(cuCtxDestroy(context));
    return ok ? 0 : 1;
}
