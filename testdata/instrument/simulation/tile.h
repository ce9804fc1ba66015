// A tile with rows of any pitch.
#pragma once
#include "vec.h"

template <class T, int Rows, int Pitch> class Tile {
  T cells[Rows][Pitch];

public:
  __device__ T &operator()(int row, int column) { return cells[row][column]; }
};
