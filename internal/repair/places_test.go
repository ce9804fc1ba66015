package repair_test

import (
	"strings"
	"testing"

	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/repair"
	"github.com/warpgrind/warpgrind/internal/repair/code"
	"github.com/warpgrind/warpgrind/internal/source"
)

// placesText has pairs of accesses, /*a*/ before /*z*/, in places where a barrier is easily put wrong.
const placesText = `__global__ void cases(int *s, int n) {
    switch (n) {
    case 0:
        /*a0*/ s[threadIdx.x] = 1;
        /*z0*/ s[threadIdx.x + 64] = s[threadIdx.x + 1];
        break;
    }
}
__global__ void parts(int *s, int n) {
#ifdef OTHER
    s[threadIdx.x] = 2;
#else
    /*a1*/ s[threadIdx.x] = 1;
#endif
    /*z1*/ s[threadIdx.x + 64] = s[threadIdx.x + 1];
}
__global__ void remarks(int *s, int n) {
    /*a2*/ s[threadIdx.x] = 1; /* in two
       lines */
    /*z2*/ s[threadIdx.x + 64] = s[threadIdx.x + 1];
}
__global__ void bare(int *s, int n) {
#pragma unroll
    for (int d = 16; d > 0; d /= 2)
        if (threadIdx.x < d) /*a3*/ s[threadIdx.x] += s[threadIdx.x + d];
}
__global__ void nest(int *s, int n) {
    if (n > 3) { if (n > 4) { /*a4*/ s[threadIdx.x] = 1; /*z4*/ s[threadIdx.x + 64] = s[threadIdx.x + 1]; } }
}
__device__ int help(int *s, int v) { return s[v]; }
__global__ void calls(int *s, int n) {
    n = /*a5*/ help(s, 1) + /*z5*/ help(s, 2);
}
int main() { return 0; }
`

// TestPlaces: a barrier stands behind a label with its statement's indentation, in no part that the preprocessor may leave out, behind a
// comment, in no branch without braces, within a nest of braces of one line, and between two calls of one statement.
func TestPlaces(t *testing.T) {
	p, file, texts := programOf(t, placesText)
	for _, c := range []struct {
		from, to string
		call     string
		next     bool
		want     string
	}{
		{"a0", "z0", finding.Syncthreads, false, "= 1;\n        __syncthreads();\n        /*z0*/"},
		{"a1", "z1", finding.Syncthreads, false, "#endif\n    __syncthreads();\n    /*z1*/"},
		{"a2", "z2", finding.Syncthreads, false, "lines */\n    __syncthreads();\n    /*z2*/"},
		{"a3", "a3", finding.Syncwarp, true, "d /= 2) {\n        if (threadIdx.x < d) /*a3*/ s[threadIdx.x] += s[threadIdx.x + d];\n        __syncwarp();\n    }"},
		{"a4", "z4", finding.Syncthreads, false, "= 1; __syncthreads(); /*z4*/"},
		{"a5", "z5", finding.Syncthreads, false, "auto first32 = help(s, 1);\n    __syncthreads();\n    n = /*a5*/ first32 + /*z5*/ help(s, 2);"},
	} {
		from, to := atIn(t, placesText, file, c.from), atIn(t, placesText, file, c.to)
		f := &finding.Finding{Rule: "race", Primary: finding.Place{Loc: source.Location{Pos: to}}, Related: []finding.Place{{Loc: source.Location{Pos: from}}},
			Repair: &finding.Repair{Kind: map[string]finding.RepairKind{finding.Syncthreads: finding.AddBarrier, finding.Syncwarp: finding.AddSyncwarp}[c.call],
				Call: c.call, From: &finding.Point{Pos: from}, To: &finding.Point{Pos: to}, Next: c.next}}
		all := repair.Candidates(p, f)
		if len(all) == 0 {
			t.Errorf("%s: no candidate: %s", c.from, repair.WhyNone(p, f))
			continue
		}
		if got := string(code.Apply(texts, all[:1], false)[file]); !strings.Contains(got, c.want) {
			t.Errorf("%s: %s:\n%s\nwant %s", c.from, all[0].What, got, c.want)
		}
	}
}
