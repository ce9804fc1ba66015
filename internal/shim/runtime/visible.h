// Which of the emulated devices the process sees: CUDA_VISIBLE_DEVICES ("CUDA C++ Programming
// Guide", "CUDA Environment Variables"). The program numbers those from 0, in the order of the
// variable; requests, identifiers, PCI addresses and NVML have the numbers of all.
#pragma once

namespace warpgrind {

// Reads the variable, when it is known how many devices there are. One process has one answer.
void chooseVisible(int devices);

// How many devices the process sees.
int visibleDevices();

// The number among all of device number d of the program, and the reverse; what is not visible
// stays as it is.
int emulatedDevice(int d);
int visibleDevice(int emulated);

} // namespace warpgrind
