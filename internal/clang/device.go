package clang

import (
	"context"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/warpgrind/warpgrind/internal/clang/cutext"
	"github.com/warpgrind/warpgrind/internal/clang/irtext"
	"github.com/warpgrind/warpgrind/internal/clang/passes"
	"github.com/warpgrind/warpgrind/internal/nvcc"
)

// Mode says what is done to device code.
type Mode int

const (
	// SourceKeeping keeps every access of the source to shared, global and
	// constant memory, and optimizes arithmetic and local variables.
	SourceKeeping Mode = iota
	// Optimized is clang's -O3.
	Optimized
)

// String returns the build's name, as in Result.Build and Meta.Build.
func (m Mode) String() string {
	if m == Optimized {
		return "optimized"
	}
	return "source"
}

// keepPasses is opt's pipeline for the source-keeping build: inlining, with
// simplification of callees before their callers, promotion of locals,
// address-space inference, scalar and loop clean-up. Left out is what would
// copy or join control flow around accesses: jump threading, unrolling that
// the source does not have, vectorization, hoisting and sinking of common code.
// Functions are put into their callers bottom-up first, each with its variables promoted: a kernel of
// CUTLASS has hundreds of thousands of variables else, and sroa takes quadratic time in their number. That leaves
// calls where functions that are always inlined call each other.
const keepPasses = "cgscc(inline,function<eager-inv>(sroa)),always-inline,cgscc(devirt<4>(inline,function<eager-inv>(sroa,infer-address-spaces,early-cse," + keepCFG + ",instcombine)))," + keepRest

const keepRest = "function(infer-address-spaces,sroa,early-cse," + keepCFG + ",instcombine," +
	"loop-simplify,lcssa,loop-mssa(loop-rotate,licm)," + keepCFG + ",instcombine," +
	"loop(indvars,loop-deletion),loop-unroll<O2;no-partial;no-runtime;no-upperbound;no-peeling;no-profile-peeling>," +
	"instcombine,sroa,instcombine,lower-constant-intrinsics,sroa,infer-address-spaces,early-cse,gvn,sccp,bdce,instcombine," +
	"loop-mssa(licm),reassociate,early-cse," + keepCFG + ",instcombine,adce)," +
	"globaldce"

// keepPipeline returns keepPasses in the spelling of this version of opt:
// from LLVM 18 on instcombine insists by default on being done in one
// iteration, and fails if it is not.
func (tc *Toolchain) keepPipeline() string {
	if tc.Major < 18 {
		return keepPasses
	}
	return strings.ReplaceAll(keepPasses, "instcombine", "instcombine<no-verify-fixpoint>")
}

// keepCFG simplifies control flow without moving code between branches.
const keepCFG = "simplifycfg<no-hoist-common-insts;no-sink-common-insts;no-switch-to-lookup>"

// keepOptFlags hold for all passes. A loop is unrolled only where a pragma
// asks for it.
var keepOptFlags = []string{
	"-hoist-common-insts=false", "-sink-common-insts=false",
	"-unroll-threshold=1", "-unroll-full-max-count=4096", "-pragma-unroll-threshold=65536",
}

// llcFlags keep llc from joining or copying code.
var llcFlags = []string{
	"-O2", "-asm-verbose=false", "-enable-tail-merge=0", "-disable-early-taildup",
	"-disable-tail-duplicate", "-tail-dup-placement=0",
}

// longNames has opt and llc read what clang and opt write: these cut names of values after 1024 bytes and
// then add a number to a name that is taken, and a longer one is refused.
const longNames = "-non-global-value-max-name-size=1048576"

