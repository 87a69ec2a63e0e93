"""Files are read from folders and archives, and nothing in a corpus can do harm."""

from __future__ import annotations

import gzip
import io
import os
import random
import socket
import stat
import tarfile
import tempfile
import zipfile
from pathlib import Path

import pytest

from stacks.errors import SourceError
from stacks.model import Page
from stacks.sources.folders import count_files, list_files, read_files
from stacks.sources.source import PageError


def pages_of(location: Path, **options: object) -> list[tuple[str, bytes]]:
    found = read_files(location, **options)  # type: ignore[arg-type] # passed through
    return [(page.key, page.data) for page in found if isinstance(page, Page)]


def errors_of(location: Path, **options: object) -> list[str]:
    found = read_files(location, **options)  # type: ignore[arg-type] # passed through
    return [str(error) for error in found if isinstance(error, PageError)]


def write_tar(path: Path, members: list[tuple[tarfile.TarInfo, bytes]], mode: str = "w:gz") -> Path:
    with tarfile.open(path, mode) as archive:  # type: ignore[call-overload] # mode is a variable
        for member, data in members:
            member.size = len(data)
            archive.addfile(member, io.BytesIO(data))
    return path


def member(name: str, kind: bytes = tarfile.REGTYPE, link: str = "") -> tarfile.TarInfo:
    info = tarfile.TarInfo(name)
    info.type = kind
    info.linkname = link
    return info


