"""pytest collects every .cu file below this folder as a test of its own.

A program is a test that passes if warpgrind has nothing to say at error level.
Flags for warpgrind come from --warpgrind, for example
    pytest --warpgrind "--tool race -D RACE"
"""
import json
import shlex
import subprocess

import pytest


def pytest_addoption(parser):
    parser.addoption("--warpgrind", default="", help="flags for warpgrind run")


def pytest_collect_file(parent, file_path):
    if file_path.suffix == ".cu":
        return Program.from_parent(parent, path=file_path)


class Program(pytest.File):
    def collect(self):
        yield Check.from_parent(self, name="warpgrind")


class Finding(Exception):
    pass


class Check(pytest.Item):
    def runtest(self):
        flags = shlex.split(self.config.getoption("--warpgrind"))
        command = ["warpgrind", "run", "--format", "json", *flags, str(self.path)]
        run = subprocess.run(command, capture_output=True, text=True)
        if run.returncode == 0:
            return
        if run.returncode != 1:  # it did not compile, crashed, or launched no kernel
            raise Finding(run.stderr or f"exit code {run.returncode}")
        raise Finding("\n".join(describe(f) for f in json.loads(run.stdout)["findings"]))

    def repr_failure(self, excinfo):
        if isinstance(excinfo.value, Finding):
            return str(excinfo.value)
        return super().repr_failure(excinfo)

    def reportinfo(self):
        return self.path, 0, f"warpgrind: {self.path.name}"


def describe(finding):
    at = finding["primary"]["location"]
    text = f"{at['file']}:{at['line']}: {finding['level']}[{finding['rule']}]: {finding['message']}"
    return text + (f"\n  help: {finding['help']}" if "help" in finding else "")
