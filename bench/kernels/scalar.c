/* The kernels as loops for one core: the operations of kernels.inc, without the copies to
 * shared memory and the synchronization. */
#include "jobs.h"

#define ARGS const float *a, const int *b, float *out, int *tmp, unsigned n
#define UNUSED (void)a, (void)b, (void)out, (void)tmp, (void)n

static void matmul(ARGS)
{
	UNUSED;
	for (unsigned i = 0; i < n; i++)
		for (unsigned k = 0; k < n; k++)
			for (unsigned x = 0; x < n; x++)
				out[i * n + x] += a[i * n + k] * a[n * n + k * n + x];
}

static void scan(ARGS)
{
	UNUSED;
	for (unsigned block = 0; block < n; block += SCAN_BLOCK) {
		float *s = out + block;
		memcpy(s, a + block, SCAN_BLOCK * sizeof *s);
		for (unsigned d = 1; d < SCAN_BLOCK; d *= 2)
			for (unsigned t = SCAN_BLOCK; t-- > d;)
				s[t] += s[t - d];
	}
}

static void stencil(ARGS)
{
	UNUSED;
	for (unsigned y = 0; y < n; y++) {
		const float *mid = a + y * n, *up = y > 0 ? mid - n : mid, *down = y < n - 1 ? mid + n : mid;
		for (unsigned x = 0; x < n; x++)
			out[y * n + x] = 0.2f * (mid[x] + up[x] + down[x] + mid[x > 0 ? x - 1 : x] + mid[x < n - 1 ? x + 1 : x]);
	}
}

static void vadd(ARGS)
{
	UNUSED;
	for (unsigned i = 0; i < n; i++)
		out[i] = a[i] + a[n + i];
}

static void transpose(ARGS)
{
	UNUSED;
	for (unsigned y = 0; y < n; y++)
		for (unsigned x = 0; x < n; x++)
			out[x * n + y] = a[y * n + x];
}

/* The sum of a block, in the order of the tree. */
static float tree(const float *a)
{
	float s[LINE_BLOCK];
	memcpy(s, a, sizeof s);
	for (unsigned d = LINE_BLOCK / 2; d > 0; d /= 2)
		for (unsigned t = 0; t < d; t++)
			s[t] += s[t + d];
	return s[0];
}

static void reduce(ARGS)
{
	UNUSED;
	for (unsigned k = 0; k < n / LINE_BLOCK; k++)
		out[k] = tree(a + k * LINE_BLOCK);
}

static void convolve(ARGS)
{
	UNUSED;
	for (unsigned i = 0; i < n; i++) {
		float sum = 0.0f;
		for (unsigned k = 0; k <= 2 * RADIUS; k++) {
			unsigned at = i + k - RADIUS; /* wraps below 0 */
			sum += (at < n ? a[at] : 0.0f) * (1.0f / (float)(1 + k));
		}
		out[i] = sum;
	}
}

static void nbody(ARGS)
{
	UNUSED;
	for (unsigned i = 0; i < n; i++) {
		float fx = 0.0f, fy = 0.0f;
		for (unsigned k = 0; k < n; k++) {
			float dx = a[k] - a[i], dy = a[n + k] - a[n + i], r = 1.0f / sqrtf(dx * dx + dy * dy + 0.01f);
			fx += dx * r * r * r;
			fy += dy * r * r * r;
		}
		out[i] = fabsf(fx) + fabsf(fy);
	}
}

static void mandelbrot(ARGS)
{
	UNUSED;
	for (unsigned i = 0; i < n; i++) {
		float cx = (float)(i % 1024) * (3.0f / 1024.0f) - 2.0f;
		float cy = (float)(i / 1024) * (1024.0f / (float)n) * (2.0f / 1024.0f) - 1.0f, re = 0.0f, im = 0.0f;
		int k = 0;
		for (; k < 64 && re * re + im * im < 4.0f; k++) {
			float t = re * re - im * im + cx;
			im = 2.0f * re * im + cy;
			re = t;
		}
		tmp[i] = k;
	}
}

static float normal(float d)
{
	float m = fabsf(d), u = 1.0f / (1.0f + 0.2316419f * m);
	float p = 0.39894228f * expf(-0.5f * d * d) * u *
		  (0.31938153f + u * (-0.35656378f + u * (1.78147794f + u * (-1.82125598f + u * 1.33027443f))));
	return d > 0.0f ? 1.0f - p : p;
}

static void options(ARGS)
{
	UNUSED;
	for (unsigned i = 0; i < n; i++) {
		float s = 50.0f + 50.0f * a[i], x = 60.0f + 40.0f * a[n + i], t = 0.25f + a[i], root = sqrtf(t);
		float d = (logf(s / x) + (0.02f + 0.045f) * t) / (0.3f * root);
		out[i] = s * normal(d) - x * expf(-0.02f * t) * normal(d - 0.3f * root);
	}
}

