/* The FFTW interface of cuFFT is not included: see cufft.h. */
#include "cufft.h"
