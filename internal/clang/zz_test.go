package clang

import (
	"context"
	"fmt"
	"os"
	"testing"
	"time"
)

func TestZZ(t *testing.T) {
	src := os.Getenv("ZZ")
	if src == "" {
		t.Skip()
	}
	tc, err := Find("")
	if err != nil {
		t.Fatal(err)
	}
	if os.Getenv("ZZIR") != "" {
		b, err := tc.newBuild(Options{Sources: []string{src}, WorkDir: "/tmp/cl/h"})
		if err != nil {
			t.Fatal(err)
		}
		args := append(b.cudaArgs(), "--cuda-device-only", "-S", "-emit-llvm", "-gline-directives-only", "-o", "-", "-O1", "-Xclang", "-disable-llvm-passes", "-fno-delete-null-pointer-checks",
			"-fno-strict-return", "-fno-finite-loops", "-fno-strict-aliasing", src)
		ir, diag, err := runTool(context.Background(), nil, tc.Clang, args...)
		fmt.Println(string(diag), err)
		os.WriteFile("/tmp/cl/1.ll", ir, 0o666)
		mk := markIR(ir)
		os.WriteFile("/tmp/cl/2.ll", mk, 0o666)
		op, err := b.optimise(context.Background(), src, mk)
		fmt.Println(err)
		os.WriteFile("/tmp/cl/3.ll", op, 0o666)
		lo, _ := lowerIR(op, b.sm)
		os.WriteFile("/tmp/cl/4.ll", lo, 0o666)
		fmt.Println(keepPasses, keepOptFlags)
		return
	}
	m := SourceKeeping
	if os.Getenv("ZZO") != "" {
		m = Optimized
	}
	for range 2 {
		t0 := time.Now()
		r, err := tc.Build(context.Background(), Options{Sources: []string{src}, Mode: m, WorkDir: "/tmp/cl/h", DeviceOnly: os.Getenv("ZZX") == ""})
		if err != nil {
			t.Fatal(err)
		}
		fmt.Println(time.Since(t0), r.Exe, r.Warnings)
		if os.Getenv("ZZQ") == "" {
			os.Stdout.Write(r.Devices[0].PTX)
		}
		if os.Getenv("ZZT") == "" {
			break
		}
	}
}
