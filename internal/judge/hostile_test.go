package judge

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/warpgrind/warpgrind/internal/tooltest"
)

// secretWords are in a file that no candidate may see.
const secretWords = "the secret of 4711"

const vaddKernel = "__global__ void k(const float *a, const float *b, float *out, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) out[i] = a[i] + b[i]; }\n"

// hostile are candidates that attack the compiler, the sandbox or the judge. SECRET is the path of a
// file outside, PORT that of a server on this machine.
var hostile = []struct {
	name, source string
	want         Reason
	job          string
}{
	{name: "include", source: "#include \"SECRET\"\n" + vaddKernel, want: CompileError},
	{name: "include as data", source: "const char text[] =\n#include \"SECRET\"\n;\n" + vaddKernel, want: CompileError},
	{name: "passwd", source: "#include \"/etc/passwd\"\n" + vaddKernel, want: CompileError},
	{name: "embed", source: "__device__ const char text[] = {\n#embed \"SECRET\"\n};\n" + vaddKernel, want: CompileError},
	{name: "has_include", source: "#if __has_include(\"SECRET\") || __has_include(\"/etc/passwd\") || __has_include(\"/proc/self/environ\")\n#error visible\n#endif\n" + vaddKernel, want: Correct},
	{name: "incbin in PTX", source: vaddKernel + `__global__ void other() { asm(".incbin \"SECRET\""); }`, want: CompileError},
	{name: "incbin on the host", source: vaddKernel + `asm(".incbin \"SECRET\"");`, want: Correct}, // host code is not compiled
	{name: "plugin", source: "#pragma clang plugin \"SECRET\"\n#pragma comment(lib, \"SECRET\")\n" + vaddKernel, want: Correct},
	{name: "file in a message", source: "#line 1 \"SECRET\"\n" + vaddKernel + "int x = ;", want: CompileError},
	{name: "module map", source: "#pragma clang module load SECRET\n" + vaddKernel, want: CompileError},
	{name: "includes itself", source: "#include __FILE__\n" + vaddKernel, want: CompileError},
	{name: "deep templates", source: "template <int N> struct T { static constexpr int v = T<N + 1>::v; }; __device__ int x = T<0>::v;\n" + vaddKernel, want: CompileError},
	{name: "many templates", source: "template <int N, int M> struct T { static constexpr long v = T<N - 1, 2 * M>::v + T<N - 1, 2 * M + 1>::v; }; template <int M> struct T<0, M> { static constexpr long v = M; };\n__device__ long x = T<26, 1>::v;\n" + vaddKernel,
		want: Timeout, job: `"limits":{"compile_seconds":3}`},
	{name: "endless constexpr", source: "constexpr int f() { int i = 0; while (true) i ^= 1; return i; } __device__ int x = f();\n" + vaddKernel, want: CompileError},
	{name: "large array", source: "__device__ char big[1ull << 36];\n" + vaddKernel + "__global__ void use() { big[5] = 1; }", want: MemoryLimit},
	{name: "large initializer", source: "__device__ char big[1ull << 33] = {1};\n" + vaddKernel + "__global__ void use() { big[5] = 1; }", want: CompileError, job: `"limits":{"compile_seconds":20}`},
	{name: "nested brackets", source: "__device__ int x = " + strings.Repeat("(", 100000) + "1" + strings.Repeat(")", 100000) + ";\n" + vaddKernel, want: CompileError},
	{name: "not CUDA", source: "import torch", want: CompileError},
	{name: "empty kernel name", source: vaddKernel, want: InvalidLaunch, job: `"launches":[{"kernel":"nothing","grid":[1],"block":[32]}]`},
	{name: "large block", source: vaddKernel, want: InvalidLaunch, job: `"launches":[{"grid":[1],"block":[2048]}]`},
	{name: "fewer arguments", source: vaddKernel, want: InvalidLaunch, job: `"launches":[{"grid":[4],"block":[256],"arguments":["a","out","n"]}]`},
	{name: "huge grid", source: "__global__ void k(const float *a, const float *b, float *out, int n) { if (blockIdx.x == 0) for (int i = threadIdx.x; i < n; i += blockDim.x) out[i] = a[i] + b[i]; }",
		want: Timeout, job: `"launches":[{"grid":[2147483647],"block":[1024]}],"limits":{"seconds":3}`},
	{name: "recursion", source: "__device__ int deep(int n) { volatile int big[64]; big[n % 64] = n; return n < 0 ? 0 : deep(n + 1) + big[n % 64]; }\n__global__ void k(const float *a, const float *b, float *out, int n) { if (blockIdx.x + threadIdx.x == 0) out[0] = deep(1); }",
		want: InvalidAccess},
	{name: "long but finite", source: "__global__ void k(const float *a, const float *b, float *out, int n) { unsigned x = 1; for (unsigned i = 0; i < 4000000000u; i++) x = x * 1664525 + i; out[threadIdx.x] = x; }", want: Hang},
	{name: "heap", source: "__global__ void k(const float *a, const float *b, float *out, int n) { char *p; do { p = (char *)malloc(1 << 20); if (p) p[0] = 1; } while (p); int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) out[i] = a[i] + b[i]; }", want: Correct},
	{name: "PTX that is none", source: "", want: CompileError, job: `"ptx":"this is not PTX"`},
	{name: "PTX with a section", source: "", want: CompileError, job: `"ptx":".version 7.5\n.target sm_80\n.address_size 64\n.section .x { .b8 \"SECRET\" }\n.include \"SECRET\"\n"`},
	{name: "child grid", source: "__global__ void c(const float *a, const float *b, float *out, int n) { int i = threadIdx.x; if (i < n) out[i] = a[i] + b[i]; }\n__global__ void k(const float *a, const float *b, float *out, int n) { if (threadIdx.x == 0) c<<<1, 1024, 0, cudaStreamFireAndForget>>>(a, b, out, n); }", want: Correct,
		job: `"launches":[{"kernel":"k","grid":[1],"block":[256]}]`},
	{name: "child grid and parent", source: "__global__ void c(float *out) { out[threadIdx.x] = 0; }\n__global__ void k(const float *a, const float *b, float *out, int n) { if (threadIdx.x == 0) c<<<1, 32, 0, cudaStreamFireAndForget>>>(out); int i = blockIdx.x * 256 + threadIdx.x; if (i < n) out[i] = a[i] + b[i]; }", want: Race,
		job: `"launches":[{"kernel":"k","grid":[4],"block":[256]}]`},
	{name: "template", source: "namespace ns { template <typename T, int N> __global__ void k(const T *a, const T *b, T *out, int n) { int i = blockIdx.x * N + threadIdx.x; if (i < n) out[i] = a[i] + b[i]; } }",
		want: Correct, job: `"launches":[{"kernel":"ns::k<float, 256>","grid":[4],"block":[256]}]`},
	{name: "no such instance", source: "template <typename T> __global__ void k(const T *a, const T *b, T *out, int n) { }", want: InvalidJob, job: `"launches":[{"kernel":"k<float>); int x = (1","grid":[4],"block":[256]}]`},
	{name: "clock", source: "__global__ void k(const float *a, const float *b, float *out, int n) { long t = clock64(); int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) out[i] = t < 0 ? 0 : a[i] + b[i]; }", want: Correct},
}

