"""Changes to modules of other packages, made when a program imports them."""

import importlib.abc
import importlib.util
import sys


class Finder(importlib.abc.MetaPathFinder):
    """Calls a function with a module when it has been imported."""

    def __init__(self, name, change):
        self.name, self.change = name, change

    def find_spec(self, name, path, target=None):
        if name != self.name:
            return None
        sys.meta_path.remove(self)
        spec = importlib.util.find_spec(name)
        if spec is not None and spec.loader is not None:
            execute = spec.loader.exec_module

            def executed(module):
                execute(module)
                self.change(module)

            spec.loader.exec_module = executed
        return spec


def change(name, change):
    """Calls change with the module of that name, now or when it has been imported."""
    if name in sys.modules:
        change(sys.modules[name])
    else:
        sys.meta_path.insert(0, Finder(name, change))
