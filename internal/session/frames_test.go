package session

import (
	"context"
	"flag"
	"io"
	"math/rand/v2"
	"net"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/warpgrind/warpgrind/internal/build"
	"github.com/warpgrind/warpgrind/internal/host"
	"github.com/warpgrind/warpgrind/internal/host/frames"
	"github.com/warpgrind/warpgrind/internal/host/protocol"
)

var (
	deviceFrames = flag.Int("frames", 1_000, "how many frames TestFramesOnDevice plays")
	framesSeed   = flag.Uint64("frames-seed", 1, "where TestFramesOnDevice begins")
)

// TestFramesOnDevice plays made-up sessions against the server as a check sets it up: with
// the engine, real modules and all rules.
func TestFramesOnDevice(t *testing.T) {
	rng := rand.New(rand.NewPCG(*framesSeed, 18))
	corpus := ptxCorpus(t)
	for left := *deviceFrames; left > 0; {
		s, err := NewSession(Config{Config: build.Config{Arch: "sm_90", Inputs: []string{"frames.o"}}, RunConfig: RunConfig{MaxSteps: 1 << 12, Workers: 2, Devices: 2, OnFault: "kernel", Stdout: io.Discard, Stderr: io.Discard}, CheckConfig: CheckConfig{Tools: "all"}})
		if err != nil {
			t.Fatal(err)
		}
		_, err = s.serve(t.Context(), func(ctx context.Context, server *host.Server) (host.Exit, error) {
			path := filepath.Join(t.TempDir(), "s")
			l, err := net.ListenUnix("unix", &net.UnixAddr{Name: path, Net: "unix"})
			if err != nil {
				return host.Exit{}, err
			}
			served := make(chan error, 1)
			go func() { served <- server.Serve(ctx, l) }()
			for range 20 {
				p := devicePlayer(path, corpus[rng.IntN(len(corpus))])
				data := make([]byte, 32+rng.IntN(100))
				for i := range data {
					data[i] = byte(rng.Uint32())
				}
				n, err := p.Play(data)
				if left -= n; err != nil {
					t.Errorf("%v for %x", err, data)
				}
			}
			l.Close()
			return host.Exit{}, <-served
		})
		if err != nil || s.Bug != nil {
			t.Fatal(err, s.Bug)
		}
	}
	t.Logf("%d frames", *deviceFrames)
}

var ptxName = regexp.MustCompile(`\.(?:entry|global[^;=\[]*)\s+([A-Za-z_$%][\w$]*)`)

// devicePlayer plays sessions that begin with a module.
func devicePlayer(socket, text string) *frames.Player {
	meta := []byte(`{"source":"frames.cu","module":"frames.cu"}`)
	start := []any{protocol.Load{Module: protocol.Part{Meta: meta, PTX: []byte(text)}}}
	texts := []string{""}
	for _, m := range ptxName.FindAllStringSubmatch(text, 8) {
		texts = append(texts, m[1])
		start = append(start, protocol.Function{Name: m[1]}, protocol.Variable{Name: m[1]})
	}
	start = append(start, protocol.Alloc{Size: 1 << 16}, protocol.Alloc{Kind: 1, Size: 4096}, protocol.StreamCreate{}, protocol.EventCreate{})
	return &frames.Player{
		Connect: func() (*net.UnixConn, error) {
			return net.DialUnix("unix", nil, &net.UnixAddr{Name: socket, Net: "unix"})
		},
		Texts: texts, Blobs: [][]byte{nil, {0}, {0, 0, 0, 0}, meta, []byte(text), make([]byte, 64)}, Starts: [][]any{start},
	}
}
