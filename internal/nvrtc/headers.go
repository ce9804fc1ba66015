package nvrtc

import (
	"regexp"
	"slices"
	"strings"

	"github.com/warpgrind/warpgrind/internal/clang"
	"github.com/warpgrind/warpgrind/internal/host"
)

// NVRTC's --device-as-default-execution-space makes functions without qualifiers device functions. clang
// has a pragma for that, but it holds for headers of the C++ standard library as well, which is host code
// and declares the same functions several times: libcu++ includes them when clang compiles it, NVRTC has
// none. The functions of NVIDIA's header libraries have qualifiers, and those for the host alone call the standard
// library. So each is included by a header of the same name that ends the region around it; a macro is
// defined inside of the region.
const (
	deviceDefaultMacro = "__WARPGRIND_DEVICE_DEFAULT"
	deviceDefaultBegin = "#pragma clang force_cuda_host_device begin\n#define " + deviceDefaultMacro + "\n"
	deviceDefaultEnd   = "#undef " + deviceDefaultMacro + "\n#pragma clang force_cuda_host_device end\n"
)

// hostHeader is the header that includes a library's of that name as it is for nvcc. A program may have defined the
// word __host__ away, which has no meaning for NVRTC.
func hostHeader(name string) string {
	include := "#pragma push_macro(\"__host__\")\n#undef __host__\n#define __host__ __attribute__((host))\n" +
		"#include_next <" + name + ">\n#pragma pop_macro(\"__host__\")\n"
	return "#ifdef " + deviceDefaultMacro + "\n" + deviceDefaultEnd + include + deviceDefaultBegin + "#else\n" + include + "#endif\n"
}

// standardHeaders are the headers of the C++ standard library ("Headers" in the C++ standard), with the headers of the C
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

// headersOfC are the headers of the C library.
var headersOfC = strings.Fields(`
assert.h complex.h ctype.h errno.h fenv.h float.h inttypes.h iso646.h limits.h locale.h math.h memory.h setjmp.h signal.h
stdalign.h stdarg.h stdatomic.h stdbool.h stddef.h stdint.h stdio.h stdlib.h stdnoreturn.h string.h tgmath.h threads.h
time.h uchar.h wchar.h wctype.h`)

// isStandardHeader reports whether a name is a header of the C or C++ standard library. NVRTC has none of them, so that programs bring what they need of
// some; here the host's are there, with all that these have, and cannot stand beside them.
func isStandardHeader(name string) bool {
	return slices.Contains(standardHeaders, name) || slices.Contains(headersOfC, name)
}

var includeName = regexp.MustCompile(`(?m)^[ \t]*#[ \t]*include[ \t]*["<]([^">\n]+)[">]`)

// libraryHeaders are the headers of the machine's header libraries that a program includes and does not bring.
func libraryHeaders(src host.Source) (names []string) {
	add := func(text string) {
		for _, m := range includeName.FindAllStringSubmatch(text, -1) {
			if _, brought := src.Headers[m[1]]; !brought && !slices.Contains(names, m[1]) && clang.LibrariesHave(m[1]) {
				names = append(names, m[1])
			}
		}
	}
	add(src.Text)
	for _, h := range src.Headers {
		add(h)
	}
	return names
}
