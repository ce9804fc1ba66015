"""pytest --warpgrind: what warpgrind finds in a kernel fails the test that launched it.

Findings are known when the program under test has ended. So the pytest that the user starts is a controller: it
starts pytest again under "warpgrind run", whose half of this plugin (Recorder) writes down the tests' results and which launch was
made where; then the controller joins them with warpgrind's report, and reports the results as its own.
"""

import ctypes
import json
import os
import shlex
import subprocess
import sys
import sysconfig
import tempfile

import pytest

# The folder in which the recorder leaves its files; it is set in the pytest under warpgrind alone.
FOLDER = "WARPGRIND_PYTEST_FOLDER"


def pytest_addoption(parser):
    group = parser.getgroup("warpgrind", "GPU code without a GPU")
    group.addoption("--warpgrind", action="store_true", help="run the tests under warpgrind: its errors fail the tests that launched the kernels")
    group.addoption("--warpgrind-flags", metavar="FLAGS", help='flags for warpgrind run, such as "--tool race"')
    group.addoption("--warpgrind-report", metavar="FILE", help="keep warpgrind's report")
    parser.addini("warpgrind_flags", "flags for warpgrind run", default="")


def pytest_configure(config):
    if FOLDER in os.environ:
        config.pluginmanager.register(Recorder(config, os.environ[FOLDER]), "warpgrind-recorder")
    elif config.getoption("warpgrind") and not config.getoption("collectonly"):
        if config.getoption("numprocesses", None):
            raise pytest.UsageError("--warpgrind runs all tests in one process: leave -n out")
        config.pluginmanager.register(Controller(config), "warpgrind-controller")


class Recorder:
    """The half under warpgrind."""

    def __init__(self, config, folder):
        self.config, self.test, self.phase = config, None, None
        self.results = open(os.path.join(folder, "results"), "w", buffering=1)
        self.library = [p for p in (sysconfig.get_path(n) for n in ("stdlib", "platstdlib", "purelib", "platlib")) if p]
        self.observer = ctypes.CFUNCTYPE(None, ctypes.c_uint32)(self.launched)  # kept as long as it may be called
        ctypes.CDLL(None)["__wg_observeLaunches"](self.observer)
        self.operators = set()
        self.operator_observer = ctypes.CFUNCTYPE(None, ctypes.c_char_p)(self.operated)
        ctypes.CDLL(None)["__wg_observeOperators"](self.operator_observer)

    def write(self, kind, **data):
        self.results.write(json.dumps({"kind": kind, **data}) + "\n")

    def launched(self, number):
        """Called in the thread that launches."""
        self.write("launch", launch=number, test=self.test, phase=self.phase, place=self.place(sys._getframe(1)))

    def operated(self, where):
        """Called in the thread that has called an operator of PyTorch, with the line of the call."""
        at = (where.decode(), self.test, self.phase)
        if at not in self.operators:
            self.operators.add(at)
            self.write("operator", where=at[0], test=self.test, phase=self.phase)

    def place(self, frame):
        """The innermost line that is not of an installed package or of Python itself."""
        while frame:
            file = os.path.abspath(frame.f_code.co_filename)
            if os.path.isfile(file) and file != os.path.abspath(__file__) and not any(file.startswith(p + os.sep) for p in self.library):
                return {"file": file, "line": frame.f_lineno, "function": frame.f_code.co_name}
            frame = frame.f_back
        return None

    def within(self, item, phase):
        self.test, self.phase = item.nodeid, phase
        yield
        self.test = self.phase = None

    @pytest.hookimpl(hookwrapper=True, tryfirst=True)
    def pytest_runtest_setup(self, item):
        yield from self.within(item, "setup")

    @pytest.hookimpl(hookwrapper=True, tryfirst=True)
    def pytest_runtest_call(self, item):
        yield from self.within(item, "call")

    @pytest.hookimpl(hookwrapper=True, tryfirst=True)
    def pytest_runtest_teardown(self, item):
        yield from self.within(item, "teardown")

    def pytest_runtest_logreport(self, report):
        self.write("result", data=self.config.hook.pytest_report_to_serializable(config=self.config, report=report))

    def pytest_collectreport(self, report):
        if not report.passed:
            self.write("collected", data=self.config.hook.pytest_report_to_serializable(config=self.config, report=report))

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, session, exitstatus):
        self.write("end", status=int(exitstatus))
        session.exitstatus = 0  # failed tests are the controller's to report


