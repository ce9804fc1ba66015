# `make demo` shows warpgrind at work, `make test` checks it. Both need Go and
# make only; what else is missing is installed with apt-get.

GO          ?= go
BIN         := bin/warpgrind
STATICCHECK := honnef.co/go/tools/cmd/staticcheck@v0.8.2
FUZZTIME    ?= 10s
# What --version names, where this is a repository.
COMMIT      := $(shell git rev-parse HEAD 2>/dev/null)
DIRTY       := $(if $(COMMIT),$(shell git diff --quiet HEAD 2>/dev/null || echo +dirty))
STAMP       := $(if $(COMMIT),-ldflags "-X github.com/warpgrind/warpgrind/internal/session.commit=$(COMMIT)$(DIRTY)")

# As releases are built (scripts/release), so that one compilation serves both.
export GOFLAGS := $(strip $(shell $(GO) env GOFLAGS) -trimpath)
export CGO_ENABLED := 0

.DEFAULT_GOAL := build
.PHONY: release check-go build demo test test-short test-long test-arm64 tour man test-toolchains test-torch test-jax lint fuzz bench pruning bench-deps mutants fixes experiments vscode test-vscode install deps clean

# Older versions of Go cannot read go.mod, and say no more than "invalid go version".
check-go:
	@scripts/check-go.sh "$(GO)"

build: check-go
	$(GO) build $(STAMP) -o $(BIN) ./cmd/warpgrind

deps:
	@scripts/install-deps.sh

# The program has a data race, so warpgrind exits 1 here: that is the demo.
demo: deps build
	@scripts/demo.sh $(BIN)

test: deps
	@scripts/test-deps.sh
	@scripts/test.sh

# The tests without those that run many programs: to be used after each change.
test-short: deps
	@scripts/test-deps.sh
	@scripts/test.sh -short

# All tests, each program in more ways: every scheme on every example, both builds and
# more random schedules, all programs with one worker and with two, the pairs that the
# tests of make test choose every n-th of, and fuzzing of the engine. Takes hours.
test-long: deps
	@scripts/test-deps.sh
	@WARPGRIND_LONG_TESTS=1 FUZZTIME=100s TIMEOUT=10h scripts/test.sh

# With NVIDIA's nvcc and headers, Triton and Numba, which are fetched: see
# docs/TOOLCHAINS.md.
test-toolchains: deps
	@scripts/toolchains.sh

# With PyTorch, which is fetched.
test-torch: deps
	@scripts/torch.sh

# With JAX, which is fetched.
test-jax: deps
	@scripts/jax.sh

# A part of the tests as an arm64 program, under QEMU's user emulation.
test-arm64: deps
	@scripts/arm64.sh

# Follows the samples of docs/ci on a Debian with nothing but the package. Needs root.
tour:
	$(GO) run ./scripts/release -o dist -only deb
	@scripts/tour.sh dist/warpgrind_*_amd64.deb

lint:
	$(GO) vet ./...
	$(GO) vet -tags toolchains ./e2e/... ./internal/fix
	@scripts/gofmt.sh
	$(GO) run $(STATICCHECK) ./...

fuzz:
	@scripts/fuzz.sh $(FUZZTIME)

# Writes docs/results/BENCH.md, and prints where the time goes with all checks on.
bench: deps bench-deps build
	$(GO) run ./bench -warpgrind $(BIN) -o docs/results/BENCH.md
	@cat docs/results/BENCH.md
	@dir=$$(mktemp -d) && $(GO) run ./bench -warpgrind $(BIN) -profile $$dir; rm -rf $$dir

# Writes the table of docs/ANALYSIS.md: what the race rule does not watch, and what that saves.
pruning: deps build
	$(GO) run ./bench -warpgrind $(BIN) -pruning -o docs/ANALYSIS.md examples/*/

bench-deps:
	@bench/deps.sh

# Takes barriers, checks and initializations away from the examples, one at a
# time, and writes docs/results/MUTANTS.md: what warpgrind finds of that.
mutants: deps build
	$(GO) run ./scripts/mutants -warpgrind $(BIN) -o docs/results/MUTANTS.md examples
	$(GO) run ./scripts/mutants -async -warpgrind $(BIN) -o docs/results/MUTANTS-ASYNC.md testdata/pipelines

# Lets `warpgrind fix` repair these mutants, and writes docs/results/FIXES.md. It takes hours; EVERY=8 takes one in 8.
fixes: deps build
	$(GO) run ./scripts/mutants -fix -every $(or $(EVERY),1) -from $(or $(FROM),0) -warpgrind $(BIN) -o docs/results/FIXES.md examples

# Repeats the experiments of the papers and writes docs/results/EXPERIMENTS.md: what they
# report, and what comes out here. scripts/experiments-gpu.sh is for a real GPU. With
# RODINIA=dir it writes docs/results/RODINIA.md instead, for the Rodinia benchmarks in that folder, and
# with SDK=dir docs/results/SDK.md, for the files of the CUDA SDK's sample scan.
experiments: deps build
	$(GO) run ./scripts/experiments -warpgrind $(BIN) $(if $(RODINIA),-rodinia "$(RODINIA)" -o docs/results/RODINIA.md,$(if $(SDK),-sdk "$(SDK)" -o docs/results/SDK.md,-o docs/results/EXPERIMENTS.md)) examples

# Writes docs/man and docs/ENVIRONMENT.md from the commands' definitions.
man:
	$(GO) test ./cmd/warpgrind -run 'TestManual|TestEnvironmentPage' -update

# Packs the extension for Visual Studio Code (editors/vscode) as dist/warpgrind.vsix. Needs Node and npm.
vscode:
	@scripts/vscode.sh

# Drives that extension in VS Code with a browser, and leaves pictures in dist/. Skips, and says why, where
# Node 20 or Chromium is missing.
test-vscode:
	@scripts/test-vscode.sh

install: check-go deps
	$(GO) install $(STAMP) ./cmd/warpgrind
	@"$$($(GO) list -f '{{.Target}}' ./cmd/warpgrind)" setup

# Builds what a version is published as in dist/: archive, deb, rpm, wheel, Homebrew formula,
# SBOM, checksums, and a container image where podman or docker runs.
release:
	$(GO) run ./scripts/release -o dist

clean:
	rm -rf bin dist