class TestFolders:
    def test_files_come_in_the_order_of_their_names_at_every_level(self, tmp_path: Path) -> None:
        names = ["b/2.md", "a.md", "b/10.md", "c/d/e.md", "Z.md", "c.md"]
        random.Random(3).shuffle(names)  # noqa: S311 # an order, not a secret
        for name in names:
            (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / name).write_text(name)
        keys = [key for key, _ in pages_of(tmp_path)]
        assert keys == ["Z.md", "a.md", "b/10.md", "b/2.md", "c/d/e.md", "c.md"]

    def test_only_wanted_endings_are_read_in_any_case(self, tmp_path: Path) -> None:
        for name in ("a.md", "b.MD", "c.txt", "md"):
            (tmp_path / name).write_text("x")
        assert [key for key, _ in pages_of(tmp_path, suffixes={".md"})] == ["a.md", "b.MD"]
        assert count_files(tmp_path, suffixes={".md"}) == 2
        assert list(list_files(tmp_path, suffixes=[".md"])) == ["a.md", "b.MD"]

    def test_what_systems_leave_behind_is_passed_over_without_a_word(self, tmp_path: Path) -> None:
        for name in ("._a.md", ".DS_Store", ".git/config.md", "__MACOSX/a.md", "kept.md"):
            (tmp_path / name).parent.mkdir(exist_ok=True)
            (tmp_path / name).write_text("x")
        (tmp_path / ".git" / "link").symlink_to("/etc")
        assert pages_of(tmp_path) == [("kept.md", b"x")]
        assert errors_of(tmp_path) == []

    def test_folders_named_by_the_reader_are_left_out(self, tmp_path: Path) -> None:
        (tmp_path / "node_modules").mkdir()
        (tmp_path / "node_modules" / "a.js").write_text("x")
        (tmp_path / "b.js").write_text("y")
        assert pages_of(tmp_path, without={"node_modules"}) == [("b.js", b"y")]

    def test_links_are_reported_and_never_followed(self, tmp_path: Path) -> None:
        secret = tmp_path / "secret"
        secret.mkdir()
        (secret / "password.md").write_text("hunter2")
        corpus = tmp_path / "corpus"
        corpus.mkdir()
        (corpus / "folder").symlink_to(secret)
        (corpus / "file.md").symlink_to(secret / "password.md")
        (corpus / "loop").symlink_to(corpus)
        (corpus / "dangling.md").symlink_to("nowhere")
        assert pages_of(corpus) == []
        assert errors_of(corpus) == [
            f"{name} is a symbolic link; it is not followed"
            for name in ("dangling.md", "file.md", "folder", "loop")
        ]
        assert count_files(corpus) == 0

    @pytest.mark.server
    def test_pipes_and_sockets_are_not_opened(self, tmp_path: Path) -> None:
        os.mkfifo(tmp_path / "pipe.md")
        short = Path(tempfile.mkdtemp(dir="/tmp"))  # a socket's path must be short
        with socket.socket(socket.AF_UNIX) as server:
            server.bind(str(short / "s"))
            (short / "s").rename(tmp_path / "socket.md")
        short.rmdir()
        assert errors_of(tmp_path) == [
            "pipe.md is a pipe, a socket or a device; it is not opened",
            "socket.md is a pipe, a socket or a device; it is not opened",
        ]

    def test_a_file_over_the_limit_states_both_sizes_and_the_rest_is_read(
        self, tmp_path: Path
    ) -> None:
        with (tmp_path / "big.md").open("wb") as file:
            file.truncate(10**12)  # takes no room on the disk, and would take all memory
        (tmp_path / "ok.md").write_bytes(b"x" * 100)
        assert pages_of(tmp_path, largest=100) == [("ok.md", b"x" * 100)]
        assert errors_of(tmp_path, largest=100) == [
            "big.md has 1,000,000,000,000 bytes; the largest that is read has 100"
        ]

    def test_a_file_that_vanishes_while_reading_is_one_error(self, tmp_path: Path) -> None:
        (tmp_path / "a.md").write_text("a")
        (tmp_path / "b.md").write_text("b")
        reading = read_files(tmp_path)
        assert next(reading) == Page("a.md", b"a")
        (tmp_path / "b.md").unlink()
        (error,) = reading
        assert str(error) == "b.md cannot be read: No such file or directory"

    def test_a_file_that_becomes_a_link_while_reading_is_not_followed(self, tmp_path: Path) -> None:
        (tmp_path / "a.md").write_text("a")
        (tmp_path / "b.md").write_text("b")
        reading = read_files(tmp_path)
        next(reading)
        (tmp_path / "b.md").unlink()
        (tmp_path / "b.md").symlink_to("/etc/passwd")
        (error,) = reading
        assert isinstance(error, PageError)

    @pytest.mark.skipif(os.geteuid() == 0, reason="nothing is unreadable to root")
    def test_unreadable_files_and_folders_are_errors_and_the_rest_is_read(
        self, tmp_path: Path
    ) -> None:
        (tmp_path / "closed").mkdir(mode=0)
        (tmp_path / "no.md").write_text("x")
        (tmp_path / "no.md").chmod(0)
        (tmp_path / "yes.md").write_text("x")
        assert pages_of(tmp_path) == [("yes.md", b"x")]
        assert len(errors_of(tmp_path)) == 2

    def test_unreadable_files_are_errors_with_the_systems_reason(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        (tmp_path / "no.md").write_text("x")

        def refuse(*_: object) -> int:
            raise PermissionError(13, "Permission denied")

        monkeypatch.setattr("stacks.sources.folders.os.open", refuse)
        assert errors_of(tmp_path) == ["no.md cannot be read: Permission denied"]

    def test_names_that_are_not_utf8_can_be_stored(self, tmp_path: Path) -> None:
        with open(os.fsencode(tmp_path) + b"/caf\xe9.md", "wb") as file:  # noqa: PTH123 # bytes
            file.write(b"x")
        ((key, data),) = pages_of(tmp_path)
        assert (key, data) == (r"caf\xe9.md", b"x")
        key.encode()

    def test_folders_deeper_than_the_stack_are_read(self, tmp_path: Path) -> None:
        deep = tmp_path.joinpath(*["d"] * 600)
        deep.mkdir(parents=True)
        (deep / "x.md").write_text("deep")
        assert pages_of(tmp_path) == [("d/" * 600 + "x.md", b"deep")]

    def test_an_empty_folder_has_no_pages(self, tmp_path: Path) -> None:
        assert pages_of(tmp_path) == []
        assert count_files(tmp_path) == 0


class TestLocations:
    def test_a_single_file_is_a_corpus_of_one(self, tmp_path: Path) -> None:
        (tmp_path / "a.md").write_text("x")
        assert pages_of(tmp_path / "a.md", suffixes={".md"}) == [("a.md", b"x")]
        assert count_files(tmp_path / "a.md", suffixes={".md"}) == 1

    def test_a_link_that_the_user_names_is_followed(self, tmp_path: Path) -> None:
        (tmp_path / "real").mkdir()
        (tmp_path / "real" / "a.md").write_text("x")
        (tmp_path / "link").symlink_to(tmp_path / "real")
        assert pages_of(tmp_path / "link") == [("a.md", b"x")]

    def test_what_is_not_there_is_named_with_what_is_allowed(self, tmp_path: Path) -> None:
        with pytest.raises(SourceError, match=r"No such file.*give a folder, an archive \(\.tar"):
            read_files(tmp_path / "absent")

    def test_a_file_of_another_kind_is_refused(self, tmp_path: Path) -> None:
        (tmp_path / "a.pdf").write_text("x")
        with pytest.raises(SourceError, match=r"neither a folder nor an archive.*or a \.md file"):
            read_files(tmp_path / "a.pdf", suffixes={".md"})

    def test_a_pipe_is_refused_without_waiting_for_it(self, tmp_path: Path) -> None:
        os.mkfifo(tmp_path / "corpus.tar")
        with pytest.raises(SourceError, match="is a pipe or a device"):
            read_files(tmp_path / "corpus.tar")

    def test_a_name_with_a_nul_is_refused(self) -> None:
        with pytest.raises(SourceError, match="cannot be read"):
            read_files("a\0b")


class TestTarArchives:
    @pytest.mark.parametrize(
        ("name", "mode"),
        [
            ("a.tar", "w"),
            ("a.tar.gz", "w:gz"),
            ("a.tgz", "w:gz"),
            ("a.tar.xz", "w:xz"),
            ("a.tar.bz2", "w:bz2"),
            ("misnamed.tar.gz", "w"),
        ],
    )
    def test_every_compression_is_read_whatever_the_name_says(
        self, tmp_path: Path, name: str, mode: str
    ) -> None:
        members = [(member("./b/x.md"), b"one"), (member("a.md"), b""), (member("c.txt"), b"no")]
        archive = write_tar(tmp_path / name, members, mode)
        assert pages_of(archive, suffixes={".md"}) == [("b/x.md", b"one"), ("a.md", b"")]
        assert list(list_files(archive, suffixes={".md"})) == ["b/x.md", "a.md"]
        assert count_files(archive) is None

    def test_a_member_whose_name_begins_like_a_zip_file_is_no_zip_file(
        self, tmp_path: Path
    ) -> None:
        archive = write_tar(tmp_path / "a.tar", [(member("PKG-INFO"), b"x")], "w")
        assert pages_of(archive) == [("PKG-INFO", b"x")]

    def test_members_that_lead_out_or_are_no_files_are_refused_and_the_rest_is_read(
        self, tmp_path: Path
    ) -> None:
        archive = write_tar(
            tmp_path / "evil.tar.gz",
            [
                (member("../evil.md"), b"x"),
                (member("a/../../evil.md"), b"x"),
                (member("/etc/evil.md"), b"x"),
                (member("..\\evil.md"), b"x"),
                (member("C:\\evil.md"), b"x"),
                (member("link.md", tarfile.SYMTYPE, "/etc/passwd"), b""),
                (member("hard.md", tarfile.LNKTYPE, "good.md"), b""),
                (member("tty.md", tarfile.CHRTYPE), b""),
                (member("pipe.md", tarfile.FIFOTYPE), b""),
                (member("good.md"), b"good"),
            ],
        )
        assert pages_of(archive) == [("good.md", b"good")]
        errors = errors_of(archive)
        assert len(errors) == 9
        assert all(error.startswith("refused ") for error in errors)
        assert sorted(path.name for path in tmp_path.iterdir()) == ["evil.tar.gz"]

    def test_members_with_the_same_name_are_both_read(self, tmp_path: Path) -> None:
        archive = write_tar(tmp_path / "a.tar", [(member("x"), b"1"), (member("x"), b"2")], "w")
        assert pages_of(archive) == [("x", b"1"), ("x", b"2")]

    def test_a_header_that_states_a_hostile_size_is_refused_and_a_large_file_is_not(
        self, tmp_path: Path
    ) -> None:
        large = b"x" * (2**20 + 1)
        archive = write_tar(tmp_path / "large.tar", [(member("large"), large)], "w")
        assert pages_of(archive) == [("large", large)]
        for kind in (tarfile.GNUTYPE_LONGNAME, tarfile.XHDTYPE):
            hostile = member("x", kind)
            hostile.size = 2**20 + 1
            (tmp_path / "evil.tar").write_bytes(hostile.tobuf() + large + b"\0" * 2048)
            with pytest.raises(SourceError, match="a header states a size of 1,048,577 bytes"):
                errors_of(tmp_path / "evil.tar")

    def test_a_large_member_is_passed_over_by_its_stated_size(self, tmp_path: Path) -> None:
        archive = write_tar(
            tmp_path / "a.tar.gz", [(member("big"), b"\0" * 10**6), (member("small"), b"s")]
        )
        assert pages_of(archive, largest=1000) == [("small", b"s")]
        assert errors_of(archive, largest=1000) == [
            "big has 1,000,000 bytes; the largest that is read has 1,000"
        ]

    @pytest.mark.parametrize("mode", ["w", "w:gz", "w:xz"])
    def test_of_an_archive_cut_off_anywhere_what_came_before_is_kept(
        self, tmp_path: Path, mode: str
    ) -> None:
        chance = random.Random(11)  # noqa: S311 # noise that does not compress
        members = [(member(f"{n}"), chance.randbytes(3000)) for n in range(40)]
        data = write_tar(tmp_path / "whole", members, mode).read_bytes()
        expected = [(info.name, content) for info, content in members]
        for cut in (len(data) // 4, len(data) // 2, len(data) * 3 // 4):
            part = tmp_path / "part.tar"
            part.write_bytes(data[:cut])
            pages = pages_of(part)
            (error,) = errors_of(part)
            assert pages == expected[: len(pages)]
            assert error.startswith("part.tar is damaged, the rest of it is lost: ")
            assert len(pages) >= 40 * cut // len(data) - 4

    def test_an_archive_cut_off_between_two_members_says_so(self, tmp_path: Path) -> None:
        whole = write_tar(tmp_path / "a.tar", [(member("x"), b"1"), (member("y"), b"2")], "w")
        (tmp_path / "b.tar").write_bytes(whole.read_bytes()[:1024])
        assert pages_of(tmp_path / "b.tar") == [("x", b"1")]
        assert len(errors_of(tmp_path / "b.tar")) == 1

    def test_a_damaged_header_is_not_taken_for_the_end(self, tmp_path: Path) -> None:
        members = [(member("x"), b"1"), (member("y"), b"2"), (member("z"), b"3")]
        data = bytearray(write_tar(tmp_path / "a.tar", members, "w").read_bytes())
        data[1024 + 10] ^= 0xFF  # in the header of the second member
        (tmp_path / "a.tar").write_bytes(data)
        assert pages_of(tmp_path / "a.tar") == [("x", b"1")]
        assert len(errors_of(tmp_path / "a.tar")) == 1

    def test_a_wrong_checksum_of_the_compression_is_told(self, tmp_path: Path) -> None:
        data = bytearray(write_tar(tmp_path / "a.tar.gz", [(member("x"), b"1")]).read_bytes())
        data[-6] ^= 0xFF
        (tmp_path / "a.tar.gz").write_bytes(data)
        assert pages_of(tmp_path / "a.tar.gz") == [("x", b"1")]
        (error,) = errors_of(tmp_path / "a.tar.gz")
        assert "is damaged" in error

    @pytest.mark.parametrize("data", [b"", b"garbage" * 500, b"\x1f\x8bbroken", b"PK\x03\x04"])
    def test_a_file_that_is_no_archive_is_an_error_of_the_source(
        self, tmp_path: Path, data: bytes
    ) -> None:
        (tmp_path / "a.tar").write_bytes(data)
        with pytest.raises(SourceError, match="is not a"):
            list(read_files(tmp_path / "a.tar"))

    def test_an_archive_without_members_has_no_pages(self, tmp_path: Path) -> None:
        assert pages_of(write_tar(tmp_path / "a.tar", [], "w")) == []

    def test_random_damage_never_raises_anything_else(self, tmp_path: Path) -> None:
        chance = random.Random(5)  # noqa: S311 # noise
        members = [(member(f"folder/{n}" * 12), b"text " * 50) for n in range(20)]
        plain = write_tar(tmp_path / "plain", members, "w").read_bytes()
        target = tmp_path / "a.tar"
        for _ in range(300):
            data = bytearray(plain)
            for _ in range(chance.randint(1, 40)):
                data[chance.randrange(len(data))] = chance.randrange(256)
            target.write_bytes(data)
            try:
                list(read_files(target))
            except SourceError:
                continue

    def test_headers_without_end_or_of_huge_size_do_no_harm(self, tmp_path: Path) -> None:
        header = member("pax", tarfile.XHDTYPE)
        header.size = 0
        chain = header.tobuf(tarfile.USTAR_FORMAT) * 5000
        huge = member("long", tarfile.GNUTYPE_LONGNAME)
        huge.size = 2**40
        negative = bytearray(member("minus").tobuf(tarfile.GNU_FORMAT))
        negative[124:136] = b"\xff" * 12
        negative[148:156] = b" " * 8
        negative[148:156] = b"%06o\0 " % sum(negative)
        for data in (chain, huge.tobuf(tarfile.GNU_FORMAT), bytes(negative)):
            (tmp_path / "a.tar").write_bytes(data + b"\0" * 1024)
            with pytest.raises(SourceError):
                list(read_files(tmp_path / "a.tar"))

    def test_concatenated_compressed_streams_are_one_archive(self, tmp_path: Path) -> None:
        whole = write_tar(tmp_path / "a.tar", [(member("x"), b"1"), (member("y"), b"2")], "w")
        data = whole.read_bytes()
        (tmp_path / "b.tgz").write_bytes(gzip.compress(data[:1024]) + gzip.compress(data[1024:]))
        assert pages_of(tmp_path / "b.tgz") == [("x", b"1"), ("y", b"2")]

    def test_names_that_are_not_utf8_can_be_stored(self, tmp_path: Path) -> None:
        archive = tmp_path / "a.tar"
        with tarfile.open(archive, "w", encoding="latin-1", format=tarfile.GNU_FORMAT) as file:
            file.addfile(member("café.md"))
        assert pages_of(archive) == [("caf\\xe9.md", b"")]


class TestZipArchives:
    def test_members_are_read_and_counted(self, tmp_path: Path) -> None:
        with zipfile.ZipFile(tmp_path / "a.zip", "w", zipfile.ZIP_DEFLATED) as archive:
            archive.mkdir("folder")
            archive.writestr("folder/ü.md", b"one")
            archive.writestr("b.md", b"")
            archive.writestr("c.txt", b"no")
        assert pages_of(tmp_path / "a.zip", suffixes={".md"}) == [
            ("folder/ü.md", b"one"),
            ("b.md", b""),
        ]
        assert count_files(tmp_path / "a.zip", suffixes={".md"}) == 2

    def test_members_that_lead_out_or_are_links_are_refused(self, tmp_path: Path) -> None:
        link = zipfile.ZipInfo("link.md")
        link.external_attr = (stat.S_IFLNK | 0o777) << 16
        with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
            archive.writestr("../evil.md", b"x")
            archive.writestr("/evil.md", b"x")
            archive.writestr("a\\..\\..\\evil.md", b"x")
            archive.writestr(link, b"/etc/passwd")
            archive.writestr("good.md", b"good")
        assert pages_of(tmp_path / "a.zip") == [("good.md", b"good")]
        assert len(errors_of(tmp_path / "a.zip")) == 4

    @pytest.mark.parametrize("compression", ["gz", "bz2", "xz"])
    def test_members_of_a_tar_that_nobody_wants_count_as_well(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, compression: str
    ) -> None:
        monkeypatch.setattr("stacks.sources.archives._LEAST_TOTAL", 2**20)
        bomb = (member("bomb.bin"), bytes(2**25))
        members = [(member("first.md"), b"first"), bomb, (member("last.md"), b"last")]
        path = write_tar(tmp_path / f"a.tar.{compression}", members, f"w:{compression}")
        assert pages_of(path, suffixes=(".md",)) == [("first.md", b"first")]
        (error,) = errors_of(path, suffixes=(".md",))
        assert error == (
            f"{path.name} unpacks to more than 100 times its size; the rest of it is not read; "
            "unpack it yourself if you trust it"
        )
        assert list(list_files(path, suffixes=(".md",))) == ["first.md"]

    def test_a_bomb_is_refused_by_its_stated_size(self, tmp_path: Path) -> None:
        with zipfile.ZipFile(tmp_path / "a.zip", "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("bomb", b"\0" * 10**7)
        (error,) = errors_of(tmp_path / "a.zip", largest=10**6)
        assert error == "bomb has 10,000,000 bytes; the largest that is read has 1,000,000"

    def test_a_bomb_that_lies_about_its_size_is_not_unpacked(self, tmp_path: Path) -> None:
        path = tmp_path / "a.zip"
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("bomb", b"\0" * 10**7)
            archive.writestr("good", b"good")
        size = (10**7).to_bytes(4, "little")
        path.write_bytes(path.read_bytes().replace(size, (10).to_bytes(4, "little")))
        assert pages_of(path, largest=10**6) == [("good", b"good")]
        (error,) = errors_of(path, largest=10**6)
        assert error.startswith("bomb cannot be read: Bad CRC-32")

    def test_damage_in_one_member_leaves_the_others(self, tmp_path: Path) -> None:
        path = tmp_path / "a.zip"
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr("bad", b"A" * 50)
            archive.writestr("good", b"good")
        path.write_bytes(path.read_bytes().replace(b"A" * 50, b"B" * 50))
        assert pages_of(path) == [("good", b"good")]
        assert len(errors_of(path)) == 1

    def test_encrypted_members_are_errors(self, tmp_path: Path) -> None:
        path = tmp_path / "a.zip"
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr("x", b"secret")
        data = bytearray(path.read_bytes())
        data[data.index(b"PK\x01\x02") + 8] |= 1
        path.write_bytes(data)
        assert errors_of(path) == ["x is encrypted; it is not read"]

    def test_names_in_unmarked_utf8_are_read_as_utf8(self, tmp_path: Path) -> None:
        path = tmp_path / "a.zip"
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr("??.md", b"x")
        path.write_bytes(path.read_bytes().replace(b"??.md", "ü.md".encode()))
        assert pages_of(path) == [("ü.md", b"x")]

    def test_random_damage_never_raises_anything_else(self, tmp_path: Path) -> None:
        chance = random.Random(6)  # noqa: S311 # noise
        path = tmp_path / "a.zip"
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            for number in range(10):
                archive.writestr(f"{number}.md", b"text " * 100)
        whole = path.read_bytes()
        for _ in range(300):
            data = bytearray(whole)
            for _ in range(chance.randint(1, 10)):
                data[chance.randrange(4, len(data))] = chance.randrange(256)
            path.write_bytes(data)
            try:
                list(read_files(path))
            except SourceError:
                continue
