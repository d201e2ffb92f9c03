# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Sourced by the scripts next to it: the repository's root, the number of jobs, steps with a title and their time.

root=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.." && pwd)
JOBS=${JOBS:-$(nproc)}
export NINJA_STATUS='[%f/%t, %e s] ' CTEST_PARALLEL_LEVEL=$JOBS CMAKE_BUILD_PARALLEL_LEVEL=$JOBS
# A shell's or a CI's own compiler settings are not part of a preset.
unset CXXFLAGS CPPFLAGS LDFLAGS

say() { printf '\n== %4d s  %s\n' "$SECONDS" "$*"; }

# step TITLE COMMAND ...: says what begins and, should it fail, what failed.
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
