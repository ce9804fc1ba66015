package report

import (
	"bytes"
	"os"
	"testing"

	"github.com/warpgrind/warpgrind/internal/source"
)

// FuzzRead renders whatever Read takes for a report in every form.
func FuzzRead(f *testing.F) {
	b, err := os.ReadFile("testdata/full.json")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(b)
	f.Add([]byte(`{"schema":1,"findings":[{"rule":"bank","level":"info","details":{"histogram":[-1]},"related":[{}],"members":[{},{}]}],"stats":{"bank":[{"sites":[{"location":{"line":1}}]}]}}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		r, err := Read(bytes.NewReader(b), "r.json")
		if err != nil {
			return
		}
		o := Options{Dir: "/src", Files: &source.Files{}, Before: r}
		r.Unpack(o)
		for _, format := range Formats() {
			if err := Write(&bytes.Buffer{}, r, format, o); err != nil {
				t.Errorf("%s: %v", format, err)
			}
		}
	})
}
