package report

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/visible"
)

// SanitizerRecord is a finding as compute-sanitizer's XML has it (Compute Sanitizer User
// Manual, "Error suppression"). Read from a file of suppressions it matches the findings that
// agree with all that it says.
type SanitizerRecord struct {
	XMLName xml.Name       `xml:"record"`
	Kind    string         `xml:"kind"`
	Level   string         `xml:"level,omitempty"`
	Who     *sanitizerWho  `xml:"who"`
	What    sanitizerWhat  `xml:"what"`
	Where   *sanitizerSite `xml:"where"`
	// And is the second place of a race.
	And *sanitizerSite `xml:"and>where,omitempty"`
	// Line is where the record begins in the file it was read from.
	Line int `xml:"-"`
}

type sanitizerWho struct {
	Thread *xmlCoord `xml:"threadIdx"`
	Block  *xmlCoord `xml:"blockIdx"`
}

type xmlCoord struct {
	X uint32 `xml:"x"`
	Y uint32 `xml:"y"`
	Z uint32 `xml:"z"`
}

// sanitizerWhat says what is wrong. Text is for people.
type sanitizerWhat struct {
	Text      string `xml:"text,omitempty"`
	Space     string `xml:"space,omitempty"`
	Size      int    `xml:"size,omitempty"`
	Direction string `xml:"direction,omitempty"`
	API       string `xml:"api,omitempty"`
	Error     string `xml:"error,omitempty"`
	Message   string `xml:"message,omitempty"`
	Result    int    `xml:"result,omitempty"`
	Address   string `xml:"address,omitempty"`
}

type sanitizerSite struct {
	Func string `xml:"func,omitempty"`
	Path string `xml:"path,omitempty"`
	Line int    `xml:"line,omitempty"`
	PC   string `xml:"pc,omitempty"`
}

// SanitizerXML writes r as compute-sanitizer's --xml does: a record for each finding.
func SanitizerXML(w io.Writer, r *Report, o Options) error {
	if _, err := io.WriteString(w, xml.Header+"<ComputeSanitizerOutput>\n"); err != nil {
		return err
	}
	s := newSanitizer(o)
	for i, f := range s.wanted(r) {
		if o.Limit > 0 && i >= o.Limit {
			break
		}
		text, err := xml.MarshalIndent(sanitizerRecord(relativeTo(f, o.Dir), o), "", "  ")
		if err == nil {
			_, err = w.Write(append(visible.XML(text), '\n'))
		}
		if err != nil {
			return err
		}
	}
	_, err := io.WriteString(w, "</ComputeSanitizerOutput>\n")
	return err
}

func sanitizerRecord(f *finding.Finding, o Options) *SanitizerRecord {
	s := newSanitizer(o)
	s.finding(f)
	rec := recordFacts(f)
	rec.Level = severity(f.Level)
	rec.What.Text = printable(s.lines[0])
	rec.Where = s.site(f, &f.Primary)
	if f.Rule == "race" && len(f.Related) > 0 {
		rec.And = s.site(f, &f.Related[0])
	}
	return rec
}

func (s *sanitizer) site(f *finding.Finding, p *finding.Place) *sanitizerSite {
	site := &sanitizerSite{Func: printable(s.kernel(f))}
	if p.Loc.IsValid() {
		site.Path, site.Line = printable(s.path(p.Loc.File)), p.Loc.Line
	}
	if p.PTXLine > 0 {
		site.PC = fmt.Sprintf("%#x", p.PTXLine)
	}
	return site
}

// recordFacts is a record without what depends on how names and paths are written.
func recordFacts(f *finding.Finding) *SanitizerRecord {
	rec := &SanitizerRecord{Kind: sanitizerKind(f)}
	var access accessDetails
	if decode(f.Details, &access) && access.Size > 0 {
		rec.What.Space, rec.What.Size, rec.What.Direction = spaceName(access.Space), access.Size, access.Access
		if access.Address != nil {
			rec.What.Address = fmt.Sprintf("%#x", *access.Address)
		}
		rec.What.Error = f.Kind
	}
	var call failedDetails
	if decode(f.Details, &call) && call.Error != "" {
		rec.What.API, rec.What.Error, rec.What.Message = call.Call, call.Error, printable(call.Text)
		rec.What.Result = call.Code
	}
	if t := f.Primary.Thread; t != nil {
		rec.Who = &sanitizerWho{Thread: &xmlCoord{t.Thread.X, t.Thread.Y, t.Thread.Z}, Block: &xmlCoord{t.Block.X, t.Block.Y, t.Block.Z}}
	}
	return rec
}

// sanitizerKind is the type of a record.
func sanitizerKind(f *finding.Finding) string {
	switch {
	case f.Rule == "race":
		return "Race"
	case f.Rule == "api", f.Rule == "launch":
		return "Api"
	case f.Rule == "init" && f.Kind == "unused":
		return "Unused"
	case f.Rule == "init":
		return "Initcheck"
	case f.Rule == "sync":
		return "Synccheck"
	case f.Kind == "leak":
		return "Leak"
	case f.Kind == "invalid-free", f.Kind == "double-free":
		return "MallocFree"
	case f.Rule == "memory":
		return "Precise"
	}
	return "Other"
}

