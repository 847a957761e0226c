#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Builds Penstock and passes its tests: unit and ABI tests, the same under ASan and UBSan, the host tests on real QEMU,
# libvirt and LXC, and the lab tests in machines of their own, with cgroup v2 and v1, other device stacks, systemd and Xen.
# About forty minutes on two processors. Needs root for all but unit tests.
#
#   sudo ./test.sh [--unit] [--host] [--lab] [--lint] [--no-setup]
#     --unit      the unit and ABI tests, also with sanitizers; these three may be combined
#     --host      the host tests
#     --lab       the lab tests
#     --lint      clang-tidy as well
#     --no-setup  do not look for missing packages
#   BUILD_DIR=DIR builds there instead of in build, and in DIR-asan
set -uo pipefail
cd "$(dirname "$(readlink -f "$0")")" || exit 1
export PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin # Debian's python3 and tools, whatever is first

unit=0 host=0 lab=0 lint=0 setup=1
while (($#)); do
    case $1 in
        --unit) unit=1 ;;
        --host) host=1 ;;
        --lab) lab=1 ;;
        --lint) lint=1 ;;
        --no-setup) setup=0 ;;
        -h|--help) sed -n '3,13s/^# \?//p' "$0"; exit 0 ;;
        *) echo "test.sh: unknown option '$1'; try --help" >&2; exit 2 ;;
    esac
    shift
done
if ((unit + host + lab == 0)); then unit=1 host=1 lab=1; fi

dir=${BUILD_DIR:-build}
[[ $dir == /* ]] || dir=$PWD/$dir
export PENSTOCK=$dir/bin/penstock
passed=0 failed=0 started=$SECONDS
log=$(mktemp)
beside=$(mktemp -d) # of what runs beside the stages: what it says, and how it ended
trap 'for pid in $(cat "$beside"/*.pid 2>/dev/null); do kill -- "-$pid" 2>/dev/null; done; rm -rf "$log" "$beside"' EXIT

# stage NAME command...: runs it, prints its time; a failure is counted and the other stages still run.
stage() {
    local name=$1 begin=$SECONDS status result
    shift
    echo "--- $name"
    "$@" 2>&1 | tee "$log"
    status=${PIPESTATUS[0]}
    if ((status == 0)); then result="done"; else result="FAILED (status $status)"; fi
    echo "--- $name: $result after $((SECONDS - begin)) s"
    return "$status"
}
# The same for a stage that all the others need; it counts only when it fails.
check() { stage "$@" || { failed=$((failed + 1)); return 1; }; }
# start NAME command...: runs it beside the stages, in the time that processors have left over: the tests on hosts and in the lab
# are mostly waiting, and this takes nothing away from them. `stage NAME finish NAME` waits for it and prints what it said.
start() {
    local name=$1
    shift
    set -m # a process group of its own, to be killed as one
    (chrt --idle --pid 0 "$BASHPID"; "$@" > "$beside/$name" 2>&1; echo $? > "$beside/$name.status") &
    echo $! > "$beside/$name.pid"
    set +m
}
finish() {
    tail --pid="$(<"$beside/$1.pid")" -f /dev/null
    rm "$beside/$1.pid"
    cat "$beside/$1"
    return "$(cat "$beside/$1.status" || echo 1)"
}
count() { # numbers that a test runner said, or one failure if it said none
    local ok=$1 bad=$2 status=$3
    passed=$((passed + ok))
    if ((status != 0 && bad == 0)); then bad=1; fi
    failed=$((failed + bad))
}
number() { local found; found=$(grep -oE "$1" "$log" | tail -1 | grep -oE '[0-9]+' | head -1); echo "${found:-0}"; }

build() { # DIR options...
    local where=$1
    shift
    cmake -S . -B "$where" -G Ninja -DPENSTOCK_WERROR=ON -DPENSTOCK_TESTS=ON "$@" && cmake --build "$where"
}
ctest_in() { # NAME DIR
    stage "$1" ctest --test-dir "$2" --output-on-failure -j "$(nproc)"
    local status=$? total bad
    total=$(number 'out of [0-9]+') bad=$(number '[0-9]+ tests? failed out of')
    count $((total - bad)) "$bad" "$status"
}
pytest_in() { # NAME DIR
    stage "$1" /usr/bin/python3 -B -m pytest "$2"
    local status=$?
    count "$(number '[0-9]+ passed')" $(($(number '[0-9]+ failed') + $(number '[0-9]+ errors?'))) "$status"
}
sources() { git ls-files '*.cpp' '*.hpp' '*.c' '*.h' 2>/dev/null || find core plugins sdk tests/unit -name '*.[ch]*'; }
format() { # by the version that the code is formatted with; others differ in details
    if ! clang-format --version | grep -q 'version 14\.'; then
        echo "not checked: it needs clang-format 14, this is $(clang-format --version)"
        return
    fi
    sources | xargs -r clang-format --dry-run -Werror
}
tidy() { sources | grep -E '^(core|plugins)/.*\.cpp$' | xargs -r -P "$(nproc)" -n 4 clang-tidy -p "$dir" --quiet; }

summary() {
    echo "$passed passed, $failed failed"
    ((failed == 0))
}

lab_images() { tests/lab/build kernel && tests/lab/build xen; }

if ((setup)); then
    check "setup" tools/setup.sh test || { summary; exit 1; }
fi
check "build" build "$dir" || { summary; exit 1; }
if ((lab)); then start "lab images" lab_images; fi
if ((unit)); then
    start "build with sanitizers" build "$dir-asan" -DPENSTOCK_SANITIZE=ON
    ctest_in "unit tests" "$dir"
    check "clang-format" format
    if ((lint)); then check "clang-tidy" tidy; fi
fi
if ((host)); then pytest_in "host tests" tests/host; fi
if ((lab)) && check "lab images" finish "lab images"; then pytest_in "lab tests" tests/lab; fi
if ((unit)) && check "build with sanitizers" finish "build with sanitizers"; then
    ctest_in "unit tests with sanitizers" "$dir-asan"
fi
echo "Total time: $((SECONDS - started)) s"
summary
