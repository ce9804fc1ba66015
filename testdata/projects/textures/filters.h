// Halves an image, by the mean of 2 x 2 pixels, in two ways.
#pragma once

struct Image {
  int width, height; // even
  float *pixels;
};

// The means by linear filtering of a texture reference, and by gathering from a
// texture object over pitched memory. They return 0 or a cudaError_t.
int halveByReference(const Image &in, Image &out);
int halveByObject(const Image &in, Image &out);
