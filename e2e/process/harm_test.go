package process

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/warpgrind/warpgrind/internal/tooltest"
)

// harmScript makes a machine of its own, by an overlay of this one with another /dev, runs commands in it and prints what they
// left. $1 is an empty folder, $2 the tool, $3 the cache, $4 what is done to the machine, $5 the user, $6 redirections of each
// command. The commands are lines of $1/commands.
const harmScript = `set -e
base=$1; mount -t tmpfs none "$base"; mkdir "$base/upper" "$base/work" "$base/root" "$base/log"
mount -t overlay overlay -o lowerdir=/,upperdir="$base/upper",workdir="$base/work" "$base/root" || exit 77
root=$base/root
mkdir -p "$root/dev" "$root/proc"; mount -t tmpfs none "$root/dev"; mkdir "$root/dev/shm"
for d in null zero random urandom; do touch "$root/dev/$d"; mount --bind "/dev/$d" "$root/dev/$d"; done
mkdir -p "$root/wg/home" "$root/wg/tmp" "$root/wg/work" "$root/wg/log" "$root/wg/cache"
mount --bind "$base/log" "$root/wg/log"; chmod 777 "$base/log"
cp "$2" "$root/wg/warpgrind"
cp -r inputs/. "$root/wg/work"
cp -r "$3/." "$root/wg/cache"
case $4 in
proc) mount -t proc none "$root/proc";;
unwritable) mount -t proc none "$root/proc"; chmod -R go-w,go+rX "$root/wg/home" "$root/wg/tmp" "$root/wg/work" "$root/wg/cache";;
full) mount -t tmpfs -o size=60k none "$root/wg/tmp";;
nocache) mv "$root/wg/cache" "$root/wg/kept"; mkdir "$root/wg/cache"; mount -t tmpfs -o size=60k,mode=755 none "$root/wg/cache"
  for s in "$root"/wg/kept/shim-*; do ln -s "/wg/kept/${s##*/}" "$root/wg/cache"; done;;
readonly) mount -t proc none "$root/proc"; mount -o remount,ro,bind "$root";;
esac
# Names, kinds, rights, and of files sizes and times: folders have those of what was made and removed in them.
list() {
  (cd "$base/upper"; find . -path './wg/cache/*' -prune -o -type d -printf '%p %y %m\n' -o -printf '%p %y %m %s %T@\n' | sort)
  (cd "$root"; find dev -printf '%p %y %m\n' | sort)
}
list > "$base/before"
n=0
while read -r line; do
  n=$((n+1)); code=0
  chroot --userspec="$5" "$root" /usr/bin/env -i HOME=/wg/home TMPDIR=/wg/tmp WARPGRIND_CACHE_DIR=/wg/cache PATH=/usr/bin:/bin \
    sh -c "cd /wg/work; exec > /wg/log/$n 2>&1 < /dev/null; timeout -s ABRT 250 /wg/warpgrind $line $6" || code=$?
  echo "exit $code $line"; sed 's/^/  /' "$base/log/$n"
done < commands
list | diff "$base/before" - | sed 's/^/left: /'
[ "$4" != full ] || find "$root/wg/tmp" -mindepth 1 | sed 's/^/left: > /'
for p in /proc/[0-9]*; do
  if [ "$(readlink "$p/root" 2>/dev/null)" = "$root" ]; then echo "left: process $(tr '\0' ' ' < "$p/cmdline")"; fi
done
`

// harmCommands are the commands of README and docs/CI.md in short.
var harmCommands = []string{"run fig1.cu", "check fig1.cu", "report saved.json", "report saved.json -o page.html", "fix fig1.cu", "cc -o app fig1.cu",
	"capsule show capsule/launch-0000-kernel.json", "replay capsule/launch-0000-kernel.json", "judge job.jsonl -o verdicts.jsonl"}

// made are the files that the commands are asked to make.
var made = regexp.MustCompile(`^> \./wg/work/(app|page\.html|verdicts\.jsonl) f `)

type machine struct {
	name, kind, user, closed string
	commands                 []string
}

