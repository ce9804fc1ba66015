#error "MTGP32 is not supported by warpgrind: use XORWOW, MRG32k3a or Philox"
