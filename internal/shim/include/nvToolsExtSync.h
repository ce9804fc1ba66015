#ifndef __WG_NVTOOLSEXTSYNC_H__
#define __WG_NVTOOLSEXTSYNC_H__
/* The marks alone. */
#include "nvToolsExt.h"
#endif
