package clang

import "context"

// HostProgram compiles one C++ source that has nothing to do with CUDA to an executable. The
// arithmetic is that of the source: nothing is contracted or reordered.
func (tc *Toolchain) HostProgram(ctx context.Context, source, exe, std string) error {
	args := []string{"-x", "c++", "-O2", "-ffp-contract=off", "-w", "-o", exe, source, "-lstdc++", "-lm"}
	if std != "" {
		args = append([]string{"-std=" + std}, args...)
	}
	_, diag, err := runTool(ctx, nil, tc.Clang, args...)
	if err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		return refused(source, "host", err, string(diag))
	}
	return nil
}
