package clang

import (
	"bytes"
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/warpgrind/warpgrind/internal/clang/cutext"
	"github.com/warpgrind/warpgrind/internal/userfile"
)

// The user's files are handed to clang by way of a virtual file system that
// keeps their names, with what nvcc alone accepts put in clang's words. Lines
// stay where they are, and columns where that is possible.

// overlays are the clang arguments that replace texts, for each side.
type overlays struct{ device, host []string }

// childGridsDefine announces launches in device code to our headers and to devicePTX.
const childGridsDefine = "-D__WG_NESTED__"

// userFile is a file of the user's with its text.
type userFile struct {
	path string // absolute
	text []byte
}

// overlay changes the source and the user's headers where they need it.
func (j *job) overlay() (overlays, error) {
	files, err := j.userFiles()
	if err != nil {
		return overlays{}, err
	}
	device, host := map[string][]byte{}, map[string][]byte{}
	changed := make([]userFile, len(files))
	for i, f := range files {
		changed[i] = userFile{f.path, j.repaired(f.path, cutext.Spell(f.text))}
	}
	texts := make([]*cutext.Text, len(changed))
	for i, f := range changed {
		texts[i] = cutext.New(f.text)
	}
	children := cutext.FindChildGrids(texts)
	for i, f := range changed {
		d, h := f.text, f.text
		if children != nil {
			d, h = children.Device(texts[i]), children.Host(texts[i])
		}
		_, replaced := j.Replaced[f.path]
		if replaced || !bytes.Equal(d, files[i].text) {
			device[f.path] = d
		}
		if replaced || !bytes.Equal(h, files[i].text) {
			host[f.path] = h
		}
	}
	var o overlays
	if o.device, err = j.writeOverlay("device", device); err != nil {
		return o, err
	}
	if o.host, err = j.writeOverlay("host", host); err == nil && children != nil {
		o.device, o.host = append(o.device, childGridsDefine), append(o.host, childGridsDefine)
	}
	return o, err
}

// writeOverlay writes texts for files and the description of the file system
// ("Clang Compiler User's Manual", -ivfsoverlay).
func (j *job) writeOverlay(side string, texts map[string][]byte) ([]string, error) {
	if len(texts) == 0 {
		return nil, nil
	}
	var roots []any
	for path, text := range texts {
		own := j.file(side + strconv.Itoa(len(roots)) + ".text")
		if err := os.WriteFile(own, text, 0o666); err != nil {
			return nil, err
		}
		roots = append(roots, map[string]any{"name": path, "type": "file", "external-contents": own})
	}
	vfs, err := json.Marshal(map[string]any{"version": 0, "use-external-names": false, "roots": roots})
	if err != nil {
		return nil, err
	}
	yaml := j.file(side + ".vfs.yaml")
	return []string{"-ivfsoverlay", yaml}, os.WriteFile(yaml, vfs, 0o666)
}

var includeLine = regexp.MustCompile(`(?m)^[ \t]*#[ \t]*include[ \t]*(?:"([^"\n]+)"|<([^>\n]+)>)`)

// maxUserFiles bounds the files of a unit that are looked at.
const maxUserFiles = 2000

// userFiles are the source and what it includes from its own directory and
// those of -I, by the words of their #include lines: more than the
// preprocessor would read, which does no harm.
func (j *job) userFiles() ([]userFile, error) {
	abs, err := filepath.Abs(j.Source)
	if err != nil {
		return nil, err
	}
	text, err := j.textOf(abs)
	if err != nil {
		return nil, err
	}
	files := []userFile{{abs, text}}
	seen := map[string]bool{abs: true}
	add := func(path string) bool {
		if seen[path] {
			return true
		}
		text, err := j.textOf(path)
		if err == nil {
			seen[path] = true
			files = append(files, userFile{path, text})
		}
		return err == nil
	}
	dirs, forced := j.Flags.includes()
	for _, f := range forced {
		add(absolute(f))
	}
	for _, f := range slices.Sorted(maps.Keys(j.Replaced)) {
		add(f)
	}
	for i := 0; i < len(files) && i < maxUserFiles; i++ {
		own := filepath.Dir(files[i].path)
		for _, m := range includeLine.FindAllStringSubmatch(string(files[i].text), -1) {
			if m[1] != "" && add(filepath.Join(own, m[1])) {
				continue
			}
			for _, d := range dirs {
				if add(filepath.Join(d, m[1]+m[2])) {
					break
				}
			}
		}
	}
	return files, nil
}

// textOf is the text of a file as it is to be compiled.
func (j *job) textOf(path string) ([]byte, error) {
	if text, ok := j.Replaced[path]; ok {
		return text, nil
	}
	return userfile.Read(path)
}

// absolute is a path as the overlay wants it.
func absolute(path string) string {
	if abs, err := filepath.Abs(path); err == nil {
		return abs
	}
	return path
}

// includes are the directories in which the user's headers are looked for and
// the files that are included from the command line.
func (f *Flags) includes() (dirs, files []string) {
	for i := 0; i < len(f.Both); i++ {
		w := f.Both[i]
		next := ""
		if i+1 < len(f.Both) {
			next = f.Both[i+1]
		}
		switch {
		case w == "-I" || w == "-iquote":
			dirs = append(dirs, absolute(next))
		case w == "-include":
			files = append(files, next)
		case strings.HasPrefix(w, "-I"):
			dirs = append(dirs, absolute(w[2:]))
		}
	}
	return dirs, files
}
