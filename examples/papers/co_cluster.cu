// Co-clustering by minimum sum-squared residue (Cho, Dhillon, Guan and Sra,
// SDM 2004): rows and columns of a matrix are put into clusters at the same
// time, so that each block of the matrix that a row cluster and a column
// cluster have in common is as close to its mean as can be.
//
// The kernels are written after the description in Zheng, Ravi, Qin and
// Agrawal, "GRace: A Low-Overhead Mechanism for Detecting Data Races in GPU
// Programs" (PPoPP 2011), section 3.2 and Figure 3: four arrays are cut out of
// one shared array, the means of the blocks are read through the column's
// label, and each thread writes the label of its row.
//
// assignRows takes for granted that the labels of the columns are below the
// number of column clusters. With -D BUG the first labels that main makes up
// are not: the read of a mean goes past its array into the labels that other
// threads write. That is the data race of the paper's Table 1:
//
//   warpgrind run -D BUG --race-model lockstep co_cluster.cu
//
// -D ROWS=..., -D COLS=..., -D ROW_CLUSTERS=... and -D ROUNDS=... set the size. The
// paper's is -D ROWS=32768 -D COLS=256. With -D LAUNCHES=N nothing but assignRows is
// launched, N times, to measure what it costs.

#include "../check.h"

#ifndef ROWS
#define ROWS 2048
#endif
#ifndef COLS
#define COLS 96
#endif
#ifndef ROW_CLUSTERS
#define ROW_CLUSTERS 10
#endif
#ifndef ROUNDS
#define ROUNDS 2
#endif

const int Rows = ROWS, Cols = COLS;
const int RowClusters = ROW_CLUSTERS, ColClusters = 6;
const int Threads = 256, Blocks = 8;

// A clustering: the labels, and what follows from them.
struct Clustering {
    std::vector<int> rowLabel, colLabel;
    std::vector<float> mean;     // of each block, RowClusters x ColClusters
    std::vector<float> rowNorm;  // sum over the columns of the squared mean, per row cluster
    std::vector<float> colNorm;  // the same over the rows, per column cluster
    std::vector<int> rowSize, colSize;
};

// assignRows gives each row of data (rows x cols) the label of the row cluster
// whose means are nearest, and counts in changed how many labels are new. It
// takes Threads threads and
// colClusters * rowClusters + 2 * rowClusters + Threads floats of shared memory.
__global__ void assignRows(const float *data, int rows, int rowClusters, int colClusters, int cols,
                           const float *mean, const float *norm, int *rowLabel, const int *colLabel,
                           const int *rowSize, int *changed) {
    extern __shared__ float shared[];
    float *shMean = shared;
    float *shNorm = shared + colClusters * rowClusters;
    float *shSize = shared + colClusters * rowClusters + rowClusters;
    float *shLabel = shared + colClusters * rowClusters + rowClusters + rowClusters;
    int tid = threadIdx.x;
    int row = blockIdx.x * Threads + tid;

    for (int i = tid; i < colClusters * rowClusters; i += Threads)
        shMean[i] = mean[i];
    if (tid < rowClusters) {
        shNorm[tid] = norm[tid];
        shSize[tid] = rowSize[tid];
    }
    __syncthreads();

    for (int r = 0; r < rows; r += Threads * Blocks) {
        float best = 0;
        int label = -1;
        for (int rc = 0; rc < rowClusters; rc++) {
            if (shSize[rc] > 0) {
                float distance = 0;
                for (int c = 0; c < cols; c++)
                    distance += data[c * rows + r + row] * shMean[rc * colClusters + colLabel[c]];
                distance = -2 * distance + shNorm[rc];
                if (label < 0 || distance < best) {
                    best = distance;
                    label = rc;
                }
            }
        }
        shLabel[tid] = label;
        int found = shLabel[tid];
        if (rowLabel[r + row] != found) {
            rowLabel[r + row] = found;
            atomicAdd(changed, 1);
        }
    }
}

