package session

import (
	"context"

	"github.com/warpgrind/warpgrind/internal/clang"
)

// libraryPart makes a part of one of the replacements for NVIDIA's closed libraries, as
// host.Config.Library has it.
func (s *Session) libraryPart(ctx context.Context, library, module string) (string, error) {
	tc, err := clang.Find(s.Cfg.Clang)
	if err != nil {
		return "", err
	}
	tc.Building = s.Cfg.Building
	if module == "" {
		return tc.Library(ctx, library)
	}
	return tc.LibraryModule(ctx, library, module, s.Cfg.Arch)
}
