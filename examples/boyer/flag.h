// The flag of Figure 2: pass -D CAUSE_BANK_CONFLICTS=1 to set it.
#ifndef CAUSE_BANK_CONFLICTS
#define CAUSE_BANK_CONFLICTS 0
#endif
