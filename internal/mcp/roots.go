package mcp

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// rooted is a tool that uses files below the client's roots.
type rooted[In, Out any] func(ctx context.Context, q *sdk.CallToolRequest, roots []string, in In) (Out, error)

// rootsKey names the request for roots among those that a call makes of its client.
const rootsKey = "roots"

// withRoots makes a tool ask for the client's roots first, and then wait for its turn.
func withRoots[In, Out any](v *server, f rooted[In, Out]) sdk.ToolHandlerFor[In, Out] {
	return func(ctx context.Context, q *sdk.CallToolRequest, in In) (r *sdk.CallToolResult, out Out, err error) {
		var roots []string
		switch answer := q.Params.InputResponses[rootsKey].(type) {
		case *sdk.ListRootsResult:
			roots, err = directories(answer.Roots)
		default:
			if hasRoots(q.Session) {
				return &sdk.CallToolResult{InputRequests: sdk.InputRequestMap{rootsKey: &sdk.ListRootsParams{}}}, out, nil
			}
			roots, err = workingDirectory()
		}
		if err != nil {
			return nil, out, err
		}
		ctx, done, err := v.begin(ctx)
		if err != nil {
			return nil, out, err
		}
		defer done()
		defer v.progress(ctx, q)()
		free, err := v.slot(ctx)
		if err != nil {
			return nil, out, err
		}
		defer free()
		out, err = f(ctx, q, roots, in)
		return nil, out, err
	}
}

// hasRoots reports whether the client has roots.
func hasRoots(s *sdk.ServerSession) bool {
	p := s.InitializeParams()
	return p != nil && p.Capabilities != nil && p.Capabilities.RootsV2 != nil
}

// workingDirectory is the root of clients that have none.
func workingDirectory() ([]string, error) {
	dir, err := os.Getwd()
	if err == nil {
		dir, err = filepath.EvalSymlinks(dir)
	}
	if err == nil && dir == "/" {
		err = errors.New("the client gives no roots, and the server's working directory is /, which is no root: start it in the project's directory")
	}
	return []string{dir}, err
}

// directories are the paths of those roots that exist, links resolved.
func directories(roots []*sdk.Root) (list []string, err error) {
	for _, r := range roots {
		u, err := url.Parse(r.URI)
		if err != nil || u.Scheme != "file" || !filepath.IsAbs(u.Path) {
			return nil, fmt.Errorf("root %q is no file URI with an absolute path", r.URI)
		}
		dir, err := filepath.EvalSymlinks(u.Path)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			continue
		case err != nil:
			return nil, err
		case dir == "/":
			return nil, errors.New("the root / is refused: programs would read all files; give the project's directory")
		}
		list = append(list, dir)
	}
	if len(list) == 0 {
		return nil, errors.New("the client gives no roots that exist, so no file may be read")
	}
	return list, nil
}

// within returns the absolute path of a file that lies below a root, links resolved. A relative name begins at the first root.
func within(roots []string, name string) (string, error) {
	if name == "" {
		return "", errors.New("no file")
	}
	if !filepath.IsAbs(name) {
		name = filepath.Join(roots[0], name)
	}
	file, err := filepath.EvalSymlinks(name)
	if err != nil {
		return "", err
	}
	for _, r := range roots {
		rel, err := filepath.Rel(r, file)
		if err == nil && rel != ".." && !strings.HasPrefix(rel, "../") {
			return file, nil
		}
	}
	return "", fmt.Errorf("%s is not below a root of the client (%s)", name, strings.Join(roots, ", "))
}