// hostileReferences are references that fail, or attack the machine. What they should not do, they
// tell by a result that the kernel does not have.
var hostileReferences = []struct {
	name, source string
	want         Reason
}{
	{"reads a file", `void reference(const float *a, const float *b, float *out, int n) { FILE *f = fopen("SECRET", "r"); FILE *g = fopen("/etc/passwd", "r"); for (int i = 0; i < n; i++) out[i] = f || g ? -1 : a[i] + b[i]; }`, Correct},
	{"writes a file", `void reference(const float *a, const float *b, float *out, int n) { FILE *f = fopen("SECRET.new", "w"); FILE *g = fopen("/tmp/warpgrind-escaped", "w"); for (int i = 0; i < n; i++) out[i] = f || g ? -1 : a[i] + b[i]; }`, Correct},
	{"connects", "#include <sys/socket.h>\n#include <netinet/in.h>\n#include <arpa/inet.h>\n" + `void reference(const float *a, const float *b, float *out, int n) { int s = socket(AF_INET, SOCK_STREAM, 0); sockaddr_in to = {}; to.sin_family = AF_INET; to.sin_port = htons(PORT);
		to.sin_addr.s_addr = htonl(0x7f000001); bool open = connect(s, (sockaddr *)&to, sizeof to) == 0; for (int i = 0; i < n; i++) out[i] = open ? -1 : a[i] + b[i]; }`, Correct},
	{"forks", "#include <unistd.h>\n" + `void reference(const float *a, const float *b, float *out, int n) { bool made = false; for (int i = 0; i < 1000; i++) { int p = fork(); if (p == 0) { sleep(1000); _exit(0); } made |= p > 0; }
		for (int i = 0; i < n; i++) out[i] = made ? -1 : a[i] + b[i]; }`, Correct},
	{"runs a program", `void reference(const float *a, const float *b, float *out, int n) { int r = system("echo x > /tmp/warpgrind-escaped"); for (int i = 0; i < n; i++) out[i] = r == 0 ? -1 : a[i] + b[i]; }`, Correct},
	{"prints", `void reference(const float *a, const float *b, float *out, int n) { printf("hello\n"); fflush(stdout); for (int i = 0; i < n; i++) out[i] = a[i] + b[i]; }`, Correct},
	{"crashes", `void reference(const float *a, const float *b, float *out, int n) { abort(); }`, ReferenceFailed},
	{"spins", `void reference(const float *a, const float *b, float *out, int n) { for (volatile int i = 0; ; ) i++; }`, ReferenceFailed},
	{"sleeps", "#include <unistd.h>\n" + `void reference(const float *a, const float *b, float *out, int n) { for (;;) sleep(1000); }`, ReferenceFailed},
	{"takes memory", `void reference(const float *a, const float *b, float *out, int n) { for (;;) { char *p = (char *)malloc(1 << 24); for (int i = 0; i < 1 << 24; i += 4096) p[i] = 1; } }`, ReferenceFailed},
	{"writes too much", "#include <unistd.h>\n" + `void reference(const float *a, const float *b, float *out, int n) { for (int fd = 0; fd < 64; fd++) for (int i = 0; i < 1000; i++) write(fd, a, 4000); }`, ReferenceFailed},
	{"ends early", `void reference(const float *a, const float *b, float *out, int n) { exit(0); }`, ReferenceFailed},
	{"does not compile", `void reference(const float *a) { `, ReferenceFailed},
	{"other arguments", `void reference(const int *a, int n) { }`, ReferenceFailed},
	{"incbin", `asm(".incbin \"SECRET\""); void reference(const float *a, const float *b, float *out, int n) { }`, ReferenceFailed},
}

