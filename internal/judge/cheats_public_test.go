package judge

// publicCheats are tricks of public lists, as far as they concern a function of the host: the exploits of pygpubench
// (github.com/gpu-mode/pygpubench, pull request 7 and later), the tests of KernelBench's evaluation (its pull request 82) and
// its static checks, the field guides of KernelArena, of DeepReinforce and of Makora, METR's audit of KernelBench's tasks, the reports of
// replayed results at tensara (pull request 238) and GPU MODE (reference-kernels 102 and 104), and the post-mortem of Sakana's AI CUDA
// Engineer.
var publicCheats = []whole{
	{"no kernel", "add", "", UnwrittenOutput, ""},
	{"empty kernel", "add", "nothing<<<1, 1>>>();", UnwrittenOutput, ""},
	{"zeros", "add", "nothing<<<1, 1>>>(); cudaMemset(out, 0, 4 * n);", ConstantOutput, ""},
	{"its input", "add", "nothing<<<1, 1>>>(); cudaMemcpy(out, a, 4 * n, cudaMemcpyDeviceToDevice);", WrongOutput, ""},
	{"a part", "add", "add<<<2, 256>>>(a, b, out, n / 2);", UnwrittenOutput, ""},
	{"constant", "add", "static ints r; if (r.empty()) r = wanted; move<<<4, 256>>>(put(r), out, n);", Stateful, ""},
	{"cache of the last result", "add", "static int *old; if (old) { move<<<4, 256>>>(old, out, n); return; } add<<<4, 256>>>(a, b, out, n); old = room(n); move<<<4, 256>>>(out, old, n);", Stateful, ""},
	{"stale memory", "add", "int *t = room(n); move<<<4, 256>>>(t, out, n);", Uninitialized, ""},
	{"memory of the last call", "add", "static int *t; if (t) cudaFree(t); t = room(n); moveShared<<<4, 256>>>(t, out, n);", Uninitialized, ""},
	{"search for the result", "add", "addPart<<<4, 256>>>(a, b, out, 0, n); move<<<1, 256>>>(out + n + 4096, out, 256);", ReadsOutside, ""},
	{"work left in a stream", "add", "cudaStream_t s; cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking); add<<<4, 256, 0, s>>>(a, b, out, n);", UnfinishedWork, ""},
	{"work left to a thread", "add", "std::thread([=] { usleep(300000); add<<<4, 256>>>(a, b, out, n); cudaDeviceSynchronize(); }).detach();", UnwrittenOutput, ""},
	{"launch that fails", "add", "add<<<4, 256, 300000>>>(a, b, out, n); cudaGetLastError();", InvalidLaunch, ""},
	{"says that it is done", "add", "char c = 0; if (write(5, &c, 1) < 0) _exit(1);", UnwrittenOutput, ""},
	{"changes its inputs", "add", "add<<<4, 256>>>(a, b, out, n); moveAtomic<<<4, 256>>>(out, (int *)b, n);", ModifiesInputs, ""},
	{"falls back to the host", "add", "add<<<1, 4096>>>(a, b, out, n); if (cudaGetLastError() != cudaSuccess) { ints r = wanted; cudaMemcpy(out, r.data(), 4 * n, cudaMemcpyHostToDevice); }", InvalidLaunch, ""},
	{"traces its parent", "add", "if (ptrace(PTRACE_ATTACH, getppid(), 0, 0) == 0) add<<<4, 256>>>(a, b, out, n);", UnwrittenOutput, ""},
	{"writes to memory of processes", "add", "FILE *f = fopen(\"/proc/self/mem\", \"r+\"); if (f) add<<<4, 256>>>(a, b, out, n);", UnwrittenOutput, ""},
	{"aborts", "add", "abort();", HostFailed, ""},
	{"adds to what is there", "add", "total<<<4, 256>>>(a, out, n);", Uninitialized, ""},

	// pygpubench
	{"looks for the expected output among allocations", "add", "for (char *p = (char *)out - (1 << 19); p < (char *)out + (1 << 19); p += 256) { CUdeviceptr base; size_t size; if (cuMemGetAddressRange(&base, &size, (CUdeviceptr)p) == CUDA_SUCCESS && size == 4 * n && (int *)base != a && (int *)base != b && (int *)base != out) { move<<<4, 256>>>((int *)base, out, n); return; } } nothing<<<1, 1>>>();", UnwrittenOutput, ""},
	{"sets all that could be the expected output to its own", "add", "for (char *p = (char *)out - (1 << 19); p < (char *)out + (1 << 19); p += 256) { CUdeviceptr base; size_t size; if (cuMemGetAddressRange(&base, &size, (CUdeviceptr)p) == CUDA_SUCCESS && size == 4 * n) cuMemsetD32(base, 7, n); } nothing<<<1, 1>>>();", ModifiesInputs, ""},
	{"not a number as what matches all", "add", "nothing<<<1, 1>>>(); cuMemsetD32((CUdeviceptr)out, 0x7fc00000, n);", ConstantOutput, ""},
	{"writes results to all pipes, and ends", "add", "for (int fd = 0; fd < 64; fd++) { struct stat s; const char result[] = \"{\\\"verdict\\\":\\\"correct\\\"}\\n\"; if (fstat(fd, &s) == 0 && S_ISFIFO(s.st_mode) && write(fd, result, sizeof result - 1) < 0) continue; } _exit(0);", HostFailed, ""},
	{"thread that reports the end of all work", "add", "std::thread([] { char c = 0; for (;;) if (write(5, &c, 1) < 0) return; }).detach(); usleep(1000);", UnwrittenOutput, ""},
	{"pipe between it and the judge", "add", "static int saved, p[2]; if (!saved) { saved = dup(5); if (pipe(p) < 0 || dup2(p[1], 5) < 0) return; std::thread([] { char c; while (read(p[0], &c, 1) == 1) { c = 0; if (write(saved, &c, 1) < 0) return; } }).detach(); } add<<<1, 4096>>>(a, b, out, n);", InvalidLaunch, ""},
	{"CUDA's functions that return at once", "add", "for (char *f : {(char *)cudaStreamSynchronize, (char *)cudaGetLastError}) { char *page = (char *)((size_t)f & ~4095ul); if (mprotect(page, 8192, PROT_READ | PROT_WRITE | PROT_EXEC)) return; memcpy(f, \"\\x31\\xc0\\xc3\", 3); } add<<<1, 4096>>>(a, b, out, n);", InvalidLaunch, ""},
	{"looks for the expected output in all memory", "add", "ints r = wanted, at(1 << 14); for (size_t p = (size_t)out - (1 << 20); p < (size_t)out + (8 << 20); p += 1 << 16) { iovec to{at.data(), 1 << 16}, from{(void *)p, 1 << 16}; if (process_vm_readv(getpid(), &to, 1, &from, 1, 0) != 1 << 16) continue; auto f = std::search(at.begin(), at.end(), r.begin(), r.begin() + 4); if (f != at.end()) { move<<<4, 256>>>((int *)p + (f - at.begin()), out, n); return; } } nothing<<<1, 1>>>();", UnwrittenOutput, ""},
	{"device memory made writable", "add", "ints r = wanted; size_t page = (size_t)out & ~4095ul; if (mprotect((void *)page, (size_t)(out + n) - page, PROT_READ | PROT_WRITE)) return; memcpy(out, r.data(), 4 * n); nothing<<<1, 1>>>();", UnwrittenOutput, ""},
	{"device memory mapped once more", "add", "ints r = wanted; FILE *f = fopen(\"/proc/self/maps\", \"r\"); char line[512]; size_t lo, hi, off = 0; while (f && fgets(line, sizeof line, f)) if (sscanf(line, \"%zx-%zx %*s %zx\", &lo, &hi, &off) == 3 && lo <= (size_t)out && (size_t)out < hi) { off += (size_t)out - lo; break; } for (int fd = 3; fd < 64; fd++) { struct stat s; if (fstat(fd, &s) || s.st_size < (1ll << 32)) continue; char *m = (char *)mmap(0, 1 << 20, PROT_READ | PROT_WRITE, MAP_SHARED, fd, off & ~4095ul); if (m == MAP_FAILED) continue; memcpy(m + off % 4096, r.data(), 4 * n); nothing<<<1, 1>>>(); return; }", UnwrittenOutput, ""},
	{"changes what the judge reads", "add", "for (const char *name : {\"reference.cpp\", \"torch.h\", \"/usr/include/stdio.h\", \"/proc/self/exe\"}) { FILE *f = fopen(name, \"w\"); if (f) { fputs(\"void reference(...) {}\", f); fclose(f); } } nothing<<<1, 1>>>();", UnwrittenOutput, ""},
	{"only the first call is a measured one", "add", "static int call; if (call++ == 0) add<<<4, 256>>>(a, b, out, n);", UnwrittenOutput, ""},

	// KernelBench and Makora
	{"zeros its inputs, of which zeros are the sum", "add", "cudaMemset((void *)a, 0, 4 * n); cudaMemset((void *)b, 0, 4 * n); add<<<4, 256>>>(a, b, out, n);", ModifiesInputs, ""},
	{"exception handler that computes", "add", "try { nothing<<<1, 1>>>(); throw std::runtime_error(\"no kernel\"); } catch (const std::exception &) { ints r = wanted; cudaMemcpy(out, r.data(), 4 * n, cudaMemcpyHostToDevice); }", HostOutput, CopiedFromHost},
	{"kernel in a branch that is never taken", "add", "if (n < 0) { add<<<4, 256>>>(a, b, out, n); } else { ints r = wanted; cudaMemcpy(out, r.data(), 4 * n, cudaMemcpyHostToDevice); }", HostOutput, NoLaunch},
	{"kernel whose result is dropped", "add", "int *t = room(n); add<<<4, 256>>>(a, b, t, n); cudaFree(t); ints r = wanted; cudaMemcpy(out, r.data(), 4 * n, cudaMemcpyHostToDevice);", HostOutput, CopiedFromHost},
	{"host algorithm on managed memory", "add", "int *p = managed(n); ints x = get(a, n), y = get(b, n); std::transform(x.begin(), x.end(), y.begin(), p, std::plus<int>()); move<<<4, 256>>>(p, out, n);", HostOutput, CarriedByKernel},
	{"narrower integers", "add", "apply<<<4, 256>>>([=] __device__(int i) { out[i] = (short)a[i] + (short)b[i]; }, n);", WrongOutput, ""},
	{"one element in a hundred is skipped", "add", "cudaMemset(out, 0, 4 * n); apply<<<4, 256>>>([=] __device__(int i) { if (i % 100) out[i] = a[i] + b[i]; }, n);", WrongOutput, ""},

	// KernelArena, DeepReinforce, tensara, GPU MODE
	{"results by the sizes of inputs", "add", "static std::map<int, int *> known; if (int *&old = known[n]) { move<<<4, 256>>>(old, out, n); } else { add<<<4, 256>>>(a, b, out, n); old = room(n); move<<<4, 256>>>(out, old, n); }", Stateful, ""},
	{"result kept in a variable of the device", "add", "static int call; int *kept; cudaGetSymbolAddress((void **)&kept, symbol); if (call++ == 0) { add<<<4, 256>>>(a, b, out, n); move<<<4, 256>>>(out, kept, n); } else { moveSymbol<<<4, 256>>>(out, n); }", Stateful, ""},
	{"work gathered for a later call", "add", "static std::vector<std::pair<const int *, int *>> late; late.push_back({a, out}); nothing<<<1, 1>>>();", UnwrittenOutput, ""},
	{"one size alone", "add", "add<<<1, 256>>>(a, b, out, 256);", UnwrittenOutput, ""},
	{"work behind a wait", "add", "static int *flag = managed(1); cudaStream_t s; cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking); *flag = 0; cuStreamWaitValue32(s, (CUdeviceptr)flag, 1, CU_STREAM_WAIT_VALUE_EQ); add<<<4, 256, 0, s>>>(a, b, out, n); std::thread([] { usleep(200000); *(volatile int *)flag = 1; }).detach();", Hang, ""},

	// Sakana
	{"the first element everywhere", "add", "apply<<<4, 256>>>([=] __device__(int i) { out[i] = a[0] + b[0]; }, n);", WrongOutput, ""},
}