static void gather(ARGS)
{
	UNUSED;
	for (unsigned i = 0; i < n; i++)
		out[i] = a[b[i]];
}

static void scatter(ARGS)
{
	UNUSED;
	for (unsigned i = 0; i < n; i++)
		out[b[i]] = a[i];
}

static void spmv(ARGS)
{
	UNUSED;
	for (unsigned i = 0; i < n; i++)
		for (int k = b[i]; k < b[i + 1]; k++)
			out[i] += a[n + (unsigned)k] * a[b[n + 1 + (unsigned)k]];
}

static void histogram(ARGS)
{
	UNUSED;
	for (unsigned i = 0; i < n; i++)
		tmp[b[i] & (BINS - 1)]++;
}

static void bfs(ARGS)
{
	UNUSED;
	for (unsigned v = 0; v < n; v++)
		if (a[v] < 0.125f)
			for (int k = b[v]; k < b[v + 1]; k++)
				if (tmp[b[n + 1 + (unsigned)k]] == 0)
					tmp[b[n + 1 + (unsigned)k]] = 2;
}

static void bitonic(ARGS)
{
	UNUSED;
	memcpy(tmp, b, n * sizeof *tmp);
	for (int *s = tmp; s < tmp + n; s += 2 * SCAN_BLOCK)
		for (int size = 2; size <= 2 * SCAN_BLOCK; size *= 2)
			for (int d = size / 2; d > 0; d /= 2)
				for (int t = 0; t < SCAN_BLOCK; t++) {
					int i = 2 * t - (t & (d - 1)), x = s[i], y = s[i + d];
					if ((x > y) == ((i & size) == 0))
						s[i] = y, s[i + d] = x;
				}
}

static void align(ARGS)
{
	UNUSED;
	static int m[ALIGN + 1][ALIGN + 1];
	for (unsigned block = 0; block < n / ALIGN; block++) {
		const int *x = b + block * 2 * ALIGN, *y = x + ALIGN;
		for (int i = 0; i <= ALIGN; i++)
			m[0][i] = m[i][0] = -i;
		for (int i = 0; i < ALIGN; i++)
			for (int k = 0; k < ALIGN; k++) {
				int best = m[i][k] + ((x[i] & 3) == (y[k] & 3) ? 1 : -1);
				if (m[i][k + 1] - 1 > best)
					best = m[i][k + 1] - 1;
				if (m[i + 1][k] - 1 > best)
					best = m[i + 1][k] - 1;
				m[i + 1][k + 1] = best;
			}
		memcpy(tmp + block * ALIGN, m[ALIGN] + 1, ALIGN * sizeof *tmp);
	}
}

static void probe(ARGS)
{
	UNUSED;
	for (unsigned i = 0; i < n; i++) {
		int key = b[2 * n + i], steps = 1;
		unsigned at = ((unsigned)key * 2654435761u) & (2 * n - 1);
		for (; b[at] != 0 && b[at] != key; steps++)
			at = (at + 1) & (2 * n - 1);
		tmp[i] = b[at] == key ? steps : -steps;
	}
}

static void cells(ARGS)
{
	UNUSED;
	int side = CELLS_SIDE(n);
	for (int i = 0; i < (int)n; i++) {
		float px = a[i], py = a[n + (unsigned)i], force = 0.0f;
		int cx = (int)(px * (float)side), cy = (int)(py * (float)side);
		for (int y = cy - 1; y <= cy + 1; y++)
			for (int x = cx - 1; x <= cx + 1; x++) {
				if (x < 0 || y < 0 || x >= side || y >= side)
					continue;
				for (int k = b[y * side + x]; k < b[y * side + x + 1]; k++) {
					float rx = a[k] - px, ry = a[n + (unsigned)k] - py, r = (rx * rx + ry * ry) * (float)(side * side);
					if (r < 1.0f && k != i)
						force += (1.0f - r) * (1.0f - r);
				}
			}
		out[i] = force;
	}
}

static void lock(ARGS)
{
	UNUSED;
	for (unsigned i = 0; i < n; i++)
		tmp[BINS + (b[i] & (BINS - 1))] += 1 + (int)(i & 3);
}

