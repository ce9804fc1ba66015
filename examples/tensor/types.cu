// Tensor cores with other types than half: tf32, bfloat16, signed and unsigned
// bytes, double, four-bit integers and single bits, each a product of one tile
// with nvcuda::wmma.
#include <cuda_bf16.h>
#include <mma.h>

#include <cstdint>
#include <cstring>

#include "../check.h"

using namespace nvcuda;
namespace sub = wmma::experimental;

// product multiplies one tile; T is the fragment's type, P that in memory.
template <typename T, int m, int n, int k, typename La, typename Lb, typename P, typename C>
__global__ void product(const P *a, int lda, const P *b, int ldb, C *c) {
    wmma::fragment<wmma::matrix_a, m, n, k, T, La> fa;
    wmma::fragment<wmma::matrix_b, m, n, k, T, Lb> fb;
    wmma::fragment<wmma::accumulator, m, n, k, C> acc;
    wmma::fill_fragment(acc, C(1));
    wmma::load_matrix_sync(fa, a, lda);
    wmma::load_matrix_sync(fb, b, ldb);
    wmma::mma_sync(acc, fa, fb, acc);
    wmma::store_matrix_sync(c, acc, n, wmma::mem_row_major);
}

// bits counts where both rows have a one.
__global__ void bits(const unsigned *a, const unsigned *b, int *c) {
    wmma::fragment<wmma::matrix_a, 8, 8, 128, sub::precision::b1, wmma::row_major> fa;
    wmma::fragment<wmma::matrix_b, 8, 8, 128, sub::precision::b1, wmma::col_major> fb;
    wmma::fragment<wmma::accumulator, 8, 8, 128, int> acc;
    wmma::fill_fragment(acc, 0);
    wmma::load_matrix_sync(fa, a, 128);
    wmma::load_matrix_sync(fb, b, 128);
    wmma::bmma_sync(acc, fa, fb, acc, sub::bmmaBitOpAND);
    wmma::store_matrix_sync(c, acc, 8, wmma::mem_row_major);
}

// Matrix is a tile as numbers, and where its elements lie in memory.
struct Matrix {
    int rows, cols;
    bool byColumns;
    std::vector<double> v;
    Matrix(int r, int c, bool col, Random &random, int lo, int hi) : rows(r), cols(c), byColumns(col), v(r * c) {
        for (auto &x : v) x = lo + random.below(hi - lo + 1);
    }
    double at(int i, int j) const { return v[i * cols + j]; }
    int stride() const { return byColumns ? rows : cols; }
    int place(int i, int j) const { return byColumns ? j * rows + i : i * cols + j; }
    template <typename P>
    std::vector<P> stored() const {
        std::vector<P> out(v.size());
        for (int i = 0; i < rows; i++)
            for (int j = 0; j < cols; j++) out[place(i, j)] = P(at(i, j));
        return out;
    }
    // packed has elements of n bits.
    std::vector<unsigned> packed(int n) const {
        std::vector<unsigned> out(v.size() * n / 32);
        for (int i = 0; i < rows; i++)
            for (int j = 0; j < cols; j++) {
                int at_ = place(i, j) * n;
                out[at_ / 32] |= (unsigned(int(at(i, j))) & ((1u << n) - 1)) << at_ % 32;
            }
        return out;
    }
};

template <typename C>
std::vector<C> expected(const Matrix &a, const Matrix &b, int start) {
    std::vector<C> c;
    for (int i = 0; i < a.rows; i++)
        for (int j = 0; j < b.cols; j++) {
            double sum = start;
            for (int k = 0; k < a.cols; k++) sum += a.at(i, k) * b.at(k, j);
            c.push_back(C(sum));
        }
    return c;
}

template <typename C, typename P, typename Launch>
bool check(const char *name, const std::vector<P> &a, const std::vector<P> &b, const std::vector<C> &want, Launch launch) {
    P *da = toDevice(a), *db = toDevice(b);
    C *dc = nullptr;
    CHECK(cudaMalloc(&dc, want.size() * sizeof(C)));
    launch(da, db, dc);
    CHECK_LAUNCH();
    bool ok = same(name, toHost(dc, want.size()), want);
    CHECK(cudaFree(da));
    CHECK(cudaFree(db));
    CHECK(cudaFree(dc));
    return ok;
}

template <typename T, typename P, typename C, int m, int n, int k, typename La, typename Lb>
bool tile(const char *name, int lo, int hi) {
    Random random(m + n + k);
    Matrix a(m, k, !std::is_same<La, wmma::row_major>::value, random, lo, hi);
    Matrix b(k, n, !std::is_same<Lb, wmma::row_major>::value, random, lo, hi);
    return check<C, P>(name, a.stored<P>(), b.stored<P>(), expected<C>(a, b, 1), [&](P *x, P *y, C *c) {
        product<T, m, n, k, La, Lb><<<1, 32>>>(x, a.stride(), y, b.stride(), c);
    });
}

template <typename T>
bool nibbles(const char *name, int lo, int hi) {
    Random random(4);
    Matrix a(8, 32, false, random, lo, hi), b(32, 8, true, random, lo, hi);
    return check<int, unsigned>(name, a.packed(4), b.packed(4), expected<int>(a, b, 1), [&](unsigned *x, unsigned *y, int *c) {
        product<T, 8, 8, 32, wmma::row_major, wmma::col_major><<<1, 32>>>((const void *)x, 32, (const void *)y, 32, c);
    });
}

int main() {
    using row = wmma::row_major;
    using col = wmma::col_major;
    using tf32 = wmma::precision::tf32;
    bool ok = tile<tf32, float, float, 16, 16, 8, row, row>("tf32", -20, 20);
    ok &= tile<tf32, float, float, 16, 16, 8, col, col>("tf32 by columns", -20, 20);
    ok &= tile<__nv_bfloat16, __nv_bfloat16, float, 16, 16, 16, row, col>("bfloat16", -20, 20);
    ok &= tile<__nv_bfloat16, __nv_bfloat16, float, 32, 8, 16, row, row>("bfloat16 32x8", -20, 20);
    ok &= tile<__half, __half, float, 8, 32, 16, col, row>("half 8x32", -20, 20);
    ok &= tile<__half, __half, __half, 32, 8, 16, col, col>("half to half", -3, 3);
    ok &= tile<signed char, signed char, int, 16, 16, 16, row, col>("signed bytes", -128, 127);
    ok &= tile<signed char, signed char, int, 8, 32, 16, col, row>("signed bytes 8x32", -128, 127);
    ok &= tile<unsigned char, unsigned char, int, 32, 8, 16, row, col>("unsigned bytes 32x8", 0, 255);
    ok &= tile<double, double, double, 8, 8, 4, row, col>("double", -1000, 1000);
    ok &= tile<double, double, double, 8, 8, 4, col, row>("double by columns", -1000, 1000);
    ok &= nibbles<sub::precision::s4>("signed nibbles", -8, 7);
    ok &= nibbles<sub::precision::u4>("unsigned nibbles", 0, 15);

    Random random(5);
    Matrix a(8, 128, false, random, 0, 1), b(128, 8, true, random, 0, 1);
    ok &= check<int, unsigned>("bits", a.packed(1), b.packed(1), expected<int>(a, b, 0),
                               [&](unsigned *x, unsigned *y, int *c) { bits<<<1, 32>>>(x, y, c); });
    return ok ? 0 : 1;
}