// hostileLines are the jobs, and what is right.
func hostileLines(secret string, port int) (list []candidate) {
	fix := strings.NewReplacer("SECRET", secret, "PORT", fmt.Sprint(port)).Replace
	o := &operators[0]
	for _, h := range hostile {
		var job map[string]any
		_ = json.Unmarshal([]byte(o.line("hostile: "+h.name, fix(h.source), "")), &job)
		if h.job != "" {
			_ = json.Unmarshal([]byte("{"+fix(h.job)+"}"), &job)
		}
		if h.source == "" {
			delete(job, "source")
		}
		line, _ := json.Marshal(job)
		list = append(list, candidate{"hostile: " + h.name, string(line), []Reason{h.want}})
	}
	for _, h := range hostileReferences {
		p := *o
		p.reference = fix(h.source)
		list = append(list, candidate{"reference " + h.name, p.line("reference "+h.name, vaddKernel, `"limits":{"reference_seconds":1,"memory":2147483648}`), []Reason{h.want}})
	}
	return list
}

// TestHostile judges candidates and references that attack, and looks whether anything got out.
func TestHostile(t *testing.T) {
	tooltest.NeedsClang(t)
	dir := t.TempDir()
	secret := filepath.Join(dir, "secret.h")
	if err := os.WriteFile(secret, []byte(secretWords), 0o644); err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	var list []candidate
	var lines []string
	for i, c := range hostileLines(secret, l.Addr().(*net.TCPAddr).Port) {
		if tooltest.Sampled(i, 4) {
			list, lines = append(list, c), append(lines, c.line)
		}
	}
	j := newJudge(t)
	verdicts := stream(t, j, dir, lines...)
	check(t, list, verdicts)
	for i, v := range verdicts {
		if text, _ := json.Marshal(v); bytes.Contains(text, []byte(secretWords)) || bytes.Contains(text, []byte("root:")) {
			t.Errorf("%s: the verdict has what is in a file outside: %s", list[i].name, text)
		}
	}
	if entries, _ := os.ReadDir(dir); len(entries) != 1 {
		t.Errorf("files were made: %v", entries)
	}
	if _, err := os.Stat("/tmp/warpgrind-escaped"); err == nil {
		t.Error("a file was written")
	}
	_ = l.(*net.TCPListener).SetDeadline(time.Now().Add(50 * time.Millisecond))
	if c, err := l.Accept(); err == nil {
		t.Errorf("a candidate connected from %v", c.RemoteAddr())
	}
}

