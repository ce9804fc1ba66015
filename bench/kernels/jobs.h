/* What the CUDA, OpenCL and scalar versions of the benchmark share: the jobs, their input
 * data, the clock and the result line. C and C++. */
#ifndef BENCH_JOBS_H
#define BENCH_JOBS_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "sizes.h"

/* A job is one kernel at one size: `KERNEL N REPETITIONS WARMUPS`. */
typedef struct {
	const char *kernel;
	unsigned n;
	int reps, warmups;
	/* Blocks of so many threads, in two dimensions where those are not 1. */
	unsigned blocks_x, blocks_y, block_x, block_y;
	/* Words of the two inputs and the two outputs. */
	size_t words[4];
	/* Whether the result is tmp, rather than out, and how many words of it count. */
	int integers;
	size_t results;
} bench_job;

enum { BENCH_A, BENCH_B, BENCH_OUT, BENCH_TMP };

static unsigned bench_hash(unsigned i)
{
	i = (i ^ 61u ^ (i >> 16)) * 9u;
	i = (i ^ (i >> 4)) * 0x27d4eb2du;
	return i ^ (i >> 15);
}

/* Rows of 0 to 31 elements, 16 on average: where row i begins. */
static unsigned bench_row(unsigned rows, int *begin)
{
	unsigned at = 0;
	for (unsigned i = 0; i <= rows; i++) {
		if (begin)
			begin[i] = (int)at;
		at += i < rows ? bench_hash(i + 7) & 31u : 0;
	}
	return at;
}

static int bench_is(const bench_job *j, const char *kernel) { return !strcmp(j->kernel, kernel); }

/* The shape of the launch and the sizes of the arrays. */
static int bench_shape(bench_job *j)
{
	size_t n = j->n;
	unsigned line = LINE_BLOCK, multiple = LINE_BLOCK;
	size_t words[4] = {n, 1, n, 1};
	int square = bench_is(j, "matmul") || bench_is(j, "stencil") || bench_is(j, "transpose");
	if (square) {
		multiple = TILE;
		words[BENCH_A] = (bench_is(j, "matmul") ? 2 : 1) * n * n;
		words[BENCH_OUT] = n * n;
	} else if (bench_is(j, "scan")) {
		line = multiple = SCAN_BLOCK;
	} else if (bench_is(j, "bitonic")) {
		line = SCAN_BLOCK, multiple = 2 * SCAN_BLOCK;
	} else if (bench_is(j, "align")) {
		line = ALIGN, multiple = ALIGN;
	} else if (bench_is(j, "gemm")) {
		multiple = GEMM_TILE;
	} else if (bench_is(j, "layernorm")) {
		multiple = NORM_ROW;
	} else if (bench_is(j, "topk")) {
		multiple = LINE_BLOCK / WARP * TOP_ROW;
	}
	j->integers = 1;
	if (bench_is(j, "vadd") || bench_is(j, "nbody") || bench_is(j, "options")) {
		words[BENCH_A] = 2 * n;
		j->integers = 0;
	} else if (bench_is(j, "reduce")) {
		words[BENCH_OUT] = n / LINE_BLOCK;
		j->integers = 0;
	} else if (bench_is(j, "mandelbrot")) {
		words[BENCH_TMP] = n;
	} else if (bench_is(j, "gather") || bench_is(j, "scatter")) {
		words[BENCH_B] = n;
		j->integers = 0;
	} else if (bench_is(j, "spmv")) {
		words[BENCH_B] = n + 1 + bench_row(j->n, NULL);
		words[BENCH_A] = words[BENCH_B] - 1;
		j->integers = 0;
	} else if (bench_is(j, "bfs")) {
		words[BENCH_B] = n + 1 + bench_row(j->n, NULL);
		words[BENCH_TMP] = n;
	} else if (bench_is(j, "histogram")) {
		words[BENCH_B] = n, words[BENCH_TMP] = BINS;
	} else if (bench_is(j, "bitonic")) {
		words[BENCH_B] = words[BENCH_TMP] = n;
	} else if (bench_is(j, "align")) {
		words[BENCH_B] = 2 * n, words[BENCH_TMP] = n;
	} else if (bench_is(j, "probe")) {
		words[BENCH_B] = 3 * n, words[BENCH_TMP] = n;
	} else if (bench_is(j, "cells")) {
		words[BENCH_A] = 2 * n;
		words[BENCH_B] = (size_t)(CELLS_SIDE(j->n) * CELLS_SIDE(j->n)) + 1;
		j->integers = 0;
	} else if (bench_is(j, "lock")) {
		words[BENCH_B] = n, words[BENCH_TMP] = 2 * BINS;
	} else if (bench_is(j, "lookback")) {
		words[BENCH_B] = n, words[BENCH_TMP] = 1 + 3 * (n / LINE_BLOCK) + n;
	} else if (bench_is(j, "queue")) {
		words[BENCH_TMP] = 2 + n;
		j->integers = 0;
	} else if (bench_is(j, "lastblock")) {
		words[BENCH_OUT] = 1 + n / LINE_BLOCK;
		j->integers = 0;
	} else if (bench_is(j, "gridsync")) {
		words[BENCH_OUT] = 2 * n, words[BENCH_TMP] = GRID_STEPS;
		j->integers = 0;
	} else if (bench_is(j, "gemm")) {
		words[BENCH_A] = 2 * n * n, words[BENCH_OUT] = n * n;
		j->integers = 0;
	} else if (bench_is(j, "topk")) {
		words[BENCH_B] = n, words[BENCH_TMP] = n / TOP_ROW * TOP;
	} else if (bench_is(j, "insert")) {
		words[BENCH_B] = n, words[BENCH_TMP] = BINS + 2 * n;
	} else if (bench_is(j, "segments")) {
		words[BENCH_B] = words[BENCH_TMP] = n;
	} else if (square || bench_is(j, "scan") || bench_is(j, "convolve") || bench_is(j, "layernorm")) {
		j->integers = 0;
	} else {
		fprintf(stderr, "there is no kernel %s\n", j->kernel);
		return 0;
	}
	if (n == 0 || n % multiple) {
		fprintf(stderr, "%s: N must be a multiple of %u\n", j->kernel, multiple);
		return 0;
	}
	memcpy(j->words, words, sizeof words);
	j->block_x = square ? TILE : line, j->block_y = square ? TILE : 1;
	j->blocks_x = square ? j->n / TILE : j->n / multiple, j->blocks_y = square ? j->n / TILE : 1;
	if (bench_is(j, "histogram") || bench_is(j, "queue") || bench_is(j, "gridsync"))
		j->blocks_x = RESIDENT;
	if (bench_is(j, "gemm"))
		j->blocks_y = j->blocks_x;
	j->results = bench_is(j, "lastblock") ? 1 : bench_is(j, "insert") ? BINS : words[j->integers ? BENCH_TMP : BENCH_OUT];
	return 1;
}

