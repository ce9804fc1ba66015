package clang

import (
	"context"
	"github.com/warpgrind/warpgrind/internal/nvcc"
	"github.com/warpgrind/warpgrind/internal/scratch"
	"os"
	"testing"
)

func TestZZDump(t *testing.T) {
	src := os.Getenv("DUMP")
	if src == "" {
		t.Skip()
	}
	tc, _ := Find("")
	include, _ := Headers()
	dir, rm, _ := scratch.Dir()
	defer rm()
	j := &job{tc: tc, Unit: Unit{Source: src, Lang: nvcc.CUDA, SM: 80}, include: include, dir: dir}
	o, err := j.overlay()
	if err != nil {
		t.Fatal(err)
	}
	ir, w, err := j.deviceIR(context.Background(), o.device, true)
	if err != nil {
		t.Fatal(err)
	}
	os.WriteFile("/tmp/front/0raw.ll", ir, 0o666)
	println(w)
	ir = markParts(alignAccesses(ir))
	ir = nestLaunches(plainDebug(storeSharedAddresses(ir)))
	ir = defineIR(unsetIR(markIR(boundIR(ir, tc.Major), tc.Major, false), tc.Major), tc.Major)
	os.WriteFile("/tmp/front/1mark.ll", ir, 0o666)
	ir, err = j.optimise(context.Background(), ir)
	if err != nil {
		t.Fatal(err)
	}
	os.WriteFile("/tmp/front/2opt.ll", ir, 0o666)
	ptx, err := j.generate(context.Background(), ir)
	if err != nil {
		t.Fatal(err)
	}
	os.WriteFile("/tmp/front/3.ptx", ptx, 0o666)
}
func TestZZPasses(t *testing.T) { tc, _ := Find(""); println(tc.keepPipeline()) }
