package instrument

import (
	"encoding/json"
	"fmt"
	"path/filepath"
)

// checkReport is what is needed of the JSON report of `warpgrind check`: the
// verdicts of GRace's static analyzer on the accesses of each kernel.
type checkReport struct {
	Stats struct {
		Static []struct {
			Sites []checkedSite `json:"sites"`
		} `json:"static"`
	} `json:"stats"`
}

type checkedSite struct {
	Location struct {
		File string `json:"file"`
		Line int    `json:"line"`
	} `json:"location"`
	Kind            string `json:"kind"`  // read, write or atomic
	Space           string `json:"space"` // shared or global, "" if not told
	Verdict         string `json:"verdict"`
	ThreadInvariant bool   `json:"thread_invariant"`
	LoopInvariant   bool   `json:"loop_invariant"`
}

// ParseStatic reads the JSON report of `warpgrind check`, or the form of Static
// itself. Names of files that are not absolute are seen from dir. A program with no
// accesses to shared memory has nothing in it to tell.
func ParseStatic(text []byte, dir string) (*Static, error) {
	s := &Static{}
	var r checkReport
	err := json.Unmarshal(text, s)
	if err == nil {
		err = json.Unmarshal(text, &r)
	}
	if err != nil {
		return nil, fmt.Errorf("static results: %w", err)
	}
	for _, k := range r.Stats.Static {
		for _, site := range k.Sites {
			if site.Space != "global" {
				s.Sites = append(s.Sites, site.verdict())
			}
		}
	}
	if len(s.Sites) == 0 && len(r.Stats.Static) == 0 {
		return nil, fmt.Errorf("static results: no kernels in them: want the report of warpgrind check --tool race --format json")
	}
	for i, v := range s.Sites {
		if !filepath.IsAbs(v.File) {
			s.Sites[i].File = filepath.Join(dir, v.File)
		}
	}
	return s, nil
}

// verdict leaves the column out: the compiler's positions are those of
// instructions, not of expressions. All accesses of a line and kind are judged
// together. What is proved to race is watched, so that it is seen happening.
func (s checkedSite) verdict() Verdict {
	v := Verdict{File: s.Location.File, Line: s.Location.Line, Safe: s.Verdict == "safe",
		ThreadInvariant: s.ThreadInvariant, LoopInvariant: s.LoopInvariant}
	if s.Kind != "atomic" {
		v.Kind = s.Kind
	}
	return v
}
