// flags: --std c++20
// Every header of the C++20 library beside CUDA, and what of it device code can use.
#include <algorithm>
#include <any>
#include <array>
#include <atomic>
#include <barrier>
#include <bit>
#include <bitset>
#include <cassert>
#include <cctype>
#include <cerrno>
#include <cfenv>
#include <cfloat>
#include <charconv>
#include <chrono>
#include <cinttypes>
#include <climits>
#include <clocale>
#include <cmath>
#include <codecvt>
#include <compare>
#include <complex>
#include <concepts>
#include <condition_variable>
#include <coroutine>
#include <csetjmp>
#include <csignal>
#include <cstdarg>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <cuchar>
#include <cwchar>
#include <cwctype>
#include <deque>
#include <exception>
#include <execution>
#include <filesystem>
#include <forward_list>
#include <fstream>
#include <functional>
#include <future>
#include <initializer_list>
#include <iomanip>
#include <ios>
#include <iosfwd>
#include <iostream>
#include <istream>
#include <iterator>
#include <latch>
#include <limits>
#include <list>
#include <locale>
#include <map>
#include <memory>
#include <memory_resource>
#include <mutex>
#include <new>
#include <numbers>
#include <numeric>
#include <optional>
#include <ostream>
#include <queue>
#include <random>
#include <ranges>
#include <ratio>
#include <regex>
#include <scoped_allocator>
#include <semaphore>
#include <set>
#include <shared_mutex>
#include <source_location>
#include <span>
#include <sstream>
#include <stack>
#include <stdexcept>
#include <stop_token>
#include <streambuf>
#include <string>
#include <string_view>
#include <syncstream>
#include <system_error>
#include <thread>
#include <tuple>
#include <type_traits>
#include <typeindex>
#include <typeinfo>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <valarray>
#include <variant>
#include <vector>
#include <version>

template <std::integral T> __host__ __device__ T steps(T a, T b) { return std::gcd(a, b) + std::midpoint(a, b); }

__host__ __device__ int use(int i) {
    std::array<int, 4> a{1, 2, 3, i};
    auto [low, high] = std::minmax({a[0], a[3]});
    std::tuple<int, float, char> t{i, 0.5f, 'c'};
    std::optional<int> o = i % 2 ? std::optional<int>(i) : std::nullopt;
    std::span<const int> s(a);
    constexpr std::string_view name("standard");
    int sum = std::accumulate(s.begin(), s.end(), 0) + low * high + std::get<0>(t) + o.value_or(-1);
    sum += std::popcount(unsigned(i)) + std::countl_zero(unsigned(i) | 1) + int(std::bit_cast<unsigned>(1.0f) >> 23);
    sum += steps(i + 1, 12) + std::clamp(i, 3, 9) + int(name.size()) + (name[1] == 't') + (i <=> 4 < 0 ? 1 : 2);
    sum += int(100 * std::numbers::pi) + std::numeric_limits<short>::max() + std::ratio<6, 4>::num;
    sum += std::exchange(a[1], 7) + int(std::distance(a.begin(), std::find(a.begin(), a.end(), 7)));
    sum += std::apply([](int x, float y, char z) { return x + int(2 * y) + z; }, t) + std::invoke(std::plus<>(), i, 1);
    std::complex<float> c(1, float(i));
    return sum + int(std::norm(c)) + int(std::is_same_v<decltype(i), int>);
}

__global__ void on_device(int *out) { out[threadIdx.x] = use(threadIdx.x); }

int main() {
    int *d, got[32], wrong = 0;
    if (cudaMalloc(&d, sizeof got) != cudaSuccess) return 1;
    on_device<<<1, 32>>>(d);
    if (cudaMemcpy(got, d, sizeof got, cudaMemcpyDeviceToHost) != cudaSuccess) return 1;
    for (int i = 0; i < 32; i++) wrong += got[i] != use(i);
    cudaFree(d);
    std::vector<std::string> words{"every", "header"};
    std::cout << words.size() << (wrong ? " FAIL" : " PASS") << std::endl;
    return wrong != 0;
}
