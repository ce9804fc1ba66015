package host

import (
	"context"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/warpgrind/warpgrind/internal/arch"
	"github.com/warpgrind/warpgrind/internal/mem"
)

// TestCallsBeside lets a thread of a program make calls while another compiles with NVRTC, or
// waits for a kernel to be lowered. That does not end before these calls have.
func TestCallsBeside(t *testing.T) {
	for _, what := range []string{"compile", "lower"} {
		t.Run(what, func(t *testing.T) {
			fifo := filepath.Join(t.TempDir(), "under_way")
			if err := syscall.Mkfifo(fifo, 0o600); err != nil {
				t.Fatal(err)
			}
			arena, err := mem.New(1 << 32)
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { arena.Close() })
			a, err := arch.Parse("sm_80")
			if err != nil {
				t.Fatal(err)
			}
			s, called := &session{arena: arena}, make(chan struct{})
			during := func() {
				if err := os.WriteFile(fifo, []byte("x"), 0); err != nil {
					t.Error(err)
				}
				select {
				case <-called:
				case <-t.Context().Done():
				}
			}
			hooks := s.hooks()
			hooks.Alloc = func(al *mem.Allocation) {
				if al.Size == 12345 {
					close(called)
				}
			}
			compile := func(context.Context, Source) (Compiled, error) {
				during()
				return Compiled{PTX: []byte("fake device code")}, nil
			}
			cfg := Config{Arena: arena, Arch: a, Runner: &fakeRunner{arena: arena, during: during}, Hooks: hooks, Compile: compile}
			s.runIn(t, t.Context(), cfg, program(t, "beside"), what, fifo).wantOK(t)
		})
	}
}
