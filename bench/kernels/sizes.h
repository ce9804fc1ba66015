/* Sizes of the kernels, for CUDA, OpenCL C and C. */
#define TILE 16
#define SCAN_BLOCK 512
#define LINE_BLOCK 256
#define RADIUS 8
#define BINS 256
#define ALIGN 64
#define RESIDENT 8
#define WARP 32
/* A product by tiles of 64 by 64, of which each thread computes 4 by 4, 16 columns of the left matrix at a time. */
#define GEMM_TILE 64
#define GEMM_DEPTH 16
/* The rows that are normalized, and those of which the largest keys are taken. */
#define NORM_ROW 1024
#define TOP_ROW 256
#define TOP 32
#define GRID_STEPS 8
/* The edge of the square of cells for n particles: about 8 in each. */
#define CELLS_SIDE(n) ((int)sqrtf((float)(n) / 8.0f))
