package passes

import (
	"fmt"
	"github.com/warpgrind/warpgrind/internal/clang/irtext"
	"strconv"
	"strings"
)

// kernelSection marks the functions that stand for kernels (cutext, childgrid.go).
const kernelSection = ` section "warpgrind.kernel"`

const launchCall = "__warpgrind_launch"

// childGrids makes kernels of the functions in kernelSection, and launches of
// the calls in front of launchCall: the callee's parameters are stored where
// the device runtime wants them ("CUDA C++ Programming Guide", "CUDA Dynamic
// Parallelism", "Kernel Launch APIs": a buffer with the alignment of each
// parameter), then the kernel is launched from there.
func childGrids(m *irtext.Module, _ *State) {
	n := &launcher{stubs: map[string]bool{}, declared: map[string]bool{}, kernels: kernelSections(m)}
	if len(n.kernels) == 0 {
		return
	}
	for _, l := range m.Lines {
		n.line(l)
	}
	n.finish()
	m.Replace(&n.out)
}

type launcher struct {
	out irtext.Builder
	// kernels are the marked functions, in order.
	kernels []markedKernel
	// called, args and location are those of the last call of a kernel.
	called, args, location string
	stubs, declared        map[string]bool
	functions              strings.Builder // the stubs
	annotations            string          // the metadata line, if there is one
}

type markedKernel struct {
	name    string
	defined bool
}

// kernelSections lists the marked functions of a module.
func kernelSections(m *irtext.Module) []markedKernel {
	var out []markedKernel
	for _, l := range m.Lines {
		if !l.Contains(kernelSection) || !l.Defines() && !l.HasPrefix("declare ") {
			continue
		}
		if name, _, _ := l.Call(); name != "" {
			out = append(out, markedKernel{name, l.Defines()})
		}
	}
	return out
}

func (n *launcher) isKernel(name string) bool {
	for _, k := range n.kernels {
		if k.name == name {
			return true
		}
	}
	return false
}

func (n *launcher) line(l *irtext.Line) {
	switch {
	case l.Defines() && l.Contains(kernelSection):
		head, rest, _ := strings.Cut(strings.Replace(l.Text, kernelSection, "", 1), "@")
		for _, w := range []string{" internal ", " linkonce_odr ", " linkonce "} {
			head = strings.Replace(head, w, " weak_odr ", 1)
		}
		n.out.Line(l, head+"@"+rest)
	case l.HasPrefix("declare "):
		name, _, _ := l.Call()
		n.declared[name] = true
		n.out.Line(l, strings.Replace(l.Text, kernelSection, "", 1))
	case l.HasPrefix("!nvvm.annotations = "):
		n.annotations = l.Text
	case !l.IsInstruction() || !l.Contains("call void @") || n.call(l):
		n.out.Keep(l)
	}
}

// call looks at a call; false means that the line goes away.
func (n *launcher) call(l *irtext.Line) bool {
	name, args, tail := l.Call()
	switch {
	case n.isKernel(name):
		n.called, n.args, n.location = name, args, debugLocation(tail)
		return false
	case name == launchCall && n.called != "":
		n.launch(args)
		n.called = ""
		return false
	}
	return true
}

// debugLocation is the location in what follows a call's arguments.
func debugLocation(tail string) string {
	if i := strings.Index(tail, ", !dbg "); i >= 0 {
		return tail[i:]
	}
	return ""
}

// launchParam is a parameter of a kernel at a call: its type, the operand,
// which is a pointer to it where it is passed in memory, and its alignment
// there.
type launchParam struct {
	typ, operand string
	memory       bool
	align        string
}

// parseParams splits the arguments of a call.
func parseParams(args string) []launchParam {
	var out []launchParam
	for args != "" {
		var a string
		a, args = irtext.CutItem(args)
		p := launchParam{}
		p.typ, _ = irtext.CutType(a)
		if i := strings.Index(a, " byval("); i >= 0 {
			p.memory = true
			in := a[i+len(" byval("):]
			p.typ = in[:irtext.MatchBracket("("+in)-2]
		}
		if i := strings.Index(a, " align "); i >= 0 {
			p.align, _, _ = strings.Cut(a[i+len(" align "):], " ")
		}
		p.operand = operandOf(a, p.memory)
		out = append(out, p)
	}
	return out
}

// operandOf is the value of an argument without type and attributes. Constant
// expressions have blanks in brackets.
func operandOf(a string, memory bool) string {
	if memory {
		return a[strings.LastIndexByte(a, ' ')+1:]
	}
	depth := 0
	for i := len(a) - 1; i >= 0; i-- {
		switch a[i] {
		case ')', ']', '}', '>':
			depth++
		case '(', '[', '{', '<':
			depth--
		case ' ':
			if depth == 0 && !constantExpression(a[:i]) {
				return a[i+1:]
			}
		}
	}
	return a
}

// constantExpression tells whether the text ends in the name of one, whose
// operands follow in brackets.
func constantExpression(s string) bool {
	switch s[strings.LastIndexByte(s, ' ')+1:] {
	case "getelementptr", "inbounds", "addrspacecast", "inttoptr", "ptrtoint", "bitcast":
		return true
	}
	return false
}

