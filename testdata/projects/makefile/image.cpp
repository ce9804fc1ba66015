#include "image.h"

#include <algorithm>

unsigned char Image::at(int x, int y) const {
  x = std::min(std::max(x, 0), width - 1);
  y = std::min(std::max(y, 0), height - 1);
  return pixels[static_cast<size_t>(y) * width + x];
}

Image gradient(int width, int height, unsigned seed) {
  Image out;
  out.width = width;
  out.height = height;
  out.pixels.resize(static_cast<size_t>(width) * height);
  for (int y = 0; y < height; y++)
    for (int x = 0; x < width; x++) {
      seed = seed * 1664525u + 1013904223u;
      out.pixels[static_cast<size_t>(y) * width + x] = static_cast<unsigned char>(x + y + (seed >> 28));
    }
  return out;
}

Image blurOnHost(const Image &in, int radius) {
  Image out = in;
  for (int y = 0; y < in.height; y++)
    for (int x = 0; x < in.width; x++) {
      int sum = 0, n = 0;
      for (int dy = -radius; dy <= radius; dy++)
        for (int dx = -radius; dx <= radius; dx++, n++) sum += in.at(x + dx, y + dy);
      out.pixels[static_cast<size_t>(y) * in.width + x] = static_cast<unsigned char>(sum / n);
    }
  return out;
}

std::vector<unsigned> histogramOnHost(const Image &in) {
  std::vector<unsigned> bins(256);
  for (unsigned char p : in.pixels) bins[p]++;
  return bins;
}
