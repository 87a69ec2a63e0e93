"""Build the walls of the sandbox, then run the tests inside: a script, standard library only.

A plan is read from standard input. New namespaces (mounts, network, processes, IPC, host name) are
made, with a user namespace if this is not root. The new root is a small file system in memory: it
shows the folders of Python and the system's libraries, to read only, and one private folder to
write. Then all privileges are given up and limits are set. The process inside is the first of its
process namespace: when it ends, the kernel ends whatever it started.

If any of this fails, nothing of an answer is run: the reason goes to the report.
"""

from __future__ import annotations

import ctypes
import json
import os
import resource
import signal
import sys
from pathlib import Path
from typing import Any

CLONE_NEWNS, CLONE_NEWUTS, CLONE_NEWIPC = 0x00020000, 0x04000000, 0x08000000
CLONE_NEWUSER, CLONE_NEWPID, CLONE_NEWNET = 0x10000000, 0x20000000, 0x40000000
MS_RDONLY, MS_NOSUID, MS_NODEV, MS_NOEXEC = 1, 2, 4, 8
MS_REMOUNT, MS_BIND, MS_REC, MS_PRIVATE = 32, 4096, 16384, 1 << 18
MS_NOATIME, MS_NODIRATIME, MS_RELATIME = 1024, 2048, 1 << 21
MNT_DETACH = 2
PR_SET_PDEATHSIG, PR_SET_NO_NEW_PRIVS = 1, 38
PIVOT_ROOT = {"x86_64": 155, "aarch64": 41}
NOBODY = 65534
REFUSED = 125
DEVICES = ("null", "zero", "urandom", "random")

libc = ctypes.CDLL(None, use_errno=True)


def main() -> None:
    """Build the walls, run, and end as the tests end."""
    plan = json.loads(sys.stdin.buffer.read())
    report = plan["report"]
    try:
        first = enclose(plan)
    except OSError as problem:
        os.write(report, json.dumps({"refused": str(problem)}).encode())
        os._exit(REFUSED)
    _, status = os.waitpid(first, 0)
    os._exit(os.waitstatus_to_exitcode(status) & 0xFF)


def enclose(plan: dict[str, Any]) -> int:
    """Make the namespaces and the new root, and return the process that runs inside."""
    call("prctl", PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    is_root = os.geteuid() == 0
    spaces = CLONE_NEWNS | CLONE_NEWUTS | CLONE_NEWIPC | CLONE_NEWPID | CLONE_NEWNET
    if is_root:
        call("unshare", spaces)
    else:
        user, group = os.geteuid(), os.getegid()
        call("unshare", spaces | CLONE_NEWUSER)
        Path("/proc/self/setgroups").write_text("deny")
        Path("/proc/self/uid_map").write_text(f"{user} {user} 1")
        Path("/proc/self/gid_map").write_text(f"{group} {group} 1")
    make_root(plan)
    readable, writable = os.pipe()
    inside = os.fork()
    if inside == 0:
        os.close(writable)
        run_inside(plan, readable, is_root=is_root)
    os.close(readable)
    os.write(writable, plan["nonce"].encode())
    os.close(writable)
    return inside


def make_root(plan: dict[str, Any]) -> None:
    """Move into a new root that holds what the plan names, to read only, and a folder to write."""
    root = plan["root"]
    mount("none", "/", "", MS_REC | MS_PRIVATE)
    options = f"size={plan['disk_bytes']},nr_inodes=10000,mode=755"
    mount("tmpfs", root, "tmpfs", MS_NOSUID | MS_NODEV, options)
    for place in plan["readable"]:
        bind(place, root + place)
    for name in DEVICES:
        bind_device(f"/dev/{name}", root)
    for name, mode in ((plan["folder"], 0o777), ("tmp", 0o777), ("old", 0o700)):
        folder = Path(root, name)
        folder.mkdir(exist_ok=True)
        folder.chmod(mode)
    for name, content in plan["files"].items():
        file = Path(root, plan["folder"], name)
        file.write_text(content)
        file.chmod(0o644)
    number = PIVOT_ROOT.get(os.uname().machine)
    if number is None:
        raise OSError(f"the sandbox does not know the machine {os.uname().machine}")
    call("syscall", number, root.encode(), f"{root}/old".encode())
    os.chdir("/")
    call("umount2", b"/old", MNT_DETACH)
    Path("/old").rmdir()


def bind(source: str, place: str) -> None:
    """Show a file or folder at a place, to read only."""
    if Path(source).is_dir():
        Path(place).mkdir(parents=True, exist_ok=True)
    else:
        Path(place).parent.mkdir(parents=True, exist_ok=True)
        Path(place).touch()
    mount(source, place, "", MS_BIND | MS_REC)
    # In a user namespace, flags that the mount has already must stay.
    kept = os.statvfs(place).f_flag & (
        MS_NODEV | MS_NOSUID | MS_NOEXEC | MS_NOATIME | MS_NODIRATIME
    )
    if os.statvfs(place).f_flag & 4096:  # ST_RELATIME
        kept |= MS_RELATIME
    mount("none", place, "", MS_BIND | MS_REMOUNT | MS_RDONLY | MS_NOSUID | kept)


def bind_device(source: str, root: str) -> None:
    """Show a harmless device."""
    place = Path(root + source)
    place.parent.mkdir(exist_ok=True)
    place.touch()
    mount(source, str(place), "", MS_BIND)


def run_inside(plan: dict[str, Any], nonce: int, *, is_root: bool) -> None:
    """Give up privileges, set limits, and become the tests."""
    try:
        os.setsid()
        os.dup2(nonce, 0)
        os.closerange(3, plan["report"])
        os.closerange(plan["report"] + 1, 4096)
        os.set_inheritable(plan["report"], True)
        set_limits(plan["limits"])
        if is_root:
            become_nobody(plan["user"])
        call("prctl", PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
        call("prctl", PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
        os.chdir("/" + plan["folder"])
        os.execve(plan["python"], [plan["python"], *plan["arguments"]], {})  # noqa: S606 - the tests
    except OSError as problem:
        os.write(plan["report"], json.dumps({"refused": str(problem)}).encode())
    os._exit(REFUSED)


def become_nobody(user: int) -> None:
    """Change to a user that nobody is; inside a container there may be no such number."""
    os.setgroups([])
    try:
        os.setresgid(user, user, user)
        os.setresuid(user, user, user)
    except OSError:
        os.setresgid(NOBODY, NOBODY, NOBODY)
        os.setresuid(NOBODY, NOBODY, NOBODY)


def set_limits(limits: dict[str, int]) -> None:
    """Set the limits of the plan; none can be raised again."""
    for name, value in limits.items():
        kind = getattr(resource, f"RLIMIT_{name}")
        resource.setrlimit(kind, (value, value))


def mount(source: str, target: str, kind: str, flags: int, options: str = "") -> None:
    """Mount, or raise OSError."""
    call(
        "mount", source.encode(), target.encode(), kind.encode() or None, ctypes.c_ulong(flags),
        options.encode() or None,
    )  # fmt: skip


def call(name: str, *arguments: Any) -> None:
    """Call a function of the C library that returns a negative number if it fails."""
    if getattr(libc, name)(*arguments) < 0:
        code = ctypes.get_errno()
        shown = next((each.decode() for each in arguments if isinstance(each, bytes)), "")
        raise OSError(code, f"{name} is not permitted here: {os.strerror(code)}", shown or None)


if __name__ == "__main__":
    main()