// TestWithoutNamespaces judges where there are none: Landlock and seccomp have to do.
func TestWithoutNamespaces(t *testing.T) {
	tooltest.NeedsClang(t)
	dir := t.TempDir()
	secret := filepath.Join(dir, "secret.h")
	if err := os.WriteFile(secret, []byte(secretWords), 0o644); err != nil {
		t.Fatal(err)
	}
	j, err := New(Config{Workers: 2})
	if err != nil {
		t.Fatal(err)
	}
	defer j.Close()
	j.pool.box.WithoutNamespaces("turned off")
	var list []candidate
	var lines []string
	for _, c := range hostileLines(secret, 1) {
		switch c.name {
		case "hostile: include", "reference reads a file", "reference forks":
			list, lines = append(list, c), append(lines, c.line)
		}
	}
	verdicts := stream(t, j, dir, lines...)
	check(t, list, verdicts)
	if s := verdicts[0].Sandbox; s == nil || len(s.Missing) == 0 {
		t.Errorf("the verdict does not say what was missing: %+v", s)
	}
}

// TestWorkers: a worker serves requests with its own bound on memory only, and one that dies is replaced.
func TestWorkers(t *testing.T) {
	tooltest.NeedsClang(t)
	j, err := New(Config{Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer j.Close()
	small, err := j.pool.take(running, 1<<29)
	if err != nil {
		t.Fatal(err)
	}
	j.pool.give(running, small)
	large, err := j.pool.take(running, 2<<30)
	if err != nil {
		t.Fatal(err)
	}
	if large == small {
		t.Error("a worker with 512 MiB is used for 2 GiB")
	}
	large.p.Kill()
	j.pool.give(running, large) // the next one to be taken
	verdicts := stream(t, j, "", operators[0].line("x", vaddKernel, ""))
	if !verdicts[0].Correct {
		t.Errorf("with a dead worker: %+v", verdicts[0].Reasons)
	}
}

// TestLeavesNothing closes a judge that has worked: no process, and no file, is left.
func TestLeavesNothing(t *testing.T) {
	tooltest.NeedsClang(t)
	j, err := New(Config{Workers: 2})
	if err != nil {
		t.Fatal(err)
	}
	stream(t, j, "", operators[0].line("x", vaddKernel, ""))
	j.pool.mu.Lock()
	idle := len(j.pool.idle[running])
	j.pool.mu.Unlock()
	if idle == 0 {
		t.Error("no engine is kept for the next job")
	}
	dir := j.dir
	j.Close()
	if _, err := os.Stat(dir); err == nil {
		t.Errorf("%s is left", dir)
	}
	for _, p := range children(t) {
		if text, _ := os.ReadFile(filepath.Join("/proc", p, "cmdline")); bytes.HasPrefix(text, []byte(workerArgument0)) && shared == nil {
			t.Errorf("process %s is left: %s", p, text)
		}
	}
}

// children are the processes that this one has started.
func children(t *testing.T) (list []string) {
	t.Helper()
	tasks, _ := filepath.Glob("/proc/self/task/*/children")
	for _, f := range tasks {
		text, err := os.ReadFile(f)
		if err != nil {
			t.Skip(err)
		}
		list = append(list, strings.Fields(string(text))...)
	}
	return list
}

// TestInterrupted ends a stream in the middle.
func TestInterrupted(t *testing.T) {
	j := newJudge(t)
	ctx, stop := context.WithTimeout(context.Background(), 300*time.Millisecond)
	defer stop()
	o := &operators[0]
	line := o.line("slow", "__global__ void k(const float *a, const float *b, float *out, int n) { for (unsigned i = 0; i < 4000000000u; i++) out[0] += i; }", `"limits":{"instructions":1000000000000}`)
	began := time.Now()
	_, _, err := j.Stream(ctx, strings.NewReader(line+"\n"+line+"\n"+line), &bytes.Buffer{}, "")
	if err == nil || time.Since(began) > 10*time.Second {
		t.Errorf("%v after %v", err, time.Since(began))
	}
}
