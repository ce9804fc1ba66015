/* Sizes of the kernels, for CUDA, OpenCL C and C. */
#define TILE 16
#define SCAN_BLOCK 512
#define LINE_BLOCK 256
#define RADIUS 8
#define BINS 256
#define ALIGN 64
#define RESIDENT 8
#define GRID_STEPS 8
/* The edge of the square of cells for n particles: about 8 in each. */
#define CELLS_SIDE(n) ((int)sqrtf((float)(n) / 8.0f))
