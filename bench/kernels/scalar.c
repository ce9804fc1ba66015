/* The five kernels as loops for one core: the operations of bench.cu, without
 * the copies to shared memory. */
#include "common.h"

static void matmul(const float *a, const float *b, float *c, unsigned n)
{
	memset(c, 0, (size_t)n * n * sizeof *c);
	for (unsigned i = 0; i < n; i++)
		for (unsigned k = 0; k < n; k++) {
			float v = a[i * n + k];
			for (unsigned j = 0; j < n; j++)
				c[i * n + j] += v * b[k * n + j];
		}
}

static void scan(const float *in, float *out, unsigned n)
{
	for (unsigned block = 0; block < n; block += SCAN_BLOCK) {
		float *s = out + block;
		memcpy(s, in + block, SCAN_BLOCK * sizeof *s);
		for (unsigned d = 1; d < SCAN_BLOCK; d *= 2)
			for (unsigned t = SCAN_BLOCK; t-- > d;)
				s[t] += s[t - d];
	}
}

static void stencil(const float *in, float *out, unsigned n)
{
	for (unsigned y = 0; y < n; y++) {
		const float *mid = in + y * n;
		const float *up = y > 0 ? mid - n : mid, *down = y < n - 1 ? mid + n : mid;
		for (unsigned x = 0; x < n; x++) {
			unsigned left = x > 0 ? x - 1 : x, right = x < n - 1 ? x + 1 : x;
			out[y * n + x] = 0.2f * (mid[x] + up[x] + down[x] + mid[left] + mid[right]);
		}
	}
}

static void vadd(const float *a, const float *b, float *c, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		c[i] = a[i] + b[i];
}

static void gather(const float *in, const unsigned *index, float *out, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		out[i] = in[index[i]];
}

static void run(const bench_job *j, const float *a, const void *b, float *out, float *tmp)
{
	if (!strcmp(j->kernel, "matmul"))
		matmul(a, b, out, j->n);
	else if (!strcmp(j->kernel, "scan"))
		scan(a, out, j->n);
	else if (!strcmp(j->kernel, "vadd"))
		vadd(a, b, out, j->n);
	else if (!strcmp(j->kernel, "gather"))
		gather(a, b, out, j->n);
	else
		for (int s = 0; s < STEPS; s++)
			stencil(s == 0 ? a : s % 2 ? tmp : out, s % 2 ? out : tmp, j->n);
}

int main(int argc, char **argv)
{
	bench_job j;
	if (!bench_parse(argc, argv, &j))
		return 2;
	size_t bytes = j.count * sizeof(float);
	float *a = malloc(bytes), *b = malloc(bytes), *out = malloc(bytes), *tmp = malloc(bytes);
	if (!a || !b || !out || !tmp)
		return 1;
	bench_fill(a, j.count, 1);
	if (!strcmp(j.kernel, "gather"))
		bench_indices((unsigned *)b, j.count);
	else
		bench_fill(b, j.count, 2);
	double best = INFINITY;
	for (int r = 0; r < j.warmups + j.reps; r++) {
		double start = bench_now();
		run(&j, a, b, out, tmp);
		double t = bench_now() - start;
		if (r >= j.warmups && t < best)
			best = t;
	}
	bench_report(&j, best, out);
	free(a), free(b), free(out), free(tmp);
	return 0;
}
