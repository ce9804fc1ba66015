package cc

import (
	"bytes"
	"errors"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/warpgrind/warpgrind/internal/userfile"
)

// member is a file of an archive.
type member struct {
	name string
	data []byte
}

// The sizes of an archive's magic number and of a member's header (ar(5)).
const (
	arMagic   = "!<arch>\n"
	thinMagic = "!<thin>\n"
	arHeader  = 60
)

var errArchive = errors.New("damaged archive")

// readArchive reads a static library in GNU's format, or a thin one. A linker
// script, which may have such a name as well, has no members.
func readArchive(path string) ([]member, error) {
	data, err := userfile.Read(path)
	if err != nil {
		return nil, err
	}
	thin := bytes.HasPrefix(data, []byte(thinMagic))
	if !thin && !bytes.HasPrefix(data, []byte(arMagic)) {
		return nil, nil
	}
	var members []member
	var long string // table of long names
	for rest := data[len(arMagic):]; len(rest) > 0; {
		if len(rest) < arHeader {
			return nil, errArchive
		}
		name := strings.TrimRight(string(rest[:16]), " ")
		size, err := strconv.Atoi(strings.TrimSpace(string(rest[48:58])))
		if err != nil || size < 0 {
			return nil, errArchive
		}
		rest = rest[arHeader:]
		special := name == "/" || name == "//" || name == "/SYM64/"
		if thin && !special {
			m, err := thinMember(path, memberName(name, long))
			if err != nil {
				return nil, err
			}
			members = append(members, m)
			continue
		}
		if size > len(rest) {
			return nil, errArchive
		}
		switch {
		case name == "//":
			long = string(rest[:size])
		case !special:
			members = append(members, member{memberName(name, long), rest[:size]})
		}
		rest = rest[min(size+size&1, len(rest)):]
	}
	return members, nil
}

// memberName resolves "/123", an offset into the table of long names.
func memberName(name, long string) string {
	if off, err := strconv.Atoi(strings.TrimPrefix(name, "/")); err == nil && strings.HasPrefix(name, "/") && off >= 0 && off < len(long) {
		name, _, _ = strings.Cut(long[off:], "\n")
	}
	return strings.TrimSuffix(name, "/")
}

// thinMember reads a file that a thin archive names.
func thinMember(archive, name string) (member, error) {
	path := name
	if !filepath.IsAbs(path) {
		path = filepath.Join(filepath.Dir(archive), path)
	}
	data, err := userfile.Read(path)
	return member{name, data}, err
}
