// Grey images of 8 bits, row by row.
#pragma once
#include <string>
#include <vector>

struct Image {
  int width = 0, height = 0;
  std::vector<unsigned char> pixels;
  unsigned char at(int x, int y) const; // the edge pixels repeat outside
};

Image gradient(int width, int height, unsigned seed);
Image blurOnHost(const Image &in, int radius);
std::vector<unsigned> histogramOnHost(const Image &in);

// On the device; they end the program on a CUDA error.
Image blur(const Image &in, int radius);
std::vector<unsigned> histogram(const Image &in);
