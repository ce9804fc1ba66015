/* What the CUDA, OpenCL and scalar versions of the benchmark share: the
 * command line, the input data, the clock and the result line. C and C++. */
#ifndef BENCH_COMMON_H
#define BENCH_COMMON_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { TILE = 16, SCAN_BLOCK = 512, LINE_BLOCK = 256, STEPS = 4 };

/* A job is one benchmark at one size: `KERNEL N REPETITIONS WARMUPS`. N is the
 * edge of the matrix or of the grid, else the number of elements; count is
 * the number of elements of each array. */
typedef struct {
	const char *kernel;
	unsigned n, count;
	int reps, warmups;
} bench_job;

static int bench_parse(int argc, char **argv, bench_job *j)
{
	unsigned multiple;
	if (argc != 5) {
		fprintf(stderr, "usage: %s matmul|scan|stencil|vadd|gather N REPETITIONS WARMUPS\n", argv[0]);
		return 0;
	}
	j->kernel = argv[1];
	j->n = (unsigned)strtoul(argv[2], NULL, 10);
	j->reps = atoi(argv[3]);
	j->warmups = atoi(argv[4]);
	int square = !strcmp(j->kernel, "matmul") || !strcmp(j->kernel, "stencil");
	multiple = square ? TILE : SCAN_BLOCK;
	j->count = square ? j->n * j->n : j->n;
	if (j->n == 0 || j->n % multiple || j->reps < 1) {
		fprintf(stderr, "%s: N must be a multiple of %u, and there must be a repetition\n", argv[0], multiple);
		return 0;
	}
	return 1;
}

static unsigned bench_hash(unsigned i)
{
	i = (i ^ 61u ^ (i >> 16)) * 9u;
	i = (i ^ (i >> 4)) * 0x27d4eb2du;
	return i ^ (i >> 15);
}

/* The inputs are in [0, 1); indices are anywhere in the array. */
static void bench_fill(float *a, unsigned count, unsigned salt)
{
	for (unsigned i = 0; i < count; i++)
		a[i] = (float)(bench_hash(i + salt) & 1023u) / 1024.0f;
}

static void bench_indices(unsigned *a, unsigned count)
{
	for (unsigned i = 0; i < count; i++)
		a[i] = bench_hash(i) % count;
}

static double bench_now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* The result line: the best time in seconds, the sum of the output and a sum
 * whose weights depend on the position. */
static void bench_report(const bench_job *j, double seconds, const float *out)
{
	double sum = 0, weighted = 0;
	for (unsigned i = 0; i < j->count; i++) {
		sum += out[i];
		weighted += out[i] * (double)(i % 1021u);
	}
	printf("RESULT %.9g %.12g %.12g\n", seconds, sum, weighted);
}

#endif
