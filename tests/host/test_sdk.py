# SPDX-License-Identifier: Apache-2.0
"""What a stranger does with the SDK: installs it, builds the template and the example plugins on it and on nothing else, and loads
them with the real program."""
import json
import os
import pathlib
import shutil
import subprocess

import pytest

from parts import cgroup
from parts.guest_image import SOURCE
from parts.process import run, spawn, stop
from parts.wait import wait_for

TABLE = pathlib.Path("/run/penstock-processes")  # where the process plugin looks
WARNINGS = "-Wall -Wextra -Wpedantic -Werror"


@pytest.fixture(scope="module")
def prefix(workplace, penstock):
    where = workplace.folder / "sdk"
    run(["cmake", "--install", penstock.source.parents[1], "--component", "sdk", "--prefix", where], timeout=60)
    return where


@pytest.fixture
def project(workplace, unique):
    """A copy of a folder of the source tree, or of the prefix, to build in."""
    copies = []

    def copy(folder):
        copies.append(workplace.folder / unique("project"))
        shutil.copytree(folder, copies[-1])
        return copies[-1]

    yield copy
    for folder in copies:
        shutil.rmtree(folder)


@pytest.fixture(scope="module")
def plugins(workplace):
    """A plugin folder of its own, root's alone."""
    folder = workplace.folder / "sdk-plugins"
    folder.mkdir()
    return folder


def install(plugins, *files):
    for file in files:
        shutil.copyfile(file, plugins / file.name)
        (plugins / file.name).chmod(0o644)


def with_cmake(project, prefix, compiler):
    run(["cmake", "-S", project, "-B", project / "build", f"-DCMAKE_PREFIX_PATH={prefix}", f"-DCMAKE_CXX_COMPILER={compiler}",
         f"-DCMAKE_CXX_FLAGS={WARNINGS}"], timeout=60)
    run(["cmake", "--build", project / "build"], timeout=120)
    return project / "build"


def with_make(project, prefix, *words):
    run(["make", "-C", project, f"CFLAGS=-O2 {WARNINGS}", f"CXXFLAGS=-O2 {WARNINGS}", *words], timeout=120,
        env={**os.environ, "PKG_CONFIG_PATH": str(prefix / "share" / "pkgconfig")})
    return project


def exported(library):
    return [line.split()[-1] for line in run(["nm", "-D", "--defined-only", library]).stdout.splitlines()]


@pytest.mark.parametrize("compiler", ["g++", "clang++"])
def test_the_template_builds_and_passes_its_tests_with_cmake(prefix, project, compiler):
    build = with_cmake(project(prefix / "share" / "penstock" / "template"), prefix, compiler)
    run(["ctest", "--test-dir", build, "--output-on-failure"], timeout=60)
    assert exported(build / "mine.so") == ["penstock_plugin_entry_v1"]
    assert (build / "mine.penstock.toml").exists()


def test_the_renamed_template_builds_with_make_and_is_listed(prefix, project, plugins, penstock):
    copy = project(prefix / "share" / "penstock" / "template")
    run([copy / "rename.sh", "firecracker", "com.example.firecracker"])
    with_make(copy, prefix)
    with_make(copy, prefix, "test")
    assert exported(copy / "firecracker.so") == ["penstock_plugin_entry_v1"]
    install(plugins, copy / "firecracker.so", copy / "firecracker.penstock.toml")
    listed = penstock.json("plugins", "--plugin-dir", plugins)["plugins"]
    found = next(each for each in listed if each["id"] == "com.example.firecracker")
    assert found["kinds"] == ["firecracker"] and found["loaded"] and "error" not in found
    left = subprocess.run(["grep", "-rniw", "mine", copy / "src", copy / "CMakeLists.txt", copy / "README.md"], check=False,
                          stdout=subprocess.PIPE, text=True)
    assert left.stdout == "", "the old name is gone"


def test_renaming_refuses_what_is_no_name(prefix, project):
    copy = project(prefix / "share" / "penstock" / "template")
    for words in (["two words", "com.example.x"], ["Upper", "com.example.x"], ["fine", "nodots"], ["fine"]):
        done = subprocess.run([copy / "rename.sh", *words], check=False, capture_output=True)
        assert done.returncode == 2
    assert (copy / "src" / "mine.cpp").exists(), "nothing half-done"


@pytest.fixture
def writer(parts, unique):
    """A process with a loop device, in the table of the process plugin."""
    assert not TABLE.exists(), f"{TABLE} is there already, and not this test's"
    loop, name = parts.loop(), unique("process")
    process = spawn(["sleep", "1000"])
    pid_file = TABLE.with_suffix(".pid")
    pid_file.write_text(f"{process.pid}\n")
    TABLE.write_text(f"# name, pid file, disks\n{name} {pid_file} {loop.path} /\nended /nowhere.pid /\n")
    yield name, process, loop
    TABLE.unlink()
    pid_file.unlink()
    stop(process)