// launch writes the call of the stub for the kernel that was called last.
func (n *launcher) launch(config string) {
	params := parseParams(n.args)
	stub := "__wg_nested." + strings.Trim(n.called, `"`)
	if !n.stubs[stub] {
		n.stubs[stub] = true
		n.stub(stub, n.called, params)
	}
	var args []string
	for _, p := range params {
		args = append(args, p.passed()+" "+p.operand)
	}
	for _, p := range parseParams(config) {
		args = append(args, p.passed()+" "+p.operand)
	}
	n.out.Printf("  call void @%s(%s)%s\n", stub, strings.Join(args, ", "), n.location)
}

// passed is the type in which the stub gets it.
func (p launchParam) passed() string {
	if p.memory {
		return "ptr"
	}
	return p.typ
}

// stub writes the function that launches a kernel.
func (n *launcher) stub(stub, kernel string, params []launchParam) {
	w := &n.functions
	fmt.Fprintf(w, "\ndefine internal void @%s(", stub)
	for i, p := range params {
		fmt.Fprintf(w, "%s %%p%d, ", p.passed(), i)
	}
	w.WriteString("ptr %grid, ptr %block, i64 %shared, ptr %stream) {\n  %bytes = trunc i64 %shared to i32\n")
	fmt.Fprintf(w, "  %%buffer = call ptr @cudaGetParameterBufferV2(ptr @%s, ptr byval([3 x i32]) align 4 %%grid, "+
		"ptr byval([3 x i32]) align 4 %%block, i32 %%bytes)\n", kernel)
	w.WriteString("  %refused = icmp eq ptr %buffer, null\n  br i1 %refused, label %done, label %go\ngo:\n")
	end := "0"
	for i, p := range params {
		end = p.store(w, i, end)
	}
	w.WriteString("  %code = call i32 @cudaLaunchDeviceV2(ptr %buffer, ptr %stream)\n  br label %done\ndone:\n  ret void\n}\n")
}

// store writes the instructions that put parameter i into the buffer behind
// the bytes before it, and returns where it ends.
func (p launchParam) store(w *strings.Builder, i int, before string) string {
	typ := p.typ
	if typ == "i1" {
		typ = "i8"
	}
	size := fmt.Sprintf("ptrtoint (ptr getelementptr (%s, ptr null, i32 1) to i64)", typ)
	align := p.align
	if !p.memory || align == "" {
		align = fmt.Sprintf("ptrtoint (ptr getelementptr ({ i8, %s }, ptr null, i32 0, i32 1) to i64)", typ)
	}
	fmt.Fprintf(w, "  %%a%d = add i64 %s, %s\n", i, before, align)
	fmt.Fprintf(w, "  %%b%d = sub i64 %%a%d, 1\n", i, i)
	fmt.Fprintf(w, "  %%n%d = sub i64 0, %s\n", i, align)
	fmt.Fprintf(w, "  %%o%d = and i64 %%b%d, %%n%d\n", i, i, i)
	fmt.Fprintf(w, "  %%q%d = getelementptr i8, ptr %%buffer, i64 %%o%d\n", i, i)
	switch {
	case p.memory:
		fmt.Fprintf(w, "  call void @llvm.memcpy.p0.p0.i64(ptr align %s %%q%d, ptr align %s %%p%d, i64 %s, i1 false)\n",
			p.align, i, p.align, i, size)
	case p.typ == "i1":
		fmt.Fprintf(w, "  %%z%d = zext i1 %%p%d to i8\n  store i8 %%z%d, ptr %%q%d\n", i, i, i, i)
	default:
		fmt.Fprintf(w, "  store %s %%p%d, ptr %%q%d\n", typ, i, i)
	}
	fmt.Fprintf(w, "  %%e%d = add i64 %%o%d, %s\n", i, i, size)
	return "%e" + strconv.Itoa(i)
}

// firstAnnotation is the number of the first metadata node that is added,
// beyond those that clang makes.
const firstAnnotation = 1 << 28

// finish writes the stubs, what they call, and which functions are kernels.
func (n *launcher) finish() {
	n.out.WriteString(n.functions.String())
	for _, d := range []struct{ name, text string }{
		{"cudaGetParameterBufferV2", "ptr @cudaGetParameterBufferV2(ptr, ptr byval([3 x i32]) align 4, ptr byval([3 x i32]) align 4, i32)"},
		{"cudaLaunchDeviceV2", "i32 @cudaLaunchDeviceV2(ptr, ptr)"},
		{"llvm.memcpy.p0.p0.i64", "void @llvm.memcpy.p0.p0.i64(ptr noalias nocapture writeonly, ptr noalias nocapture readonly, i64, i1 immarg)"},
	} {
		if !n.declared[d.name] {
			n.out.WriteString("declare " + d.text + "\n")
		}
	}
	list := ""
	for i, k := range n.kernels {
		if !k.defined {
			continue
		}
		id := "!" + strconv.Itoa(firstAnnotation+i)
		n.out.Printf("%s = !{ptr @%s, !\"kernel\", i32 1}\n", id, k.name)
		list += ", " + id
	}
	switch {
	case n.annotations != "" && list != "":
		n.out.WriteString(strings.TrimSuffix(n.annotations, "}") + list + "}\n")
	case n.annotations != "":
		n.out.WriteString(n.annotations + "\n")
	case list != "":
		n.out.WriteString("!nvvm.annotations = !{" + strings.TrimPrefix(list, ", ") + "}\n")
	}
}
