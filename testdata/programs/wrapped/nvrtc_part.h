// For nvrtc_cubin.cpp.
#define FACTOR 3
