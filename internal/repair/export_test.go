package repair

import (
	"path"
	"reflect"
	"runtime"

	"github.com/warpgrind/warpgrind/internal/finding"
)

// MakerName names a maker: "order.Hoist".
func MakerName(m maker) string {
	return path.Base(runtime.FuncForPC(reflect.ValueOf(m).Pointer()).Name())
}

// MakerFor names the maker of the patches for a finding.
func MakerFor(f *finding.Finding) string { return MakerName(makerFor(f)) }

// Makers are the names of the catalog's makers, those of performance rules included, by the kind of repair.
func Makers() map[finding.RepairKind][]string {
	out := map[finding.RepairKind][]string{}
	for kind, r := range catalog {
		for _, m := range []maker{r.make, r.faster} {
			if m != nil {
				out[kind] = append(out[kind], MakerName(m))
			}
		}
	}
	return out
}