// devicePTX compiles the device side of one CUDA source to PTX. The second
// result is the compiler's warnings.
func (j *job) devicePTX(ctx context.Context, overlay []string) (ptx []byte, warnings string, err error) {
	// Launches, and addresses of shared variables, are to be seen before
	// anything is optimized.
	raw := j.Mode == SourceKeeping || j.Diagnose || j.Coverage || slices.Contains(overlay, childGridsDefine)
	ir, warnings, err := j.deviceIR(ctx, overlay, raw)
	if err == nil && !raw && passes.HasSharedConstants(irtext.Parse(ir)) {
		raw = true
		ir, warnings, err = j.deviceIR(ctx, overlay, raw)
	}
	if err != nil {
		return nil, "", err
	}
	m, state := irtext.Parse(ir), j.passState()
	if j.Diagnose {
		dir, err := os.Getwd()
		if err != nil {
			return nil, "", err
		}
		j.diagnostics, warnings = diagnostics(warnings, dir, m)
	}
	passes.Run(passes.Read, m, state)
	passes.Run(passes.BeforeOpt, m, state)
	if raw {
		if m, err = j.optimize(ctx, m); err != nil {
			return nil, "", err
		}
	}
	ptx, err = j.generate(ctx, m, state)
	return state.Annotate(ptx), warnings, err
}

func (j *job) passState() *passes.State {
	return &passes.State{KeepSource: j.Mode == SourceKeeping, RDC: j.RDC, Assumptions: j.Diagnose, Major: j.tc.Major, SM: j.SM}
}

// deviceIR is the device side as LLVM IR, raw or as the mode optimizes it, and
// the compiler's warnings.
func (j *job) deviceIR(ctx context.Context, overlay []string, raw bool) (ir []byte, warnings string, err error) {
	args := append(j.cudaArgs(), overlay...)
	if j.Diagnose {
		args = append(args, diagnoseFlags...)
	}
	if j.Diagnose || j.Messages {
		args = append(args, messageFlags...)
	}
	if j.Messages { // NVRTC warns of these without being asked
		args = append(args, "-Wunused-variable")
	}
	args = append(args, deviceSide, "-gline-directives-only", "-fno-discard-value-names", "-Xclang", "-debug-info-kind=limited", "-Xclang", "-fdebug-info-for-profiling")
	args = append(args, archMacros(j.Flags.Arch, j.SM)...)
	// "int p; if (leader) p = ...; p = __shfl_sync(m, p, 0)" propagates what was never
	// set, in lanes that do not need it: nvcc leaves it at that, clang would take
	// the condition for true.
	args = append(args, "-Xclang", "-no-enable-noundef-analysis")
	if j.Coverage { // the driver takes its flags for the host side only
		args = append(args, "-Xclang", "-fprofile-instrument=clang", "-Xclang", "-fcoverage-mapping")
	}
	if j.Mode == Optimized {
		args = append(args, "-O3")
	} else {
		args = append(args, "-O1", "-fno-delete-null-pointer-checks",
			"-fno-strict-return", "-fno-finite-loops", "-fno-strict-float-cast-overflow")
		if !raw { // the pass align reads what it says, and takes it off
			args = append(args, "-fno-strict-aliasing")
		}
	}
	if raw {
		args = append(args, "-Xclang", "-disable-llvm-passes")
	}
	ir, diag, err := j.clang(ctx, args, append(depFlags(j.file("device.d")), "-S", "-emit-llvm", "-o", "-"))
	switch {
	case err == nil:
		return cutext.RestoreNames(ir), string(diag), nil
	case ctx.Err() != nil:
		return nil, "", ctx.Err()
	}
	return nil, "", refused(j.Source, "device", err, string(diag))
}

// overwriteFreed has the C library of GNU overwrite memory that is freed. LLVM 19's infer-address-spaces
// deletes dead instructions that it has deleted with others before; overwritten ones
// look used, and are left alone.
const overwriteFreed = "GLIBC_TUNABLES=glibc.malloc.perturb=85:glibc.malloc.tcache_count=0"

// optimize runs opt.
func (j *job) optimize(ctx context.Context, m *irtext.Module) (*irtext.Module, error) {
	flags := []string{"-S", longNames, "-passes=default<O3>"}
	if j.Mode == SourceKeeping {
		flags = append([]string{"-S", longNames, "-passes=" + j.tc.keepPipeline()}, keepOptFlags...)
	}
	out, diag, err := runTool(ctx, m.Bytes(), j.tc.Opt, flags...)
	if crashed(err) {
		out, diag, err = runTool(ctx, m.Bytes(), "env", slices.Concat([]string{overwriteFreed, j.tc.Opt}, flags)...)
	}
	if err != nil {
		return nil, failed(err, j.tc.Opt, j.Source, diag)
	}
	return irtext.Parse(out), nil
}