func harmMachines() []machine {
	const root, other = "0:0", "65534:65534"
	list := []machine{
		{"no proc", "", root, "", harmCommands[:3]},
		{"closed", "proc", root, "<&- >&- 2>&-", harmCommands[:1]},
		{"unwritable", "unwritable", other, "", harmCommands},
		{"full", "full", root, "", []string{"run -D OTHER fig1.cu"}},
		{"full cache", "nocache", root, "", []string{"run -D OTHER fig1.cu", "check fig1.cu", "fix fig1.cu"}},
		{"read-only", "readonly", root, "", harmCommands},
	}
	if tooltest.Long() {
		for i := range list {
			list[i].commands = harmCommands
		}
		for i, c := range []string{"<&-", ">&-", "2>&-", "<&- >&-", "<&- 2>&-", ">&- 2>&-"} {
			list = append(list, machine{fmt.Sprint("closed ", i), "proc", root, c, harmCommands})
		}
	}
	return list
}

// TestMachineUntouched: commands on machines where little works end with a line that says so, and leave nothing: no file outside
// the cache and what they were asked for, no process.
func TestMachineUntouched(t *testing.T) {
	t.Parallel()
	if os.Geteuid() != 0 || exec.Command("unshare", "-m", "true").Run() != nil {
		t.Skip("needs root and mount namespaces")
	}
	bin, dir := tooltest.Tool(t), t.TempDir()
	cache := tooltest.FreshCache(t, "")
	harmInputs(t, bin, cache, filepath.Join(dir, "inputs"))
	for _, m := range harmMachines() {
		t.Run(m.name, func(t *testing.T) {
			if err := os.WriteFile(filepath.Join(dir, "commands"), []byte(strings.Join(m.commands, "\n")+"\n"), 0o644); err != nil {
				t.Fatal(err)
			}
			cmd := exec.Command("unshare", "-m", "sh", "-c", harmScript, "sh", t.TempDir(), bin, cache, m.kind, m.user, m.closed)
			cmd.Dir = dir
			out, err := outputWithin(cmd, 15*time.Minute)
			if cmd.ProcessState != nil && cmd.ProcessState.ExitCode() == 77 {
				t.Skip("no overlay file system")
			}
			if err != nil {
				t.Errorf("%v\n%s", err, out)
			}
			checkHarm(t, out)
			full := strings.Count(unwrapped(out), "the cache keeps nothing, so that each run compiles again: /wg/cache/results: no space left on device")
			if want := map[bool]int{true: 3}[m.kind == "nocache"]; full != want { // run, check, fix
				t.Errorf("%d lines about a full cache, want %d", full, want)
			}
		})
	}
}

// harmInputs makes what the commands read, and fills the cache.
func harmInputs(t *testing.T, bin, cache, dir string) {
	t.Helper()
	source, err := os.ReadFile("internal/check/race/shared/testdata/fig1.cu")
	if err == nil {
		err = os.MkdirAll(dir, 0o755)
	}
	const main = "\nint main() { int *m; cudaMalloc(&m, 256); kernel<<<1, 64, 256>>>(m); return cudaDeviceSynchronize() + cudaFree(m); }\n"
	const job = `{"version": 1, "source": "__global__ void one(int *y) { y[threadIdx.x] = 1; }", "shapes": {}, "arguments": [{"name": "y", "type": "i32", "role": "output", "shape": [32]}],` +
		` "launches": [{"kernel": "one", "grid": [1], "block": [32]}], "reference": {"source": "void reference(int *y) { for (int i = 0; i < 32; i++) y[i] = 1; }"}}`
	for name, text := range map[string]string{"fig1.cu": string(source) + main, "job.jsonl": job + "\n"} {
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644)
		}
	}
	cmd := exec.Command(bin, "run", "-q", "--save", "saved.json", "--record", "capsule", "fig1.cu")
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "WARPGRIND_CACHE_DIR="+cache)
	if out, runErr := cmd.CombinedOutput(); err != nil || cmd.ProcessState.ExitCode() != 1 {
		t.Fatalf("%v, %v\n%s", err, runErr, out)
	}
}

// checkHarm reads what harmScript prints.
func checkHarm(t *testing.T, out string) {
	t.Helper()
	for line := range strings.Lines(out) {
		line = strings.TrimSpace(line)
		if left, ok := strings.CutPrefix(line, "left: "); ok && !made.MatchString(left) && strings.ContainsAny(left[:1], "<>p") {
			t.Error(line)
		}
		var code int
		if n, _ := fmt.Sscanf(line, "exit %d", &code); n == 1 && (code == 6 || code > 7) {
			t.Error(line)
		}
	}
	t.Log(out)
}
