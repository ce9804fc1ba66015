package capsule

// exportText is the program that Export writes.
const exportText = `// {{.Title}}
//
// One launch, exported by warpgrind. It needs the CUDA driver API alone:
//
//     nvcc -o repro THIS.cu -lcuda        on a GPU
//     warpgrind run THIS.cu               without one
#include <cuda.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

static const char ptx[] =
{{.PTX}};

static void check(CUresult r, const char *what)
{
    if (r != CUDA_SUCCESS) {
        fprintf(stderr, "%s: error %d\n", what, (int)r);
        exit(2);
    }
}

#define CHECK(call) check(call, #call)

// A buffer is memory that the launch had: where it was, and where it is now.
struct Buffer {
    unsigned long long was, size;
    CUdeviceptr now;
    const char *variable; // of the module, 0 for an allocation
    bool freed, whole;    // whole: bytes without contents are zero, not uninitialized
};

static Buffer buffers[] = {
{{- range .Buffers}}
    { {{- .Base}}ull, {{.Size}}ull, 0, {{if .Variable}}{{quoted .Variable}}{{else}}0{{end}}, {{.Freed}}, {{.Whole -}} },
{{- end}}
    {0, 0, 0, 0, true, false},
};
static const int bufferCount = sizeof buffers / sizeof buffers[0] - 1;

// Contents are bytes of a buffer; zeros where there is no data.
struct Contents {
    int buffer;
    unsigned long long at, size;
    const unsigned char *data;
};

{{range $i, $b := .Buffers}}{{range $k, $r := $b.Runs}}{{if $r.Data -}}
static const unsigned char data_{{$i}}_{{$k}}[] = {
{{$r.Data}}
};
{{end}}{{end}}{{end -}}
static const Contents contents[] = {
{{- range $i, $b := .Buffers}}{{range $k, $r := $b.Runs}}
    { {{- $i}}, {{$r.At}}ull, {{$r.Size}}ull, {{if $r.Data}}data_{{$i}}_{{$k}}{{else}}0{{end -}} },
{{- end}}{{end}}
    {-1, 0, 0, 0},
};

static unsigned char params[] = { {{- .Params}} 0};

// moved changes the words of a block of bytes that were addresses in a buffer, or at its end.
static void moved(unsigned char *bytes, unsigned long long n)
{
    for (unsigned long long i = 0; i + 8 <= n; i += 8) {
        unsigned long long v;
        memcpy(&v, bytes + i, 8);
        for (int k = 0; k < bufferCount; k++) {
            if (v - buffers[k].was <= buffers[k].size) {
                v = v - buffers[k].was + buffers[k].now;
                memcpy(bytes + i, &v, 8);
                break;
            }
        }
    }
}

static void fill(const Contents &c)
{
    CUdeviceptr to = buffers[c.buffer].now + c.at;
    if (!c.data) {
        CHECK(cuMemsetD8(to, 0, c.size));
        return;
    }
    unsigned char *copy = (unsigned char *)malloc(c.size);
    memcpy(copy, c.data, c.size);
    if (c.at % 8 == 0)
        moved(copy, c.size);
    CHECK(cuMemcpyHtoD(to, copy, c.size));
    free(copy);
}

int main()
{
    CUdevice device;
    CUcontext context;
    CUmodule module;
    CUfunction kernel;
    CHECK(cuInit(0));
    CHECK(cuDeviceGet(&device, 0));
    CHECK(cuDevicePrimaryCtxRetain(&context, device));
    CHECK(cuCtxSetCurrent(context));
{{- if .Launch.Children}}
    // The kernel launches child grids. CUDA's library for that is found by this path, or the one in CUDADEVRT.
    const char *runtime = getenv("CUDADEVRT") ? getenv("CUDADEVRT") : "/usr/local/cuda/lib64/libcudadevrt.a";
    CUlinkState link;
    void *image;
    CHECK(cuLinkCreate(0, 0, 0, &link));
    CHECK(cuLinkAddData(link, CU_JIT_INPUT_PTX, (void *)ptx, sizeof ptx, "launch.ptx", 0, 0, 0));
    CHECK(cuLinkAddFile(link, CU_JIT_INPUT_LIBRARY, runtime, 0, 0, 0));
    CHECK(cuLinkComplete(link, &image, 0));
    CHECK(cuModuleLoadData(&module, image));
{{- else}}
    CHECK(cuModuleLoadData(&module, ptx));
{{- end}}
    CHECK(cuModuleGetFunction(&kernel, module, {{quoted .Launch.Kernel}}));
    for (int i = 0; i < bufferCount; i++) {
        Buffer &b = buffers[i];
        size_t size;
        if (b.variable)
            CHECK(cuModuleGetGlobal(&b.now, &size, module, b.variable));
        else
            CHECK(cuMemAlloc(&b.now, b.size ? b.size : 1));
        if (b.whole && !b.freed && b.size)
            CHECK(cuMemsetD8(b.now, 0, b.size));
    }
    for (int i = 0; i < bufferCount; i++)
        if (buffers[i].freed && !buffers[i].variable)
            CHECK(cuMemFree(buffers[i].now));
    for (const Contents *c = contents; c->buffer >= 0; c++)
        fill(*c);
    size_t size = sizeof params - 1;
    moved(params, size);
    void *extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, params, CU_LAUNCH_PARAM_BUFFER_SIZE, &size, CU_LAUNCH_PARAM_END};
{{- if gt .Launch.SharedDynamic 49152}}
    CHECK(cuFuncSetAttribute(kernel, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, {{.Launch.SharedDynamic}}));
{{- end}}
    CHECK(cuLaunchKernel(kernel, {{.Launch.Grid.X}}, {{.Launch.Grid.Y}}, {{.Launch.Grid.Z}}, {{.Launch.Block.X}}, {{.Launch.Block.Y}}, {{.Launch.Block.Z}}, {{.Launch.SharedDynamic}}, 0, 0, extra));
    CHECK(cuCtxSynchronize());
    return 0;
}
`
