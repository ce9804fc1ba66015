/* The host side of the kernels in OpenCL: runs one job on the first device of the first
 * platform. BENCH_KERNELS names the folder of the kernels' sources. */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include "jobs.h"

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
	static const char *source = "#include \"sizes.h\"\n#include \"dialect.h\"\n#include \"kernels.inc\"\n";
	cl_int e;
	char options[4096];
	const char *dir = getenv("BENCH_KERNELS");
	cl_program p = clCreateProgramWithSource(context, 1, &source, NULL, &e);
	check(e, "clCreateProgramWithSource");
	snprintf(options, sizeof options, "-I%s", dir ? dir : ".");
	e = clBuildProgram(p, 1, &device, options, NULL, NULL);
	if (e != CL_SUCCESS) {
		static char log[1 << 16];
		clGetProgramBuildInfo(p, device, CL_PROGRAM_BUILD_LOG, sizeof log - 1, log, NULL);
		fputs(log, stderr);
	}
	check(e, "clBuildProgram");
	cl_kernel k = clCreateKernel(p, kernel, &e);
	check(e, "clCreateKernel");
	return k;
}

static void zero(const bench_job *j, const cl_mem *array)
{
	const cl_int none = 0;
	for (int i = BENCH_OUT; i <= BENCH_TMP; i++)
		check(clEnqueueFillBuffer(queue, array[i], &none, sizeof none, 0, 4 * j->words[i], 0, NULL, NULL),
		      "clEnqueueFillBuffer");
	check(clFinish(queue), "clFinish");
}

static void run(const bench_job *j, cl_kernel k)
{
	size_t global[2] = {(size_t)j->blocks_x * j->block_x, (size_t)j->blocks_y * j->block_y};
	size_t local[2] = {j->block_x, j->block_y};
	check(clEnqueueNDRangeKernel(queue, k, 2, NULL, global, local, 0, NULL, NULL), "clEnqueueNDRangeKernel");
	check(clFinish(queue), "clFinish");
}

int main(int argc, char **argv)
{
	bench_job j;
	if (!bench_parse(argc, argv, &j))
		return 2;
	open_device();
	cl_kernel k = build(j.kernel);
	void *host[4];
	cl_mem array[4];
	for (int i = 0; i < 4; i++)
		if (!(host[i] = calloc(j.words[i], 4)))
			return 1;
	bench_fill(&j, host[BENCH_A], host[BENCH_B]);
	for (int i = 0; i < 4; i++) {
		cl_int e;
		array[i] = clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, 4 * j.words[i], host[i], &e);
		check(e, "clCreateBuffer");
		check(clSetKernelArg(k, (cl_uint)i, sizeof(cl_mem), &array[i]), "clSetKernelArg");
	}
	cl_int n = (cl_int)j.n;
	check(clSetKernelArg(k, 4, sizeof n, &n), "clSetKernelArg");
	double best = INFINITY;
	for (int r = 0; r < j.warmups + j.reps; r++) {
		zero(&j, array);
		double start = bench_now();
		run(&j, k);
		double t = bench_now() - start;
		if (r >= j.warmups && t < best)
			best = t;
	}
	int result = j.integers ? BENCH_TMP : BENCH_OUT;
	check(clEnqueueReadBuffer(queue, array[result], CL_TRUE, 0, 4 * j.words[result], host[result], 0, NULL, NULL), "clEnqueueReadBuffer");
	bench_report(&j, best, host[result]);
	return 0;
}