@pytest.mark.parametrize("compiler", ["gcc", "clang"])
def test_the_plugin_in_c_lists_processes_and_the_kernel_gets_their_limits(prefix, project, plugins, penstock, writer, compiler):
    name, process, loop = writer
    built = with_make(project(SOURCE / "plugins" / "examples" / "process"), prefix, f"CC={compiler}")
    install(plugins, built / "process.so", built / "process.penstock.toml")
    listed = [each for each in penstock.json("list", "--plugin-dir", plugins)["instances"] if each["kind"] == "process"]
    assert [each["name"] for each in listed] == [name], "what does not run is not listed"
    disks = {disk["target"]: disk["device_number"] for disk in listed[0]["disks"]}
    assert disks["disk0"] == loop.number
    assert disks["disk1"] is not None, "the root's file system lies on a device"
    penstock.run("set", f"process/{name}:disk0", "--write-bps", "3M", "--plugin-dir", plugins,
                 *(["--adopt"] if cgroup.version() == 2 else []))
    assert cgroup.limits(cgroup.of_process(process.pid), loop.number) == {"write_bps": 3_000_000}
    penstock.run("clear", f"process/{name}:disk0", "--plugin-dir", plugins)
    assert cgroup.limits(cgroup.of_process(process.pid), loop.number) == {}


@pytest.fixture
def unit(unique):
    """A service as systemd keeps one, with a process in a cgroup below it; made by hand where systemd does not run."""
    tree = next(where for where in (pathlib.Path("/sys/fs/cgroup", part) for part in ("", "systemd", "unified"))
                if (where / "cgroup.procs").exists())
    slice_folder = tree / "system.slice"
    own_slice = not slice_folder.exists()
    service = slice_folder / f"{unique('unit')}.service"
    (service / "payload").mkdir(parents=True)
    process = spawn(["sleep", "1000"])
    (service / "payload" / "cgroup.procs").write_text(str(process.pid))
    yield service, process
    stop(process)
    for folder in (service / "payload", service, *([slice_folder] if own_slice else [])):
        wait_for(lambda at=folder: not at.exists() or _removed(at), f"{folder} to be removable")


def _removed(folder):
    try:
        folder.rmdir()
    except OSError:
        return False
    return True


def test_the_plugin_in_cpp_lists_units_with_their_processes_and_file_systems(prefix, project, plugins, penstock, unit):
    service, process = unit
    build = with_cmake(project(SOURCE / "plugins" / "examples" / "systemd"), prefix, "g++")
    install(plugins, build / "systemd.so", build / "systemd.penstock.toml")
    found = [each for each in penstock.json("list", "--plugin-dir", plugins)["instances"] if each["name"] == service.name]
    assert len(found) == 1 and found[0]["kind"] == "systemd"
    assert found[0]["id"] == f"/system.slice/{service.name}"
    mounted = json.loads(run(["findmnt", "--json", "--output", "TARGET,SOURCE,MAJ:MIN", "--target", "/"]).stdout)["filesystems"][0]
    disks = {disk["target"]: disk for disk in found[0]["disks"]}
    if mounted["source"].startswith("/dev/"):
        assert "rootfs" in disks, disks.keys()
    explained = penstock.json("explain", f"{found[0]['id']}:{next(iter(disks))}", "--plugin-dir", plugins)
    assert [actor["pid"] for actor in explained["actors"]] == [process.pid]


@pytest.fixture
def bad_plugin(workplace, penstock, unique):
    """A folder with the plugin in C that works, and a test's plugin that does not."""
    folder = workplace.folder / unique("plugins")
    folder.mkdir()

    def add(name):
        install(folder, penstock.source.parents[1] / "tests" / "abi" / "plugins" / f"{name}.so")
        (folder / f"{name}.penstock.toml").write_text(
            f'id = "org.penstock.test.{name}"\nname = "Test"\nversion = "1.0"\nkinds = ["test"]\n'
            "abi = { major = 1, min_minor = 0 }\nneeds = []\n")
        (folder / f"{name}.penstock.toml").chmod(0o644)
        return folder

    return add


@pytest.mark.parametrize("name, words", [("aborts", "signal 6"), ("exits", "ended while enumerate_disks: status 0"),
                                         ("hangs", "did not answer by its deadline")])
def test_a_plugin_that_fails_takes_nobody_along(prefix, project, penstock, writer, bad_plugin, name, words):
    folder = bad_plugin(name)
    built = with_make(project(SOURCE / "plugins" / "examples" / "process"), prefix)
    install(folder, built / "process.so", built / "process.penstock.toml")
    done = penstock.run("list", "--json", "--plugin-dir", folder, status=None, timeout=60)
    assert words in done.err, done
    assert writer[0] in [each["name"] for each in done.json["instances"]], done


def test_a_stranger_s_plugin_runs_in_a_process_of_its_own(penstock, bad_plugin):
    """`leaks` starts a thread that never ends: the program is not its process, and leaves nobody behind."""
    folder = bad_plugin("leaks")
    penstock.run("list", "--plugin-dir", folder)
    left = run(["pgrep", "-f", str(penstock.program.with_name("penstock-plugin-host"))], check=False).stdout
    assert left == "", left
    refused = penstock.run("list", "--isolation", "sideways", "--plugin-dir", folder, status=2)
    assert "auto, process or in-process" in refused.err
