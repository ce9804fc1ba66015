package link

import (
	"strings"

	"github.com/warpgrind/warpgrind/internal/ptx"
)

// Symbols are the names that a part shares with others.
type Symbols struct {
	// Defined and Weak are defined here, the latter perhaps elsewhere as well.
	Defined, Weak []string
	// Undefined are declared here and must be defined elsewhere.
	Undefined []string
}

// Scan lists a part's symbols. The error is the parser's.
func Scan(p Part) (*Symbols, error) {
	m, err := ptx.Parse(p.Name, p.Text)
	if err != nil {
		return nil, err
	}
	s := &Symbols{}
	for _, it := range m.Items {
		switch it := it.(type) {
		case *ptx.Variable:
			// .extern .shared is memory that the launch gives.
			s.add(it.Name, it.Linkage, it.Linkage != ptx.Extern, it.Space == ptx.Shared)
		case *ptx.Func:
			s.add(it.Name, it.Linkage, it.Body != nil, isProvided(it.Name) || m.Func(it.Name).Body != nil)
		}
	}
	return s, nil
}

func (s *Symbols) add(name string, l ptx.Linkage, defined, provided bool) {
	switch {
	case !defined && !provided:
		s.Undefined = append(s.Undefined, name)
	case !defined || l == ptx.Internal || isInternalName(name):
	case isWeak(l):
		s.Weak = append(s.Weak, name)
	default:
		s.Defined = append(s.Defined, name)
	}
}

// isProvided recognizes functions that the system brings: libdevice's, the
// device runtime's, and those of C that CUDA has on the device.
func isProvided(name string) bool {
	switch name {
	case "vprintf", "malloc", "free", "memcpy", "memset", "memmove", "memcmp", "abort", "__assertfail", "__assert_fail":
		return true
	}
	return !strings.HasPrefix(name, "_Z") && (strings.HasPrefix(name, "__") || strings.HasPrefix(name, "cuda"))
}
