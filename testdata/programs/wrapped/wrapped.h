#ifndef CWRAP_H
#define CWRAP_H
#include <stddef.h>
#ifdef __cplusplus
extern "C" {
#endif
int dev_init(size_t n);
int dev_saxpy(float a, const float *x, float *y);
void dev_close(void);
#ifdef __cplusplus
}
#endif
#endif