// assignCols does the same for the columns; colClusters * rowClusters floats.
__global__ void assignCols(const float *data, int rows, int rowClusters, int colClusters, int cols,
                           const float *mean, const float *norm, const int *rowLabel, int *colLabel,
                           const int *colSize, int *changed) {
    extern __shared__ float shMean[];
    for (int i = threadIdx.x; i < colClusters * rowClusters; i += Threads)
        shMean[i] = mean[i];
    __syncthreads();

    for (int c = blockIdx.x * Threads + threadIdx.x; c < cols; c += Threads * Blocks) {
        float best = 0;
        int label = -1;
        for (int cc = 0; cc < colClusters; cc++) {
            if (colSize[cc] == 0) continue;
            float distance = 0;
            for (int r = 0; r < rows; r++)
                distance += data[c * rows + r] * shMean[rowLabel[r] * colClusters + cc];
            distance = -2 * distance + norm[cc];
            if (label < 0 || distance < best) {
                best = distance;
                label = cc;
            }
        }
        if (colLabel[c] != label) {
            colLabel[c] = label;
            atomicAdd(changed, 1);
        }
    }
}

// describe computes means, norms and sizes from the labels.
static void describe(const std::vector<float> &data, Clustering &k) {
    k.mean.assign(RowClusters * ColClusters, 0);
    k.rowSize.assign(RowClusters, 0);
    k.colSize.assign(ColClusters, 0);
    for (int r = 0; r < Rows; r++) k.rowSize[k.rowLabel[r]]++;
    for (int c = 0; c < Cols; c++) k.colSize[k.colLabel[c]]++;
    for (int c = 0; c < Cols; c++)
        for (int r = 0; r < Rows; r++) k.mean[k.rowLabel[r] * ColClusters + k.colLabel[c]] += data[c * Rows + r];
    for (int rc = 0; rc < RowClusters; rc++)
        for (int cc = 0; cc < ColClusters; cc++) {
            int n = k.rowSize[rc] * k.colSize[cc];
            if (n > 0) k.mean[rc * ColClusters + cc] /= n;
        }
    k.rowNorm.assign(RowClusters, 0);
    k.colNorm.assign(ColClusters, 0);
    for (int rc = 0; rc < RowClusters; rc++)
        for (int cc = 0; cc < ColClusters; cc++) {
            float m = k.mean[rc * ColClusters + cc];
            k.rowNorm[rc] += m * m * k.colSize[cc];
            k.colNorm[cc] += m * m * k.rowSize[rc];
        }
}

// nearestRows and nearestCols are what the kernels do, on the host.
static void nearestRows(const std::vector<float> &data, Clustering &k) {
    for (int r = 0; r < Rows; r++) {
        double best = 0;
        int label = -1;
        for (int rc = 0; rc < RowClusters; rc++) {
            if (k.rowSize[rc] == 0) continue;
            double distance = k.rowNorm[rc];
            for (int c = 0; c < Cols; c++)
                distance -= 2.0 * data[c * Rows + r] * k.mean[rc * ColClusters + k.colLabel[c]];
            if (label < 0 || distance < best) {
                best = distance;
                label = rc;
            }
        }
        k.rowLabel[r] = label;
    }
}

static void nearestCols(const std::vector<float> &data, Clustering &k) {
    for (int c = 0; c < Cols; c++) {
        double best = 0;
        int label = -1;
        for (int cc = 0; cc < ColClusters; cc++) {
            if (k.colSize[cc] == 0) continue;
            double distance = k.colNorm[cc];
            for (int r = 0; r < Rows; r++)
                distance -= 2.0 * data[c * Rows + r] * k.mean[k.rowLabel[r] * ColClusters + cc];
            if (label < 0 || distance < best) {
                best = distance;
                label = cc;
            }
        }
        k.colLabel[c] = label;
    }
}

// residue is what the clustering makes small: the sum of the squared
// differences between the elements and the means of their blocks.
static double residue(const std::vector<float> &data, const Clustering &k) {
    double sum = 0;
    for (int c = 0; c < Cols; c++)
        for (int r = 0; r < Rows; r++) {
            double d = data[c * Rows + r] - k.mean[k.rowLabel[r] * ColClusters + k.colLabel[c]];
            sum += d * d;
        }
    return sum;
}

// Device is the data and one clustering in device memory.
struct Device {
    float *data, *mean, *rowNorm, *colNorm;
    int *rowLabel, *colLabel, *rowSize, *colSize, *changed;

