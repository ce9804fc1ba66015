#error "not supported: nvJPEG, a library of NVIDIA that warpgrind does not have"
