package command

import (
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/warpgrind/warpgrind/internal/tooltest"
)

// slurm starts Slurm on this machine alone, and returns the environment of its commands. It skips the
// test where Slurm is not installed or does not start.
func slurm(t *testing.T) []string {
	t.Helper()
	for _, name := range []string{"munged", "slurmctld", "slurmd", "sbatch", "sinfo"} {
		if _, err := exec.LookPath(name); err != nil {
			t.Skipf("Slurm is not installed (slurmctld, slurmd, slurm-client and munge of Debian): no %s", name)
		}
	}
	if os.Getuid() != 0 {
		t.Skip("Slurm's daemons are started as root")
	}
	host, err := os.Hostname()
	if err != nil {
		t.Fatal(err)
	}
	host, _, _ = strings.Cut(host, ".")
	dir := t.TempDir()
	for _, d := range []string{"state", "spool"} {
		if err := os.Mkdir(filepath.Join(dir, d), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	conf := fmt.Sprintf(`ClusterName=test
SlurmctldHost=%[1]s(127.0.0.1)
SlurmUser=root
AuthType=auth/munge
AuthInfo=socket=%[2]s/munge.sock
StateSaveLocation=%[2]s/state
SlurmdSpoolDir=%[2]s/spool
SlurmctldPidFile=%[2]s/ctld.pid
SlurmdPidFile=%[2]s/d.pid
SlurmctldPort=%[3]d
SlurmdPort=%[4]d
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
MpiDefault=none
ReturnToService=2
SchedulerParameters=batch_sched_delay=0
NodeName=%[1]s NodeAddr=127.0.0.1 CPUs=%[5]d State=UNKNOWN
PartitionName=p Nodes=ALL Default=YES State=UP
`, host, dir, freePort(t), freePort(t), runtime.NumCPU())
	for name, text := range map[string]string{"slurm.conf": conf, "key": strings.Repeat("a key for a test", 64)} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	env := append(os.Environ(), "SLURM_CONF="+filepath.Join(dir, "slurm.conf"))
	daemon := func(args ...string) {
		cmd := exec.Command(args[0], args[1:]...)
		cmd.Env = env
		if err := cmd.Start(); err != nil {
			t.Skip(err)
		}
		t.Cleanup(func() {
			_ = cmd.Process.Signal(os.Interrupt)
			time.Sleep(200 * time.Millisecond)
			_ = cmd.Process.Kill()
			_ = cmd.Wait()
		})
	}
	daemon("munged", "--foreground", "--force", "--key-file", dir+"/key", "--socket", dir+"/munge.sock", "--pid-file", dir+"/munged.pid", "--log-file", dir+"/munged.log", "--seed-file", dir+"/seed")
	daemon("slurmctld", "-D", "-f", dir+"/slurm.conf")
	daemon("slurmd", "-D", "-f", dir+"/slurm.conf")
	for range 60 {
		cmd := exec.Command("sinfo", "-h", "-o", "%T")
		cmd.Env = env
		if out, err := cmd.Output(); err == nil && strings.TrimSpace(string(out)) == "idle" {
			return env
		}
		time.Sleep(500 * time.Millisecond)
	}
	t.Skip("Slurm does not start here")
	return nil
}

func freePort(t *testing.T) int {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port
}

// TestSlurm runs a plan as a job array. One shard is killed: it is named, and run again the report is
// that of one machine.
func TestSlurm(t *testing.T) {
	if testing.Short() {
		t.Skip("runs CUDA programs; not in short mode")
	}
	bin := tooltest.Tool(t)
	env := slurm(t)
	dir := recorded(t, bin, "examples/boyer/fig1.cu", "examples/boyer/fig1_fixed.cu", "examples/bugs/oob_write.cu", "examples/basic/reduce.cu")
	if err := os.Symlink(bin, filepath.Join(dir, "warpgrind")); err != nil {
		t.Fatal(err)
	}
	env = append(env, "PATH="+dir+":"+os.Getenv("PATH"))
	flags := []string{"--tool", "race,memory", "caps"}
	if out, code := in(t, dir, env, append([]string{bin, "suite", "-q", "--save", "one.json"}, flags...)...); code != 1 {
		t.Fatalf("exit code %d: %s", code, out)
	}
	script, code := in(t, dir, env, append([]string{bin, "plan", "--for", "slurm", "--shards", "3"}, flags...)...)
	if code != 0 {
		t.Fatal(script)
	}
	script = strings.Replace(script, "mkdir -p", "[ -z \"$VICTIM\" ] || [ $SLURM_ARRAY_TASK_ID != \"$VICTIM\" ] || kill -9 $$\nmkdir -p", 1)
	if err := os.WriteFile(filepath.Join(dir, "suite.sbatch"), []byte(script), 0o666); err != nil {
		t.Fatal(err)
	}
	submit := func(env []string, args ...string) {
		t.Helper()
		if out, code := in(t, dir, env, append([]string{"sbatch"}, args...)...); code != 0 {
			t.Fatalf("sbatch: %s", out)
		}
		for range 600 {
			if out, code := in(t, dir, env, "squeue", "-h"); code == 0 && strings.TrimSpace(out) == "" {
				return
			}
			time.Sleep(200 * time.Millisecond)
		}
		t.Fatal("the jobs do not end")
	}
	submit(append(env, "VICTIM=1"), "suite.sbatch")
	if out, code := in(t, dir, env, bin, "report", "--merge", "results"); code != 1 || !strings.Contains(out, "missing: shard 2/3 of") {
		t.Errorf("without the shard that was killed: exit code %d: %s", code, out)
	}
	submit(env, "--array=1", "suite.sbatch")
	for _, format := range []string{"text", "json", "sarif", "junit", "html"} {
		one, _ := in(t, dir, env, bin, "report", "--format", format, "one.json")
		all, code := in(t, dir, env, bin, "report", "--merge", "--format", format, "results")
		if one != all || code != 1 {
			t.Errorf("%s differs from that of one machine, exit code %d:\n%.3000s", format, code, all)
		}
	}
}

// TestBazel runs a plan as Bazel's tests. What has not changed is not run again, and the results merge to the report of
// one machine.
func TestBazel(t *testing.T) {
	if testing.Short() {
		t.Skip("runs CUDA programs; not in short mode")
	}
	if _, err := exec.LookPath("bazel"); err != nil {
		t.Skip("Bazel is not installed (bazel-bootstrap of Debian)")
	}
	bin := tooltest.Tool(t)
	dir := recorded(t, bin, "examples/boyer/fig1.cu", "examples/boyer/fig1_fixed.cu", "examples/basic/reduce.cu")
	text, err := os.ReadFile(bin)
	if err != nil {
		t.Fatal(err)
	}
	// Bazel wants a program for coverage from the network, which these tests do not need.
	for name, text := range map[string]string{"WORKSPACE": "", "warpgrind": string(text), "none/WORKSPACE": "", "none/run": "",
		"none/BUILD": `filegroup(name = "coverage_report_generator", srcs = ["run"], visibility = ["//visibility:public"])`} {
		file := filepath.Join(dir, name)
		err := os.MkdirAll(filepath.Dir(file), 0o777)
		if err == nil {
			err = os.WriteFile(file, []byte(text), 0o777)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	flags := []string{"--tool", "race,memory", "caps"}
	in(t, dir, nil, append([]string{bin, "suite", "-q", "--save", "one.json"}, flags...)...)
	if out, code := in(t, dir, nil, append([]string{bin, "plan", "--for", "bazel", "-o", "BUILD.bazel"}, flags...)...); code != 0 {
		t.Fatal(out)
	}
	root := "--output_user_root=" + t.TempDir()
	t.Cleanup(func() {
		in(t, dir, nil, "bazel", root, "shutdown")
		in(t, dir, nil, "chmod", "-R", "u+w", strings.TrimPrefix(root, "--output_user_root="))
	})
	test := func() string {
		out, _ := in(t, dir, nil, "bazel", root, "test", "--override_repository=remote_coverage_tools="+dir+"/none", "--test_output=errors", "--keep_going", "//...")
		return out
	}
	first := test()
	zips, err := filepath.Glob(filepath.Join(dir, "bazel-testlogs", "*", "test.outputs", "outputs.zip"))
	if err != nil || len(zips) == 0 {
		t.Skipf("Bazel does not run here: %s", first)
	}
	for _, format := range []string{"text", "json", "sarif", "junit", "html"} {
		one, _ := in(t, dir, nil, bin, "report", "--format", format, "one.json")
		all, code := in(t, dir, nil, slices.Concat([]string{bin, "report", "--merge", "--format", format}, zips)...)
		if one != all || code != 1 {
			t.Errorf("%s differs from that of one machine, exit code %d:\n%.3000s", format, code, all)
		}
	}
	if again := test(); !strings.Contains(again, "Executed 1 out of 8 tests") {
		t.Errorf("more than the test that failed ran again: %s", again)
	}
}
