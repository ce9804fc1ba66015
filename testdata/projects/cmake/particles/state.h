#pragma once

// Moves n bodies by a number of steps; x, y, z and mass of each, in place.
// Returns the number of pairs that were looked at.
unsigned long long simulate(float *bodies, int n, int steps, float dt);
