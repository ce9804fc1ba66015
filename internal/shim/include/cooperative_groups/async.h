#ifndef __WG_COOPERATIVE_GROUPS_ASYNC_H__
#define __WG_COOPERATIVE_GROUPS_ASYNC_H__
/* The copies that are waited for. */
#include "../cooperative_groups/memcpy_async.h"
#endif
