package session

import "strings"

// NVRTC's --device-as-default-execution-space makes functions without qualifiers device functions. clang
// has a pragma for that, but it holds for headers of the C++ standard library as well, which is host code
// and declares the same functions several times: libcu++ includes them when clang compiles it, NVRTC has
// none. So each is included by a header of the same name that ends the region around it; a macro is
// defined inside of the region.
const (
	deviceDefaultMacro = "__WARPGRIND_DEVICE_DEFAULT"
	deviceDefaultBegin = "#pragma clang force_cuda_host_device begin\n#define " + deviceDefaultMacro + "\n"
	deviceDefaultEnd   = "#undef " + deviceDefaultMacro + "\n#pragma clang force_cuda_host_device end\n"
)

// hostHeader is the header that includes the standard library's of that name as host code.
func hostHeader(name string) string {
	include := "#include_next <" + name + ">\n"
	return "#ifdef " + deviceDefaultMacro + "\n" + deviceDefaultEnd + include + deviceDefaultBegin + "#else\n" + include + "#endif\n"
}

// standardHeaders are the headers of the C++ standard library ("Headers" in the C++ standard), with those of the C
// library that it brings in a form of its own.
var standardHeaders = strings.Fields(`
algorithm any array atomic barrier bit bitset charconv chrono compare complex concepts condition_variable
coroutine deque exception execution expected filesystem format forward_list fstream functional future
generator initializer_list iomanip ios iosfwd iostream istream iterator latch limits list locale map mdspan
memory memory_resource mutex new numbers numeric optional ostream print queue random ranges ratio regex
scoped_allocator semaphore set shared_mutex source_location span spanstream sstream stack stacktrace
stdexcept stdfloat stop_token streambuf string string_view strstream syncstream system_error thread tuple
type_traits typeindex typeinfo unordered_map unordered_set utility valarray variant vector version
cassert cctype cerrno cfenv cfloat cinttypes climits clocale cmath csetjmp csignal cstdarg cstddef cstdint
cstdio cstdlib cstring ctime cuchar cwchar cwctype ciso646 math.h stdlib.h`)
