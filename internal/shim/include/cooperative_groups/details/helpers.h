#ifndef __WG_COOPERATIVE_GROUPS_DETAILS_HELPERS_H__
#define __WG_COOPERATIVE_GROUPS_DETAILS_HELPERS_H__
/* cooperative_groups.h has all of it. */
#include "../../cooperative_groups.h"
#endif
