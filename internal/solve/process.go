package solve

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strconv"
	"strings"
)

// process is a z3 at work.
type process struct {
	cmd   *exec.Cmd
	in    io.WriteCloser
	out   *bufio.Reader
	close func() error // of out
}

// start starts z3, or says why it cannot.
func start(o Options) (*process, string) {
	path, err := exec.LookPath(o.Path)
	if err != nil {
		return nil, o.Path + " not found"
	}
	cmd := exec.Command(path, "-in", "-smt2", fmt.Sprintf("-memory:%d", o.MemoryMB))
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err.Error()
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err.Error()
	}
	if err := cmd.Start(); err != nil {
		return nil, o.Path + " does not start: " + err.Error()
	}
	return &process{cmd: cmd, in: in, out: bufio.NewReader(out), close: out.Close}, ""
}

// stop ends the process and what waits for it, also where it left its pipes to
// processes of its own.
func (p *process) stop() {
	p.cmd.Process.Kill()
	p.in.Close()
	p.close()
}

func (p *process) kill() {
	p.stop()
	p.cmd.Wait()
}

var errEnded = errors.New("z3 ended while it worked")

// query asks one question, about variables with numbers for names. An error
// means that the process is of no more use.
func (p *process) query(ctx context.Context, script string, vars []*Term) (Answer, error) {
	stop := context.AfterFunc(ctx, p.stop)
	defer stop()
	said, err := p.talk("(reset)\n" + script + "(check-sat)\n(get-info :rlimit)\n")
	if err != nil {
		return Answer{}, err
	}
	said, info, _ := strings.Cut(said, "\n")
	a := Answer{}
	switch said {
	case "unsat":
		a = Answer{Status: Unsat}
	case "sat":
		a, err = p.model(vars)
	case "unknown":
		var why string
		why, err = p.talk("(get-info :reason-unknown)\n")
		a = undecided("z3 gave up (%s)", reason(why))
	default:
		err = fmt.Errorf("z3 said %q", said)
	}
	fmt.Sscanf(info, "(:rlimit %d)", &a.Steps)
	return a, err
}

// reason takes the text out of (:reason-unknown "text"). Of its bound z3 says
// "canceled" or "max. resource limit exceeded".
func reason(said string) string {
	if _, text, ok := strings.Cut(said, `"`); ok {
		said, _, _ = strings.Cut(text, `"`)
	}
	if said == "canceled" || strings.Contains(said, "resource limit") {
		return "a question beyond its bound"
	}
	return said
}

// sentinel is echoed after each command, to know where its answer ends.
const sentinel = "warpgrind-end"

// talk writes commands and returns what z3 says to them.
func (p *process) talk(commands string) (string, error) {
	failed := make(chan error, 1)
	go func() { // z3 may answer before it has read all
		_, err := io.WriteString(p.in, commands+`(echo "`+sentinel+"\")\n")
		failed <- err
	}()
	var said []string
	for {
		line, err := p.out.ReadString('\n')
		if line = strings.TrimSpace(line); line == sentinel {
			break
		}
		if err != nil {
			return "", errEnded
		}
		said = append(said, line)
	}
	if <-failed != nil {
		return "", errEnded
	}
	return strings.Join(said, "\n"), nil
}

// model reads the variables' values.
func (p *process) model(vars []*Term) (Answer, error) {
	a := Answer{Status: Sat, Model: Model{}}
	if len(vars) == 0 {
		return a, nil
	}
	names := make([]string, len(vars))
	for i := range vars {
		names[i] = numbered(i)
	}
	said, err := p.talk("(get-value (" + strings.Join(names, " ") + "))\n")
	if err != nil {
		return Answer{}, err
	}
	values := pairs(said)
	if len(values) != len(vars) {
		return Answer{}, fmt.Errorf("z3 gave no model: %.80s", said)
	}
	for i := range vars {
		if a.Model[numbered(i)], err = readValue(values[i]); err != nil {
			return Answer{}, err
		}
	}
	return a, nil
}

// pairs takes the values out of ((v0 a) (v1 b)), in their order.
func pairs(said string) []string {
	var out []string
	for _, one := range strings.Split(said, "(v")[1:] {
		_, value, _ := strings.Cut(one, " ")
		out = append(out, strings.TrimSpace(value))
	}
	return out
}

// readValue reads "#x1f)", "#b01)", "true)", "7)" or "(- 7))", perhaps with
// another parenthesis at the end.
func readValue(s string) (uint64, error) {
	negative := strings.HasPrefix(s, "(- ")
	s = strings.TrimRight(strings.TrimPrefix(s, "(- "), ") \n")
	var v uint64
	var err error
	switch {
	case s == "true":
		v = 1
	case s == "false":
	case strings.HasPrefix(s, "#x"):
		v, err = strconv.ParseUint(s[2:], 16, 64)
	case strings.HasPrefix(s, "#b"):
		v, err = strconv.ParseUint(s[2:], 2, 64)
	default:
		v, err = strconv.ParseUint(s, 10, 64)
	}
	if negative {
		v = -v
	}
	if err != nil {
		return 0, fmt.Errorf("z3 gave a value that is none: %.80s", s)
	}
	return v, nil
}
