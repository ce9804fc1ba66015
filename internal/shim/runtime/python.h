// See python.cpp.
#pragma once

namespace warpgrind {

// While it lives, calls of this thread come from the innermost line of the Python program that is neither in an installed
// package nor in Python's own modules; without effect outside of Python, and where the place is known already. It takes
// Python's lock for a moment, so that no lock of ours may be held.
class AtPythonLine {
public:
  AtPythonLine();
  ~AtPythonLine();
  AtPythonLine(const AtPythonLine &) = delete;
  AtPythonLine &operator=(const AtPythonLine &) = delete;

private:
  bool set_ = false;
};

} // namespace warpgrind
