package suite

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/warpgrind/warpgrind/internal/capsule"
	"github.com/warpgrind/warpgrind/internal/userfile"
)

// Job is one check.
type Job struct {
	// ID is made from the contents of the input and from the flags, Name from the input's name.
	ID   string `json:"id"`
	Name string `json:"name"`
	// Args is the command line of warpgrind, without what concerns the report.
	Args []string `json:"args"`
	// Input is the capsule or program, Needs the files that a capsule consists of besides it.
	Input string   `json:"input"`
	Needs []string `json:"needs,omitempty"`
}

// Plan is all that there is to do.
type Plan struct {
	// Suite is made from the jobs' IDs.
	Suite string `json:"suite"`
	Jobs  []Job  `json:"jobs"`
}

// Of is which plan a job is of: its suite, and how many jobs that has.
type Of struct {
	Suite string
	Count int
}

// Flag is what --job takes: with it the result of the job names what it is of.
func (p *Plan) Flag(j *Job) string {
	return fmt.Sprintf("%s:%d:%s:%s", p.Suite, len(p.Jobs), j.ID, j.Name)
}

// ParseJob reads what Flag has written.
func ParseJob(text string) (Job, Of, error) {
	part := strings.SplitN(text, ":", 4)
	if len(part) == 4 {
		if n, err := strconv.Atoi(part[1]); err == nil && n > 0 && part[0] != "" && part[2] != "" {
			return Job{ID: part[2], Name: part[3]}, Of{part[0], n}, nil
		}
	}
	return Job{}, Of{}, fmt.Errorf("--job %q: want SUITE:JOBS:ID:NAME, as warpgrind plan writes it", text)
}

// Split is how the work is divided beyond one job for each capsule and program. A piece of it
// is a check of its own, so that what needs all pieces together is not found.
type Split struct {
	// Tools gives each rule a job. Seeds adds jobs with that many random schedules. Blocks
	// divides each capsule's blocks among that many jobs, for the rules that PerBlock names;
	// the others have a job for the whole launch.
	Tools  bool
	Seeds  int
	Blocks int
	// Rules are the rules that a --tool value means, in order.
	Rules    func(tools string) ([]string, error)
	PerBlock func(rule string) bool
	// Flags go to each job; Tool is the value of --tool among them, "" for none.
	Flags []string
	Tool  string
}

// maxPieces bounds the seeds and the pieces of a launch.
const maxPieces = 1 << 16

// ParseSplit reads what --split takes into s: "tool", "seeds=N" and "blocks=N".
func (s *Split) ParseSplit(list []string) error {
	for _, x := range list {
		name, value, given := strings.Cut(x, "=")
		n, err := strconv.Atoi(value)
		switch {
		case name == "tool" && !given:
			s.Tools = true
			continue
		case !given || err != nil || n < 1 || n > maxPieces:
		case name == "seeds":
			s.Seeds = n
			continue
		case name == "blocks":
			s.Blocks = n
			continue
		}
		return fmt.Errorf("--split %q: want tool, seeds=N or blocks=N", x)
	}
	return nil
}

// NewPlan lists the jobs of capsules, directories with capsules, and programs.
func NewPlan(inputs []string, s *Split) (*Plan, error) {
	p := &Plan{}
	for _, in := range inputs {
		files, err := expand(in)
		if err != nil {
			return nil, err
		}
		for _, f := range files {
			if err := p.add(f, s); err != nil {
				return nil, err
			}
		}
	}
	if len(p.Jobs) == 0 {
		return nil, errors.New("no input: name capsules, directories with capsules, or programs")
	}
	all := sha256.New()
	for _, id := range p.number() {
		io.WriteString(all, id+"\n")
	}
	p.Suite = hex.EncodeToString(all.Sum(nil)[:6])
	return p, nil
}

// number makes the IDs different, in order, where the same work is named twice.
func (p *Plan) number() []string {
	seen := map[string]int{}
	var ids []string
	for i := range p.Jobs {
		j := &p.Jobs[i]
		if seen[j.ID]++; seen[j.ID] > 1 {
			j.ID = fmt.Sprintf("%s-%d", j.ID, seen[j.ID])
		}
		ids = append(ids, j.ID)
	}
	slices.Sort(ids)
	return ids
}

// expand lists the capsules below a directory, in order; another input stands for itself.
func expand(in string) ([]string, error) {
	st, err := os.Stat(in)
	if err != nil {
		return nil, bare(in, err)
	}
	if !st.IsDir() {
		return []string{in}, nil
	}
	var out []string
	err = filepath.WalkDir(in, func(path string, d os.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && d.Name() == "objects" && path != in:
			return filepath.SkipDir
		case !d.IsDir() && isCapsule(path):
			out = append(out, path)
		}
		return nil
	})
	if err == nil && len(out) == 0 {
		err = fmt.Errorf("%s: no capsules (launch-*.json) in there", in)
	}
	return out, err
}

