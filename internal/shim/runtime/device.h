// The devices, which are all alike but for their numbers among all that are emulated.
#pragma once

#include <string>

#include "cuda_runtime_api.h"

namespace warpgrind {

// The properties of an emulated device, and its identifier as NVML and nvidia-smi write it.
cudaDeviceProp propertiesOf(int emulated);
std::string identifierOf(int emulated);

} // namespace warpgrind