// ReadSanitizerXML reads a file of records. That of compute-sanitizer's manual is wrapped in
// a CDATA section, which is taken as well.
func ReadSanitizerXML(in io.Reader) ([]*SanitizerRecord, error) {
	text, err := io.ReadAll(io.LimitReader(in, maxSuppressions+1))
	if err != nil {
		return nil, err
	}
	if len(text) > maxSuppressions {
		return nil, errors.New("a file of suppressions of more than 16 MiB")
	}
	text = bytes.TrimSuffix(bytes.TrimPrefix(bytes.TrimSpace(text), []byte("<![CDATA[")), []byte("]]>"))
	dec := xml.NewDecoder(bytes.NewReader(bytes.TrimSpace(text)))
	var out []*SanitizerRecord
	root := false
	for {
		line, _ := dec.InputPos()
		token, err := dec.Token()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, err
		}
		start, ok := token.(xml.StartElement)
		switch {
		case !ok:
		case !root && start.Name.Local == "ComputeSanitizerOutput":
			root = true
		case !root || start.Name.Local != "record":
			return nil, fmt.Errorf("line %d: element %s: want ComputeSanitizerOutput with records", line, start.Name.Local)
		default:
			rec := &SanitizerRecord{}
			if err := dec.DecodeElement(rec, &start); err != nil {
				return nil, err
			}
			if err := rec.check(); err != nil {
				return nil, fmt.Errorf("line %d: %w", line, err)
			}
			rec.Line = line
			out = append(out, rec)
		}
	}
	if !root {
		return nil, errors.New("no element ComputeSanitizerOutput")
	}
	return out, nil
}

// maxSuppressions bounds a file of suppressions, in bytes.
const maxSuppressions = 16 << 20

func (s *SanitizerRecord) check() error {
	if s.Kind == "" {
		return errors.New("a record without kind")
	}
	for _, text := range s.patterns() {
		if _, err := regexp.Compile(text); err != nil && text != "" {
			return fmt.Errorf("%q: %w", text, err)
		}
	}
	return nil
}

// patterns are the fields that may be regular expressions.
func (s *SanitizerRecord) patterns() []string {
	out := []string{s.What.API, s.What.Error}
	if s.Where != nil {
		out = append(out, s.Where.Path)
	}
	return out
}

// Matches reports whether the record suppresses a finding: the types are the same, numbers that
// it gives are equal, and strings that it gives are equal or match as regular expressions.
// Addresses and texts do not count.
func (s *SanitizerRecord) Matches(f *finding.Finding) bool {
	rec := recordFacts(f)
	if s.Kind != rec.Kind || s.Level != "" && s.Level != severity(f.Level) {
		return false
	}
	if s.What.Size != 0 && s.What.Size != rec.What.Size || s.What.Result != 0 && s.What.Result != rec.What.Result {
		return false
	}
	for _, x := range [][2]string{{s.What.Space, rec.What.Space}, {s.What.Direction, rec.What.Direction}, {s.What.API, rec.What.API}, {s.What.Error, rec.What.Error}} {
		if !textMatches(x[0], x[1]) {
			return false
		}
	}
	return s.Who.matches(rec.Who) && s.Where.matches(f, &f.Primary) && (s.And == nil || len(f.Related) > 0 && s.And.matches(f, &f.Related[0]))
}

func (w *sanitizerWho) matches(o *sanitizerWho) bool {
	if w == nil {
		return true
	}
	same := func(a, b *xmlCoord) bool { return a == nil || b != nil && *a == *b }
	return o != nil && same(w.Thread, o.Thread) && same(w.Block, o.Block)
}

func (w *sanitizerSite) matches(f *finding.Finding, p *finding.Place) bool {
	if w == nil {
		return true
	}
	if w.Line != 0 && w.Line != p.Loc.Line {
		return false
	}
	names := []string{f.Kernel, f.KernelName, finding.DemangleName(f.Kernel)}
	if f.Kernel == "" {
		names = []string{"", "host"}
	}
	named := w.Func == ""
	for _, n := range names {
		named = named || textMatches(w.Func, n)
	}
	file := filepath.ToSlash(p.Loc.File)
	return named && (textMatches(w.Path, file) || strings.HasSuffix(file, "/"+strings.TrimPrefix(w.Path, "./")) || textMatches(w.Path, filepath.Base(file)))
}

// textMatches reports whether a text is the wanted one or matches it as a whole.
func textMatches(want, text string) bool {
	if want == "" || want == text {
		return true
	}
	re, err := regexp.Compile(`^(?:` + want + `)$`)
	return err == nil && re.MatchString(text)
}