func bare(name string, err error) error {
	var p *os.PathError
	if errors.As(err, &p) {
		return fmt.Errorf("%s: %w", name, p.Err)
	}
	return err
}

// isCapsule goes by the name that a recording gives.
func isCapsule(file string) bool {
	return filepath.Ext(file) == ".json" && strings.HasPrefix(filepath.Base(file), "launch-")
}

// add adds the jobs of one input.
func (p *Plan) add(file string, s *Split) error {
	in := input{file: filepath.ToSlash(filepath.Clean(file)), command: "run", tool: s.Tool}
	digest, err := hashOf(file)
	if err != nil {
		return err
	}
	in.digest = digest
	if filepath.Ext(file) == ".json" {
		c, err := capsule.Open(file)
		if err != nil {
			return err
		}
		in.command, in.blocks, in.needs = "replay", c.Launch.Grid.Size(), c.Files()
		if c.Launch.Blocks != nil || c.Launch.Cluster.Size() > 1 || c.Launch.Cooperative || c.Launch.Children != nil {
			in.blocks = 0 // not to be divided
		}
		if in.tool == "" {
			in.tool = c.Settings.Tools
		}
		if err := c.Close(); err != nil {
			return err
		}
	}
	return p.pieces(&in, s)
}

// input is a capsule or program. blocks is how many blocks a launch has that can be divided.
type input struct {
	file, command, digest, tool string
	blocks                      uint64
	needs                       []string
}

// pieces adds the jobs that an input is divided into.
func (p *Plan) pieces(in *input, s *Split) error {
	tools, err := s.toolSets(in)
	if err != nil {
		return err
	}
	for _, t := range tools {
		for seed := range s.Seeds + 1 {
			var flags []string
			var labels []string
			if t.flag != "" {
				flags = append(flags, "--tool", t.flag)
			}
			if t.label != "" {
				labels = append(labels, t.label)
			}
			if seed > 0 {
				flags = append(flags, "--schedule", "random", "--seed", strconv.Itoa(seed))
				labels = append(labels, fmt.Sprintf("seed %d", seed))
			}
			n := uint64(1)
			if t.divided {
				n = min(uint64(s.Blocks), in.blocks)
			}
			for i := range n {
				f, l := flags[:len(flags):len(flags)], labels[:len(labels):len(labels)]
				if n > 1 {
					blocks := fmt.Sprintf("%d-%d", i*in.blocks/n, (i+1)*in.blocks/n-1)
					f, l = append(f, "--only-blocks", blocks), append(l, "blocks "+blocks)
				}
				p.job(in, slices.Concat(s.Flags, f), l)
			}
		}
	}
	return nil
}

// toolSet is rules that are checked in one job; flag is "" where --tool stays as it is.
type toolSet struct {
	flag, label string
	divided     bool
}

// toolSets are the rules of the jobs of an input.
func (s *Split) toolSets(in *input) ([]toolSet, error) {
	divides := s.Blocks > 1 && in.blocks > 1
	if !s.Tools && !divides {
		return []toolSet{{flag: s.Tool}}, nil
	}
	rules, err := s.Rules(in.tool)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", in.file, err)
	}
	var out []toolSet
	var whole, each []string
	for _, r := range rules {
		switch divided := divides && s.PerBlock(r); {
		case s.Tools:
			out = append(out, toolSet{r, r, divided})
		case divided:
			each = append(each, r)
		default:
			whole = append(whole, r)
		}
	}
	for i, list := range [][]string{whole, each} {
		if len(list) > 0 {
			out = append(out, toolSet{strings.Join(list, ","), strings.Join(list, ","), i == 1})
		}
	}
	return out, nil
}

func (p *Plan) job(in *input, flags, labels []string) {
	name := strings.TrimSuffix(in.file, ".json")
	if len(labels) > 0 {
		name += " (" + strings.Join(labels, ", ") + ")"
	}
	h := sha256.New()
	for _, x := range append([]string{in.command, in.digest, filepath.Base(in.file)}, flags...) {
		fmt.Fprintf(h, "%q\n", x)
	}
	p.Jobs = append(p.Jobs, Job{ID: hex.EncodeToString(h.Sum(nil)[:8]), Name: name,
		Args: append(append([]string{in.command}, flags...), in.file), Input: in.file, Needs: in.needs})
}

// hashOf is the hash of a file. A capsule's manifest has the hashes of its objects.
func hashOf(file string) (string, error) {
	hash, err := userfile.Hash(file)
	if err != nil {
		return "", bare(file, err)
	}
	return hash, nil
}
