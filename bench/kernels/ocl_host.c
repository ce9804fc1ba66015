/* The host side of bench.cl: builds the kernels, runs one job on the first
 * device of the first platform. BENCH_CL names the kernels' source. */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include "common.h"

static cl_context context;
static cl_command_queue queue;
static cl_device_id device;

static void check(cl_int e, const char *what)
{
	if (e == CL_SUCCESS)
		return;
	fprintf(stderr, "OpenCL: %s failed with %d\n", what, (int)e);
	exit(1);
}

static char *read_source(const char *name)
{
	FILE *f = name ? fopen(name, "rb") : NULL;
	if (!f) {
		fprintf(stderr, "BENCH_CL must name the OpenCL source\n");
		exit(2);
	}
	fseek(f, 0, SEEK_END);
	long size = ftell(f);
	rewind(f);
	char *text = calloc((size_t)size + 1, 1);
	if (!text || fread(text, 1, (size_t)size, f) != (size_t)size)
		exit(1);
	fclose(f);
	return text;
}

static void open_device(void)
{
	cl_int e;
	cl_platform_id platform;
	check(clGetPlatformIDs(1, &platform, NULL), "clGetPlatformIDs");
	check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL), "clGetDeviceIDs");
	context = clCreateContext(NULL, 1, &device, NULL, NULL, &e);
	check(e, "clCreateContext");
	queue = clCreateCommandQueue(context, device, 0, &e);
	check(e, "clCreateCommandQueue");
}

static cl_kernel build(const char *kernel)
{
	cl_int e;
	char options[64], *text = read_source(getenv("BENCH_CL"));
	cl_program p = clCreateProgramWithSource(context, 1, (const char **)&text, NULL, &e);
	check(e, "clCreateProgramWithSource");
	snprintf(options, sizeof options, "-DTILE=%d -DSCAN_BLOCK=%d", TILE, SCAN_BLOCK);
	check(clBuildProgram(p, 1, &device, options, NULL, NULL), "clBuildProgram");
	cl_kernel k = clCreateKernel(p, kernel, &e);
	check(e, "clCreateKernel");
	free(text);
	return k;
}

static cl_mem buffer(size_t bytes, void *from)
{
	cl_int e;
	cl_mem_flags flags = CL_MEM_READ_WRITE | (from ? CL_MEM_COPY_HOST_PTR : 0);
	cl_mem m = clCreateBuffer(context, flags, bytes, from, &e);
	check(e, "clCreateBuffer");
	return m;
}

static void enqueue(const bench_job *j, cl_kernel k, const cl_mem *args, int count)
{
	int square = !strcmp(j->kernel, "matmul") || !strcmp(j->kernel, "stencil");
	int block = !strcmp(j->kernel, "scan") ? SCAN_BLOCK : LINE_BLOCK;
	size_t global[2] = {j->n, j->n}, local[2] = {square ? TILE : (size_t)block, TILE};
	cl_int n = (cl_int)j->n;
	for (int i = 0; i < count; i++)
		check(clSetKernelArg(k, (cl_uint)i, sizeof(cl_mem), &args[i]), "clSetKernelArg");
	if (strcmp(j->kernel, "scan"))
		check(clSetKernelArg(k, (cl_uint)count, sizeof n, &n), "clSetKernelArg");
	check(clEnqueueNDRangeKernel(queue, k, square ? 2 : 1, NULL, global, local, 0, NULL, NULL),
	      "clEnqueueNDRangeKernel");
}

static void run(const bench_job *j, cl_kernel k, cl_mem a, cl_mem b, cl_mem out, cl_mem tmp)
{
	if (!strcmp(j->kernel, "stencil")) {
		for (int s = 0; s < STEPS; s++) {
			cl_mem args[2] = {s == 0 ? a : s % 2 ? tmp : out, s % 2 ? out : tmp};
			enqueue(j, k, args, 2);
		}
	} else if (!strcmp(j->kernel, "scan")) {
		cl_mem args[2] = {a, out};
		enqueue(j, k, args, 2);
	} else {
		cl_mem args[3] = {a, b, out};
		enqueue(j, k, args, 3);
	}
	check(clFinish(queue), "clFinish");
}

int main(int argc, char **argv)
{
	bench_job j;
	if (!bench_parse(argc, argv, &j))
		return 2;
	size_t bytes = j.count * sizeof(float);
	float *host = malloc(bytes);
	if (!host)
		return 1;
	open_device();
	cl_kernel k = build(j.kernel);
	bench_fill(host, j.count, 1);
	cl_mem a = buffer(bytes, host);
	if (!strcmp(j.kernel, "gather"))
		bench_indices((unsigned *)host, j.count);
	else
		bench_fill(host, j.count, 2);
	cl_mem b = buffer(bytes, host), out = buffer(bytes, NULL), tmp = buffer(bytes, NULL);
	check(clFinish(queue), "clFinish");
	double best = INFINITY;
	for (int r = 0; r < j.warmups + j.reps; r++) {
		double start = bench_now();
		run(&j, k, a, b, out, tmp);
		double t = bench_now() - start;
		if (r >= j.warmups && t < best)
			best = t;
	}
	check(clEnqueueReadBuffer(queue, out, CL_TRUE, 0, bytes, host, 0, NULL, NULL), "clEnqueueReadBuffer");
	bench_report(&j, best, host);
	free(host);
	return 0;
}