    Device(const std::vector<float> &matrix, const Clustering &k) {
        data = toDevice(matrix);
        mean = toDevice(k.mean);
        rowNorm = toDevice(k.rowNorm);
        colNorm = toDevice(k.colNorm);
        rowLabel = toDevice(k.rowLabel);
        colLabel = toDevice(k.colLabel);
        rowSize = toDevice(k.rowSize);
        colSize = toDevice(k.colSize);
        changed = toDevice(std::vector<int>(1));
    }
    // describe copies what follows from the labels.
    void describe(const Clustering &k) {
        put(mean, k.mean);
        put(rowNorm, k.rowNorm);
        put(colNorm, k.colNorm);
        put(rowSize, k.rowSize);
        put(colSize, k.colSize);
    }
    template <typename T>
    static void put(T *to, const std::vector<T> &from) {
        CHECK(cudaMemcpy(to, from.data(), from.size() * sizeof(T), cudaMemcpyHostToDevice));
    }
    void rows() {
        size_t bytes = (ColClusters * RowClusters + 2 * RowClusters + Threads) * sizeof(float);
        assignRows<<<Blocks, Threads, bytes>>>(data, Rows, RowClusters, ColClusters, Cols, mean, rowNorm, rowLabel,
                                               colLabel, rowSize, changed);
        CHECK_LAUNCH();
    }
    void cols() {
        size_t bytes = ColClusters * RowClusters * sizeof(float);
        assignCols<<<Blocks, Threads, bytes>>>(data, Rows, RowClusters, ColClusters, Cols, mean, colNorm, rowLabel,
                                               colLabel, colSize, changed);
        CHECK_LAUNCH();
    }
    ~Device() {
        for (void *p : {(void *)data, (void *)mean, (void *)rowNorm, (void *)colNorm, (void *)rowLabel, (void *)colLabel,
                        (void *)rowSize, (void *)colSize, (void *)changed})
            CHECK(cudaFree(p));
    }
};

// planted makes a matrix with known clusters and some noise.
static std::vector<float> planted(Random &random, std::vector<int> &rowLabel, std::vector<int> &colLabel) {
    rowLabel.resize(Rows);
    colLabel.resize(Cols);
    for (int &l : rowLabel) l = random.below(RowClusters);
    for (int &l : colLabel) l = random.below(ColClusters);
    std::vector<float> level(RowClusters * ColClusters), data(Rows * Cols);
    for (float &v : level) v = random.below(40);
    for (int c = 0; c < Cols; c++)
        for (int r = 0; r < Rows; r++)
            data[c * Rows + r] = level[rowLabel[r] * ColClusters + colLabel[c]] + random.below(3) - 1;
    return data;
}

int main() {
    static_assert(Rows % (Threads * Blocks) == 0, "a thread for each row");
    Random random(7);
    Clustering truth, k;
    std::vector<float> data = planted(random, truth.rowLabel, truth.colLabel);
    k = truth;
    for (int &l : k.rowLabel) // a start that is wrong in places
        if (random.below(4) == 0) l = random.below(RowClusters);
    for (int &l : k.colLabel)
        if (random.below(4) == 0) l = random.below(ColClusters);
    describe(data, k);
    Device device(data, k);

#ifdef BUG
    // Labels as another program might number them: one column's is so large
    // that RowClusters elements of the labels are read in its place.
    std::vector<int> labels = k.colLabel;
    labels[Cols / 2] += ColClusters * RowClusters + 2 * RowClusters;
    Device::put(device.colLabel, labels);
    device.rows();
    printf("co_cluster: %d labels changed\n", toHost(device.changed, 1)[0]);
    return 0;
#endif

#ifdef LAUNCHES
    for (int i = 0; i < LAUNCHES; i++) device.rows();
    return 0;
#endif

    Clustering want = k;
    for (int round = 0; round < ROUNDS; round++) {
        device.rows();
        k.rowLabel = toHost(device.rowLabel, Rows);
        describe(data, k);
        device.describe(k);
        device.cols();
        k.colLabel = toHost(device.colLabel, Cols);
        describe(data, k);
        device.describe(k);

        nearestRows(data, want);
        describe(data, want);
        nearestCols(data, want);
        describe(data, want);
    }
    bool ok = same("row labels", k.rowLabel, want.rowLabel) && same("column labels", k.colLabel, want.colLabel);
    printf("co_cluster: %d labels changed, residue %.0f\n", toHost(device.changed, 1)[0], residue(data, k));
    return ok ? 0 : 1;
}