/* The result alone; what blocks tell each other is filled in as they would have it. */
static void lookback(ARGS)
{
	UNUSED;
	unsigned blocks = n / LINE_BLOCK;
	int prefix = 0, *state = tmp + 1, *sums = state + blocks, *prefixes = sums + blocks, *result = prefixes + blocks;
	tmp[0] = (int)blocks;
	for (unsigned k = 0; k < blocks; k++) {
		int before = prefix;
		for (unsigned i = k * LINE_BLOCK; i < (k + 1) * LINE_BLOCK; i++)
			result[i] = prefix += b[i] & 7;
		state[k] = 2, sums[k] = prefix - before, prefixes[k] = prefix;
	}
}

static void queue(ARGS)
{
	UNUSED;
	for (unsigned i = 0; i < n; i++)
		if (a[i] > 0.5f) {
			tmp[2 + tmp[1]++] = (int)i;
			out[i] = a[i];
		}
}

static void lastblock(ARGS)
{
	UNUSED;
	float s[LINE_BLOCK] = {0};
	for (unsigned k = 0; k < n / LINE_BLOCK; k++)
		s[k % LINE_BLOCK] += tree(a + k * LINE_BLOCK);
	out[0] = tree(s);
}

static void gridsync(ARGS)
{
	UNUSED;
	for (unsigned k = 0; k < GRID_STEPS; k++) {
		const float *from = k == 0 ? a : out + ((k - 1) & 1) * n;
		for (unsigned i = 0; i < n; i++)
			out[(k & 1) * n + i] = 0.5f * from[i] + 0.25f * (from[i > 0 ? i - 1 : 0] + from[i < n - 1 ? i + 1 : n - 1]);
	}
}

static void gemm(ARGS) { matmul(a, b, out, tmp, n); }

static void layernorm(ARGS)
{
	UNUSED;
	for (const float *row = a; row < a + n; row += NORM_ROW, out += NORM_ROW) {
		float sum = 0.0f, square = 0.0f;
		for (unsigned i = 0; i < NORM_ROW; i++)
			sum += row[i], square += row[i] * row[i];
		float mean = sum / NORM_ROW, scale = 1.0f / sqrtf(square / NORM_ROW - mean * mean + 1e-5f);
		for (unsigned i = 0; i < NORM_ROW; i++)
			out[i] = fabsf(row[i] - mean) * scale;
	}
}

static void topk(ARGS)
{
	UNUSED;
	for (const int *row = b; row < b + n; row += TOP_ROW) {
		int least = 0, need = TOP;
		for (int bit = 30; bit >= 0; bit--) {
			int count = 0;
			for (int i = 0; i < TOP_ROW; i++)
				count += row[i] >> bit == (least >> bit | 1);
			if (count >= need)
				least |= 1 << bit;
			else
				need -= count;
		}
		for (int i = 0; i < TOP_ROW; i++)
			if (row[i] > least || (row[i] == least && need-- > 0))
				*tmp++ = row[i];
	}
}

static void insert(ARGS)
{
	UNUSED;
	int *table = tmp + BINS;
	for (unsigned i = 0; i < n; i++) {
		unsigned at = ((unsigned)b[i] * 2654435761u) & (2 * n - 1);
		while (table[at] != 0 && table[at] != b[i])
			at = (at + 1) & (2 * n - 1);
		tmp[b[i] & (BINS - 1)] += table[at] == 0;
		table[at] = b[i];
	}
}

static void segments(ARGS)
{
	UNUSED;
	for (unsigned i = 0; i < n; i++)
		tmp[i] = (b[i] & 7) + (i % LINE_BLOCK == 0 || (b[i] & 0x1f00) == 0 ? 0 : tmp[i - 1]);
}

static const struct {
	const char *name;
	void (*run)(ARGS);
} kernels[] = {
#define NAMED(k) {#k, k},
#include "names.inc"
};

int main(int argc, char **argv)
{
	bench_job j;
	if (!bench_parse(argc, argv, &j))
		return 2;
	void *array[4];
	for (int i = 0; i < 4; i++)
		if (!(array[i] = calloc(j.words[i], 4)))
			return 1;
	bench_fill(&j, array[BENCH_A], array[BENCH_B]);
	double best = INFINITY;
	for (int r = 0; r < j.warmups + j.reps; r++) {
		memset(array[BENCH_OUT], 0, 4 * j.words[BENCH_OUT]);
		memset(array[BENCH_TMP], 0, 4 * j.words[BENCH_TMP]);
		double start = bench_now();
		for (size_t k = 0; k < sizeof kernels / sizeof *kernels; k++)
			if (bench_is(&j, kernels[k].name))
				kernels[k].run(array[BENCH_A], array[BENCH_B], array[BENCH_OUT], array[BENCH_TMP], j.n);
		double t = bench_now() - start;
		if (r >= j.warmups && t < best)
			best = t;
	}
	bench_report(&j, best, array[j.integers ? BENCH_TMP : BENCH_OUT]);
	return 0;
}
