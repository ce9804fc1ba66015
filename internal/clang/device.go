package clang

import (
	"context"
	"fmt"
	"strconv"
	"strings"
)

// Mode says what is done to device code.
type Mode int

const (
	// SourceKeeping keeps every access of the source to shared, global and
	// constant memory, and optimises arithmetic and local variables.
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
// nobody asked for, vectorisation, hoisting and sinking of common code.
const keepPasses = "always-inline," +
	"cgscc(devirt<4>(inline,function<eager-inv>(sroa,infer-address-spaces,early-cse," + keepCFG + ",instcombine)))," +
	"function(infer-address-spaces,sroa,early-cse," + keepCFG + ",instcombine," +
	"loop-simplify,lcssa,loop-mssa(loop-rotate,licm)," + keepCFG + ",instcombine," +
	"loop(indvars,loop-deletion),loop-unroll<O2;no-partial;no-runtime;no-upperbound;no-peeling;no-profile-peeling>," +
	"sroa,infer-address-spaces,early-cse,gvn,sccp,bdce,instcombine," +
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

// devicePTX compiles the device side of one CUDA source to PTX. The second
// result is the compiler's warnings.
func (b *build) devicePTX(ctx context.Context, src string, overlay []string) (ptx []byte, warnings string, err error) {
	args := append(b.cudaArgs(), overlay...)
	args = append(args, "--cuda-device-only", "-S", "-emit-llvm", "-gline-directives-only", "-Xclang", "-fdebug-info-for-profiling", "-o", "-")
	if b.opts.Mode == Optimized {
		args = append(args, "-O3")
	} else {
		args = append(args, "-O1", "-Xclang", "-disable-llvm-passes", "-fno-delete-null-pointer-checks",
			"-fno-strict-return", "-fno-finite-loops", "-fno-strict-aliasing")
	}
	ir, diag, err := runTool(ctx, nil, b.tc.Clang, append(args, src)...)
	if err != nil {
		if ctx.Err() != nil {
			return nil, "", ctx.Err()
		}
		return nil, "", &CompileError{Source: src, Stage: "device", Text: string(diag)}
	}
	if b.opts.Mode == SourceKeeping {
		if ir, err = b.optimise(ctx, src, markIR(ir, b.tc.Major)); err != nil {
			return nil, "", err
		}
	}
	ptx, err = b.generate(ctx, src, ir)
	return ptx, string(diag), err
}

// optimise runs opt on marked IR.
func (b *build) optimise(ctx context.Context, src string, ir []byte) ([]byte, error) {
	args := append([]string{"-S", "-passes=" + b.tc.keepPipeline()}, keepOptFlags...)
	out, diag, err := runTool(ctx, ir, b.tc.Opt, args...)
	if err != nil {
		return nil, failed(err, b.tc.Opt, src, diag)
	}
	return out, nil
}

// generate runs llc on IR and finishes its PTX.
func (b *build) generate(ctx context.Context, src string, ir []byte) ([]byte, error) {
	lowered, locs := lowerIR(ir, b.sm)
	args := append([]string{"-mcpu=sm_" + strconv.Itoa(b.sm), "-mattr=" + ptxFeature(b.sm)}, llcFlags...)
	if b.opts.Mode == Optimized {
		args = []string{"-mcpu=sm_" + strconv.Itoa(b.sm), "-mattr=" + ptxFeature(b.sm), "-O3", "-asm-verbose=false"}
	}
	out, diag, err := runTool(ctx, lowered, b.tc.LLC, append(args, b.nvcc.llc...)...)
	if err != nil {
		return nil, failed(err, b.tc.LLC, src, diag)
	}
	system := []string{b.tc.ResourceDir + "/", b.include + "/"}
	return finishPTX(out, locs, b.opts.Mode == SourceKeeping, system), nil
}

// cudaArgs are clang's arguments for a CUDA source, host and device side.
func (b *build) cudaArgs() []string {
	args := []string{"-x", "cuda", "--cuda-gpu-arch=sm_" + strconv.Itoa(b.sm), "--cuda-feature=" + ptxFeature(b.sm),
		"-nocudainc", "-nocudalib", "-Xclang", "-target-sdk-version=" + b.tc.sdkVersion(),
		"-isystem", b.tc.ResourceDir + "/include/cuda_wrappers", "-isystem", b.include,
		"-include", "cuda_runtime.h"}
	args = append(args, quietFlags...)
	return append(args, b.userArgs()...)
}

// sdkVersion returns a CUDA version that clang knows. It decides the form of
// the host's launch calls, which is the same from 10.1 on.
func (tc *Toolchain) sdkVersion() string {
	if tc.Major < 18 {
		return "11.5"
	}
	return "12.3"
}

// quietFlags turn off warnings and errors about what nvcc accepts.
var quietFlags = []string{
	"-Wno-unknown-cuda-version", "-Wno-reserved-user-defined-literal", "-Wno-register",
	"-Wno-pass-failed", "-Wno-unknown-pragmas", "-Wno-ignored-attributes",
	"-Wno-writable-strings", "-Wno-narrowing", "-Wno-c++11-narrowing", "-Wno-unused-command-line-argument",
	"-Wno-unused-value", "-Wno-vla-cxx-extension", "-Wno-unknown-warning-option", "-Wno-deprecated-declarations",
	"-Xclang", "-fcuda-allow-variadic-functions",
}

// userArgs are the options that concern every C++ source.
func (b *build) userArgs() []string {
	var args []string
	for _, d := range b.opts.Includes {
		args = append(args, "-I"+d)
	}
	for _, d := range b.opts.Defines {
		args = append(args, "-D"+d)
	}
	if b.opts.Std != "" {
		args = append(args, "-std="+b.opts.Std)
	}
	return append(args, b.nvcc.compile...)
}

// optLevel returns the host's -O flag.
func (b *build) optLevel() string {
	switch {
	case b.opts.Opt != "":
		return fmt.Sprintf("-O%s", trimO(b.opts.Opt))
	case b.nvcc.opt != "":
		return "-O" + b.nvcc.opt
	}
	return "-O2"
}