// generate runs llc on optimized IR and finishes its PTX.
func (j *job) generate(ctx context.Context, m *irtext.Module, state *passes.State) ([]byte, error) {
	passes.Run(passes.BeforeLLC, m, state)
	args := append([]string{"-mcpu=sm_" + strconv.Itoa(j.SM), "-mattr=" + ptxFeature(j.SM)}, llcFlags...)
	if j.Mode == Optimized {
		args = []string{"-mcpu=sm_" + strconv.Itoa(j.SM), "-mattr=" + ptxFeature(j.SM), "-O3", "-asm-verbose=false"}
	}
	args = append(args, longNames)
	if j.PlainAddresses { // llc's own passes over LLVM IR
		args = append(args, "-O0")
	}
	out, diag, err := runTool(ctx, m.Bytes(), j.tc.LLC, append(args, j.Flags.LLC...)...)
	if err != nil {
		return nil, failed(err, j.tc.LLC, j.Source, diag)
	}
	return retarget(state.FinishPTX(out, []string{j.tc.ResourceDir + "/", j.include + "/"}), j.number()), nil
}

// cudaArgs are clang's arguments for a CUDA source, host and device side. The CUDA headers come last, as
// nvcc's own do: a header library that the program names by -isystem is used whole.
func (j *job) cudaArgs() []string {
	args := []string{"-x", "cuda", "--cuda-gpu-arch=sm_" + strconv.Itoa(j.SM), "--cuda-feature=" + ptxFeature(j.SM),
		"-nocudainc", "-nocudalib", "-Xclang", "-target-sdk-version=" + j.tc.sdkVersion(),
		"-isystem", j.tc.ResourceDir + "/include/cuda_wrappers",
		j.archList(),
	}
	return slices.Concat(args, prelude, quietFlags, cudaQuiet, libraryFlags, j.Flags.Both, []string{"-isystem", j.include})
}

// archList defines the macro with the architectures that are compiled for, the same on both sides
// ("NVIDIA CUDA Compiler Driver", "__CUDA_ARCH_LIST__").
func (j *job) archList() string {
	all := []int{j.number()}
	for _, name := range j.Others {
		n, _ := splitArch(name)
		all = append(all, max(n, oldestArch))
	}
	slices.Sort(all)
	var values []string
	for _, sm := range slices.Compact(all) {
		values = append(values, strconv.Itoa(10*sm))
	}
	return "-D__CUDA_ARCH_LIST__=" + strings.Join(values, ",")
}

// sdkVersion returns a CUDA version that clang knows. It decides the form of
// the host's launch calls, which is the same from 10.1 on.
func (tc *Toolchain) sdkVersion() string {
	if tc.Major < 18 {
		return "11.5"
	}
	return "12.3"
}

// hostArgs are clang's arguments for a C or C++ source.
func (j *job) hostArgs() []string {
	lang := "c++"
	if j.Lang == nvcc.C {
		lang = "c"
	}
	args := slices.Concat([]string{"-x", lang}, quietFlags, libraryFlags)
	for _, a := range j.Flags.Both {
		if j.Lang == nvcc.C && strings.HasPrefix(a, "-std=") && strings.Contains(a, "++") || strings.HasPrefix(a, "-fgpu-") {
			continue
		}
		args = append(args, a)
	}
	return append(args, "-isystem", j.include)
}

// cudaQuiet lets kernels be variadic functions, as nvcc does.
var cudaQuiet = []string{"-Xclang", "-fcuda-allow-variadic-functions"}

// quietFlags turn off warnings and errors about what nvcc accepts.
var quietFlags = []string{
	"-Wno-unknown-cuda-version", "-Wno-reserved-user-defined-literal", "-Wno-register",
	"-Wno-pass-failed", "-Wno-unknown-pragmas", "-Wno-ignored-attributes", "-Wno-invalid-noreturn",
	"-Wno-writable-strings", "-Wno-narrowing", "-Wno-c++11-narrowing", "-Wno-unused-command-line-argument",
	"-Wno-unused-value", "-Wno-vla-cxx-extension", "-Wno-unknown-warning-option", "-Wno-deprecated-declarations",
	"-Wno-ignored-optimization-argument", "-Wno-invalid-constexpr",
}
