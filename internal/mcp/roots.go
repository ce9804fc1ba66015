//lint:file-ignore SA1019 clients give roots until they have another way; --root is the user's

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
		roots := v.roots
		answer, answered := q.Params.InputResponses[rootsKey].(*sdk.ListRootsResult)
		switch {
		case roots != nil:
		case answered:
			roots, err = rootsOf(answer)
		case hasRoots(q.Session):
			return &sdk.CallToolResult{InputRequests: sdk.InputRequestMap{rootsKey: &sdk.ListRootsParams{}}}, out, nil
		default:
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
		err = errors.New("the client gives no roots, and the server's working directory is /, which cannot be a root: start it in the project's directory")
	}
	return []string{dir}, err
}

// rootsOf are the directories of a client's roots.
func rootsOf(answer *sdk.ListRootsResult) ([]string, error) {
	var paths []string
	for _, r := range answer.Roots {
		u, err := url.Parse(r.URI)
		if err != nil || u.Scheme != "file" || !filepath.IsAbs(u.Path) {
			return nil, fmt.Errorf("root %q is not a file URI with an absolute path", r.URI)
		}
		paths = append(paths, u.Path)
	}
	list, err := directories(paths)
	if err == nil && len(list) == 0 {
		err = errors.New("the client gives no roots that exist, so no file may be read")
	}
	return list, err
}

// directories are those paths that exist, absolute and with links resolved.
func directories(paths []string) (list []string, err error) {
	for _, p := range paths {
		p, err := filepath.Abs(p)
		if err != nil {
			return nil, err
		}
		dir, err := filepath.EvalSymlinks(p)
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
