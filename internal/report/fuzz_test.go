package report

import (
	"bytes"
	"os"
	"testing"

	"github.com/warpgrind/warpgrind/internal/finding"
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

// FuzzSanitizerXML: whatever a file of suppressions is, it is read or refused.
func FuzzSanitizerXML(f *testing.F) {
	f.Add([]byte(`<ComputeSanitizerOutput><record><kind>Api</kind><what><api>cuda.*</api><result>2</result></what></record></ComputeSanitizerOutput>`))
	f.Add([]byte("<![CDATA[\n<ComputeSanitizerOutput/>]]>"))
	f.Fuzz(func(_ *testing.T, text []byte) {
		records, err := ReadSanitizerXML(bytes.NewReader(text))
		if err != nil {
			return
		}
		for _, r := range records {
			r.Matches(&finding.Finding{Rule: "api", Details: map[string]any{"call": "cudaMalloc", "error": "e"}})
		}
	})
}