static int bench_parse(int argc, char **argv, bench_job *j)
{
	if (argc != 5) {
		fprintf(stderr, "usage: %s KERNEL N REPETITIONS WARMUPS\n", argv[0]);
		return 0;
	}
	j->kernel = argv[1];
	j->n = (unsigned)strtoul(argv[2], NULL, 10);
	j->reps = atoi(argv[3]);
	j->warmups = atoi(argv[4]);
	return j->reps >= 1 && bench_shape(j);
}

/* The inputs: floats in [0, 1), integers of any value that is not negative, and what the
 * kernels need in particular. */
static void bench_fill(const bench_job *j, float *a, int *b)
{
	unsigned n = j->n;
	for (size_t i = 0; i < j->words[BENCH_A]; i++)
		a[i] = (float)(bench_hash((unsigned)i + 1) & 1023u) / 1024.0f;
	for (size_t i = 0; i < j->words[BENCH_B]; i++)
		b[i] = (int)(bench_hash((unsigned)i + 2) >> 1);
	if (bench_is(j, "gather")) {
		for (unsigned i = 0; i < n; i++)
			b[i] = (int)(bench_hash(i) % n);
	} else if (bench_is(j, "scatter")) { /* a permutation */
		for (unsigned i = 0; i < n; i++)
			b[i] = (int)i;
		for (unsigned i = n; i-- > 1;) {
			unsigned k = bench_hash(i) % (i + 1);
			int t = b[i];
			b[i] = b[k], b[k] = t;
		}
	} else if (bench_is(j, "spmv") || bench_is(j, "bfs")) {
		unsigned count = bench_row(n, b);
		for (unsigned k = 0; k < count; k++)
			b[n + 1 + k] = (int)(bench_hash(k + 3) % n);
	} else if (bench_is(j, "probe")) {
		memset(b, 0, 2 * n * sizeof *b);
		for (unsigned i = 0; i < n; i++) {
			int key = (int)(1 + (bench_hash(i) >> 1) % 0x7ffffffeu);
			unsigned at = ((unsigned)key * 2654435761u) & (2 * n - 1);
			while (b[at] != 0 && b[at] != key)
				at = (at + 1) & (2 * n - 1);
			b[at] = key;
			b[2 * n + i] = i % 4 ? key : key ^ 1;
		}
	} else if (bench_is(j, "insert")) {
		for (unsigned i = 0; i < n; i++)
			b[i] = (int)(1 + (bench_hash(i % 4 == 3 ? i - 1 : i) >> 1) % 0x7ffffffeu);
	} else if (bench_is(j, "cells")) { /* as many in each cell, but for the rest */
		int side = CELLS_SIDE(n), all = side * side;
		for (int c = 0; c <= all; c++)
			b[c] = (int)((unsigned long long)n * (unsigned)c / (unsigned)all);
		for (int c = 0; c < all; c++)
			for (int k = b[c]; k < b[c + 1]; k++) {
				a[k] = ((float)(c % side) + 0.9f * a[k] + 0.05f) / (float)side;
				a[n + (unsigned)k] = ((float)(c / side) + 0.9f * a[n + (unsigned)k] + 0.05f) / (float)side;
			}
	}
}

static double bench_now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* The result line: the best time in seconds, the sum of the result and a sum whose weights
 * depend on the position. */
static void bench_report(const bench_job *j, double seconds, const void *result)
{
	double sum = 0, weighted = 0;
	for (size_t i = 0; i < j->results; i++) {
		double v = j->integers ? (double)((const int *)result)[i] : (double)((const float *)result)[i];
		sum += v;
		weighted += v * (double)(i % 1021u);
	}
	printf("RESULT %.9g %.12g %.12g\n", seconds, sum, weighted);
}

#endif
