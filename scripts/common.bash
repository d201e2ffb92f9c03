# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Sourced by the scripts of this folder: the repository's root, the number of parallel jobs, and
# steps with a title and their time.

root=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.." && pwd)
JOBS=${JOBS:-$(nproc)}
export NINJA_STATUS='[%f/%t, %e s] ' CTEST_PARALLEL_LEVEL=$JOBS CMAKE_BUILD_PARALLEL_LEVEL=$JOBS
# The presets do not include compiler settings of the shell or of CI.
unset CXXFLAGS CPPFLAGS LDFLAGS

say() { printf '\n== %4d s  %s\n' "$SECONDS" "$*"; }

# step TITLE COMMAND ...: prints the title, runs the command, and names the step if it fails.
step() {
  local title=$1 begin=$SECONDS status=0
  shift
  say "$title"
  "$@" </dev/null || status=$?
  if ((status != 0)); then
    printf '\n== %4d s  FAILED after %d s (status %d): %s\n' "$SECONDS" "$((SECONDS - begin))" "$status" "$title" >&2
    exit "$status"
  fi
  printf '== %4d s  done in %d s: %s\n' "$SECONDS" "$((SECONDS - begin))" "$title"
}

in_root() { (cd -- "$root" && "$@"); }