class Controller:
    """The half that the user sees."""

    def __init__(self, config):
        self.config, self.outside, self.messages, self.summary = config, [], [], ""

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection(self, session):
        return True  # the other process collects

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session):
        with tempfile.TemporaryDirectory(prefix="pytest-warpgrind-") as folder:
            records, report = self.run(folder)
        findings = findings_by_launch(report)
        failures = {}  # by test and phase
        launches = {r["launch"]: r for r in records if r["kind"] == "launch"}
        operators = [r for r in records if r["kind"] == "operator"]
        for finding, launch in findings:
            at = launches.get(launch)
            text = describe(finding, at and at["place"], self.config.rootpath)
            tests = {(r["test"], r["phase"]) for r in ([at] if at else calling(operators, finding)) if r["test"]}
            for test in tests:
                failures.setdefault(test, []).append(text)
            if not tests:
                self.outside.append(text)
        self.count(report)
        self.replay(session, records, failures)
        if self.outside:
            session.testsfailed += 1
        return True

    def run(self, folder):
        """Runs pytest under warpgrind; returns what was recorded, and the report."""
        config = self.config
        flags = config.getoption("warpgrind_flags")
        flags = shlex.split(config.getini("warpgrind_flags") if flags is None else flags)
        saved = config.getoption("warpgrind_report") or os.path.join(folder, "report.json")
        command = [os.environ.get("WARPGRIND", "warpgrind"), "run", "-q", "--save", saved, "--on-fault", "kernel", *flags, sys.executable, "--",
                   "-m", "pytest", *map(str, config.invocation_params.args)]
        shown = None if config.getoption("capture") == "no" else subprocess.PIPE
        try:
            done = subprocess.run(command, env={**os.environ, FOLDER: folder}, stdout=shown, stderr=subprocess.STDOUT if shown else None,
                                  text=True, errors="replace")
        except OSError as e:
            raise pytest.UsageError(f"--warpgrind: {e}")
        records = []
        if os.path.exists(os.path.join(folder, "results")):
            with open(os.path.join(folder, "results")) as f:
                records = [json.loads(line) for line in f if line.endswith("\n")]
        if not records or records[-1]["kind"] != "end" or not os.path.exists(saved):
            raise pytest.UsageError(f"--warpgrind: the tests did not end (exit code {done.returncode})\n{done.stdout or ''}")
        if records[-1]["status"] in (pytest.ExitCode.INTERNAL_ERROR, pytest.ExitCode.USAGE_ERROR):
            raise pytest.UsageError(f"--warpgrind: pytest failed\n{done.stdout or ''}")
        with open(saved) as f:
            return records, json.load(f)

    def replay(self, session, records, failures):
        hook = self.config.hook

        def load(record):
            return hook.pytest_report_from_serializable(config=self.config, data=record["data"])

        results = [load(r) for r in records if r["kind"] == "result"]
        session.testscollected = len({r.nodeid for r in results})
        for r in records:
            if r["kind"] == "collected":
                hook.pytest_collectreport(report=load(r))
        not_set_up = set()
        for report in results:
            if report.when == "call" and report.nodeid in not_set_up:
                continue
            if report.when == "setup":
                hook.pytest_runtest_logstart(nodeid=report.nodeid, location=report.location)
            texts = failures.get((report.nodeid, report.when))
            if texts and not hasattr(report, "wasxfail"):
                if report.failed:
                    report.sections.append(("warpgrind", "\n\n".join(texts)))
                else:
                    report.outcome, report.longrepr = "failed", "\n\n".join(texts)
                    if report.when == "setup":
                        not_set_up.add(report.nodeid)
            hook.pytest_runtest_logreport(report=report)
            if report.when == "teardown":
                hook.pytest_runtest_logfinish(nodeid=report.nodeid, location=report.location)

    def count(self, report):
        def number(key, one, several):
            n = report["summary"].get(key, 0)
            return f"{n} {one if n == 1 else several}"

        errors = [number(k + "s", k, k + "s") for k in ("error", "warning", "info")]
        self.summary = number("launches", "launch", "launches") + " checked: " + ", ".join(errors)
        self.messages = report.get("messages") or []

    def pytest_terminal_summary(self, terminalreporter):
        if not self.summary:
            return
        terminalreporter.section("warpgrind")
        for text in self.outside:
            terminalreporter.write_line(text + "\n")
        for line in self.messages:
            terminalreporter.write_line(line)
        terminalreporter.write_line(self.summary)


def findings_by_launch(report):
    """The errors of a report, each with the launches that it is known to show in; -1 for none."""
    for shown in report["findings"] or []:
        for f in shown.get("members") or [shown]:
            if f["level"] != "error":
                continue
            at = f.get("launches") or {"first": -1, "last": -1}
            for launch in sorted({at["first"], at["last"]}):
                yield f, launch


def calling(operators, finding):
    """The operators of PyTorch that were called where a finding without a launch is."""
    places = set()
    for at in [finding["primary"], *(finding.get("related") or [])]:
        where = at["location"]
        if where.get("line"):
            places.add((os.path.abspath(where["file"]), where["line"]))
    for operator in operators:
        file, _, line = operator["where"].rpartition(":")
        if line and (os.path.abspath(file), int(line)) in places:
            yield operator


def describe(finding, place, root):
    def relative(file):
        path = os.path.relpath(file, root)
        return file if path.startswith("..") else path

    lines = [f"{finding['level']}[{finding['rule']}]: {finding['message']}"]
    for at in [finding["primary"], *(finding.get("related") or [])]:
        where = at["location"]
        name = f"{relative(where['file'])}:{where['line']}" if where.get("line") else f"PTX line {at.get('ptx_line', 0)}"
        lines.append(f"  {name}: {' '.join(filter(None, [at.get('role') or '', at.get('ptx') or '']))}".rstrip(": "))
    if finding.get("kernel_name"):
        lines.append(f"  in kernel {finding['kernel_name']}")
    if place:
        lines.append(f"  launched at {relative(place['file'])}:{place['line']}, in {place['function']}")
    lines += [f"  note: {n}" for n in finding.get("notes") or []]
    if finding.get("help"):
        lines.append(f"  help: {finding['help']}")
    return "\n".join(lines)
