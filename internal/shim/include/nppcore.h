#error "not supported: NPP, a library of NVIDIA that warpgrind does not have"
