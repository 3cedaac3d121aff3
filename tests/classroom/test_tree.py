"""Folders and archives as trees. An archive is never unpacked to disk, whatever it holds."""

from __future__ import annotations

import gzip
import io
import os
import stat
import struct
import tarfile
import zipfile
from pathlib import Path

import pytest

from grader.classroom.database import gradebook_beside, name_of
from grader.classroom.folder import MOST_ENTRIES, read_class
from grader.classroom.submission import Submission, Unread
from grader.classroom.tree import LARGEST_CONTENT, MOST_MEMBERS_OF_A_ZIP, opened_class, unpacked
from grader.kit.files import LARGEST_ANSWER, Unreadable
from grader.kit.kit import Kit
from tests.classroom.test_folder import TEXT, kit  # noqa: F401 (a fixture)

Member = tuple[str | zipfile.ZipInfo, bytes]


def packed(*members: Member, method: int = zipfile.ZIP_DEFLATED) -> bytes:
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", method) as archive:
        for name, data in members:
            archive.writestr(name, data, method)
    return held.getvalue()


def answer(name: str | zipfile.ZipInfo = "rope.py", text: str = TEXT) -> Member:
    return name, text.encode()


def link(name: str, to: str) -> Member:
    info = zipfile.ZipInfo(name)
    info.external_attr = (stat.S_IFLNK | 0o777) << 16
    return info, to.encode()


@pytest.fixture
def place(tmp_path: Path) -> Path:
    (tmp_path / "class").mkdir()
    return tmp_path / "class"


def read(path: Path, kit: Kit) -> tuple[list[Submission], list[Unread]]:  # noqa: F811
    with opened_class(path) as top:
        found = read_class(top, kit, kit.names)
        return found.submissions, found.unread


def why(data: bytes, place: Path, kit: Kit) -> list[str]:  # noqa: F811
    """What is said of a zip that a student hands in; another student's answer is read."""
    (place / "eve").mkdir()
    (place / "eve" / "week1.zip").write_bytes(data)
    (place / "ana_rope.py").write_text(TEXT)
    before = set(place.parent.rglob("*"))
    counted, unread = read(place, kit)
    assert [one.student for one in counted if one.student != "eve"] == ["ana"]
    assert set(place.parent.rglob("*")) == before  # nothing is written
    return [one.why for one in unread]


def test_a_zip_is_read_like_the_folder_that_it_holds(place: Path, kit: Kit) -> None:  # noqa: F811
    names = ["oneana_101_5001_rope.py", "m\u00fcnch_104_5006_rope.py", "twobo_LATE_102_5003_rope.py"]
    for name in names:
        (place / name).write_text(TEXT)
    zipped = place.with_suffix(".zip")
    zipped.write_bytes(
        packed(*((name, TEXT.encode()) for name in names), ("index.html", b"x"), ("__MACOSX/x.py", b"x"))
    )
    assert read(zipped, kit) == read(place, kit)
    around = place.with_suffix(".zip")
    around.write_bytes(packed(*((f"class/{name}", TEXT.encode()) for name in names)))
    assert [(one.student, one.late) for one in read(around, kit)[0]] == [("101", False), ("102", True), ("104", False)]


def test_a_download_that_lies_alone_in_a_folder_is_read(place: Path, kit: Kit) -> None:  # noqa: F811
    (place / "submissions.zip").write_bytes(packed(answer("oneana_101_5001_rope.py"), answer("two_102_5002_rope.py")))
    assert [(one.student, one.path) for one in read(place, kit)[0]] == [
        ("101", "submissions.zip/oneana_101_5001_rope.py"),
        ("102", "submissions.zip/two_102_5002_rope.py"),
    ]


@pytest.mark.parametrize("name", ["ana.zip", "ana/week1.zip", "ana/week1/rope.zip"])
def test_the_zip_of_a_student_is_read_like_a_folder(name: str, place: Path, kit: Kit) -> None:  # noqa: F811
    (place / name).parent.mkdir(parents=True, exist_ok=True)
    (place / name).write_bytes(packed(answer("src/rope.py" if name == "ana.zip" else "rope.py")))
    (place / "bo_rope.py").write_text(TEXT)
    assert [one.student for one in read(place, kit)[0]] == ["ana", "bo"]


def test_names_of_macos_and_of_windows_are_understood(place: Path, kit: Kit) -> None:  # noqa: F811
    """macOS writes UTF-8 and does not say so, and accents as characters of their own; some of Windows write backslashes."""
    zipped = place.with_suffix(".zip")
    data = packed(answer("josexx\\rope.py"), answer("bo/rope.py"))
    zipped.write_bytes(data.replace(b"josexx", "jose\u0301".encode()))
    with opened_class(zipped) as top:
        assert sorted(one.name for one in top.inside()) == ["bo", "jos\u00e9"]


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (packed(answer("../rope.py")), "leads out of the archive"),
        (packed(answer("/etc/rope.py")), "leads out of the archive"),
        (packed(answer("C:/rope.py")), "leads out of the archive"),
        (packed(answer("..\\..\\rope.py")), "leads out of the archive"),
        (packed(answer("a//rope.py")), "leads out of the archive"),
        (packed(link("rope.py", "/etc/passwd")), "a link"),
        (packed(answer(), answer(text="x = 2\n")), "two files of the archive have this name"),
        (packed(("a/", b""), answer("a")), "two files of the archive have this name"),
        (packed(answer("a"), answer("a/rope.py")), "a file and a folder of the archive have this name"),
        (packed(("rope.py", b"#" * (LARGEST_ANSWER + 1))), "larger than it may be"),
        (packed(*((f"{one}.py", b"") for one in range(MOST_ENTRIES + 1))), "at most are read in one folder"),
        (
            packed(*((f"{one}", b"") for one in range(MOST_MEMBERS_OF_A_ZIP + 1))),
            f"{MOST_MEMBERS_OF_A_ZIP} at most are read.",
        ),
        (packed(("rope.zip", packed(answer()))), "an archive that is not read here"),
        (packed(answer(), method=zipfile.ZIP_LZMA), "packed in a way that is not read here"),
        (packed(answer())[:-9], "no zip that can be read"),
        (b"PK\x05\x06" + bytes(18), "nothing in it is to be graded"),
        (b"", "no zip that can be read"),
    ],
)
@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_what_is_wrong_in_a_zip_is_a_line(data: bytes, said: str, place: Path, kit: Kit) -> None:  # noqa: F811
    assert any(said in one for one in why(data, place, kit))


def test_a_size_that_a_zip_states_wrongly_is_not_believed(place: Path, kit: Kit) -> None:  # noqa: F811
    """The bytes that come out are counted: 64 MB of zeros say that they are 9 bytes."""
    data = bytearray(packed(("rope.py", bytes(1 << 26))))
    for at, field in ((0, 22), (data.index(b"PK\x01\x02"), 24)):
        data[at + field : at + field + 4] = struct.pack("<I", 9)
    (said,) = why(bytes(data), place, kit)
    assert "cannot be read from the archive" in said or "larger than it may be" in said


@pytest.mark.slow
def test_all_files_of_a_zip_together_are_bounded(place: Path, kit: Kit) -> None:  # noqa: F811
    count = (LARGEST_CONTENT >> 24) + 2
    data = packed(*((f"{one}.ipynb", b" " * (1 << 24)) for one in range(count)))
    assert len(data) < 1 << 20
    said = why(data, place, kit)
    assert sum("the archive holds more than 64 MB" in one for one in said) == 2


def test_an_encrypted_file_is_a_line(place: Path, kit: Kit) -> None:  # noqa: F811
    data = bytearray(packed(answer()))
    data[6] |= 1
    data[data.index(b"PK\x01\x02") + 8] |= 1
    assert "encrypted" in why(bytes(data), place, kit)[0]


def test_a_zip_behind_a_link_or_with_a_second_name_is_not_read(tmp_path: Path, place: Path, kit: Kit) -> None:  # noqa: F811
    private = tmp_path / "private.zip"
    private.write_bytes(packed(answer()))
    os.symlink(private, place / "ana.zip")
    os.link(private, place / "eve.zip")
    (place / "bo_rope.py").write_text(TEXT)
    counted, unread = read(place, kit)
    assert [one.student for one in counted] == ["bo"]
    assert [one.why.partition(":")[0] for one in unread] == ["a link", "a hard link"]


def test_the_archive_of_a_student_may_not_be_larger_than_a_limit(place: Path) -> None:
    (place / "eve.zip").write_bytes(b"")
    os.truncate(place / "eve.zip", 1 << 30)
    with opened_class(place) as top, pytest.raises(Unreadable, match="larger than it may be"):
        unpacked(top.inside()[0])


def test_what_is_neither_a_folder_nor_a_zip_is_told(tmp_path: Path) -> None:
    (tmp_path / "x.zip").write_text("not a zip")
    (tmp_path / "x.html").write_text("")
    for path, said in (
        (tmp_path / "x.zip", "no zip that can be read"),
        (tmp_path / "x.html", "neither a folder nor an archive"),
        (tmp_path / "y", "there is no such file"),
    ):
        with pytest.raises(Unreadable, match=said), opened_class(path):
            pass


@pytest.mark.parametrize(
    "name",
    [f"rope{'-1' * 32_000}.py", f"0/{'a/' * 32_760}rope.py", f"a_1_{'9' * 5_000}_rope.py"],
)
def test_a_very_long_or_deep_name_costs_nothing(name: str, place: Path, kit: Kit) -> None:  # noqa: F811
    assert any("longer or deeper than that of an answer" in one for one in why(packed(answer(name)), place, kit))


def test_a_colon_in_a_name_leads_nowhere(place: Path, kit: Kit) -> None:  # noqa: F811
    place.with_suffix(".zip").write_bytes(packed(answer("ana 10:30/rope.py"), answer("bo/rope.py")))
    assert [one.student for one in read(place.with_suffix(".zip"), kit)[0]] == ["ana 10:30", "bo"]


@pytest.mark.slow
def test_a_failed_read_counts_too(place: Path, kit: Kit) -> None:  # noqa: F811
    """Zeros with a wrong checksum are unpacked before that is seen."""
    data = bytearray(packed(*((f"{one}.ipynb", bytes(1 << 24)) for one in range(8))))
    at = 0
    while (at := data.find(b"PK\x01\x02", at + 1)) > 0:
        data[at + 16] ^= 1
    assert sum("the archive holds more than 64 MB" in one for one in why(bytes(data), place, kit)) == 4


def test_a_time_that_a_student_hands_in_is_not_that_of_the_system(place: Path, kit: Kit) -> None:  # noqa: F811
    late = ("timestamp.txt", b"2020-01-01 00:00:00 UTC")
    (place / "oneana_LATE_101_5001_hw.zip").write_bytes(packed(answer(), late))
    (place / "twobo_102_5002_rope.py").write_text(TEXT)
    assert [(one.student, one.submitted, one.late) for one in read(place, kit)[0]] == [
        ("101", "", True),
        ("102", "", False),
    ]


def test_a_folder_in_a_zip_in_a_folder_is_read(place: Path, kit: Kit) -> None:  # noqa: F811
    """The file of the zip stays open as long as anything in it is used."""
    names = ("oneana_101_5001_rope.py", "two_102_5002_rope.py")
    (place / "inner.zip").write_bytes(packed(*(answer(f"canvas/{name}") for name in names)))
    counted, unread = read(place, kit)
    assert ([one.student for one in counted], unread) == (["101", "102"], [])


def test_what_a_student_says_of_a_class_of_gradescope_is_not_read(
    place: Path,
    kit: Kit,  # noqa: F811
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A number such as 1:1:59:59… takes minutes to read."""
    (place / "ana").mkdir()
    (place / "ana" / "rope.py").write_text(TEXT)
    (place / "ana" / "submission_metadata.yml").write_text("a: 1" + ":1" * 100)
    (place / "bo_rope.py").write_text(TEXT)
    monkeypatch.setattr("yaml.load", None)
    assert [one.student for one in read(place, kit)[0]] == ["ana", "bo"]


def test_an_offset_that_no_file_has_is_a_line(place: Path, kit: Kit) -> None:  # noqa: F811
    data = bytearray(packed(answer()))
    at = data.index(b"PK\x01\x02")
    extra = struct.pack("<HHQ", 1, 8, 2**64 - 1)
    data[at + 42 : at + 46] = b"\xff" * 4
    data[at + 30 : at + 32] = struct.pack("<H", len(extra))
    end = at + 46 + len("rope.py")
    data[end:end] = extra
    tail = data.index(b"PK\x05\x06")
    data[tail + 12 : tail + 16] = struct.pack("<I", 46 + len("rope.py") + len(extra))
    (said,) = why(bytes(data), place, kit)
    assert "cannot be read" in said
    assert "OverflowError" not in said


def tarred(*members: tarfile.TarInfo | tuple[str, bytes], mode: str = "w:gz") -> bytes:
    held = io.BytesIO()
    with tarfile.open(fileobj=held, mode=mode) as archive:
        for one in members:
            if isinstance(one, tarfile.TarInfo):
                archive.addfile(one)
            else:
                info = tarfile.TarInfo(one[0])
                info.size = len(one[1])
                archive.addfile(info, io.BytesIO(one[1]))
    return held.getvalue()


def special(name: str, kind: bytes, to: str = "") -> tarfile.TarInfo:
    info = tarfile.TarInfo(name)
    info.type, info.linkname = kind, to
    return info


@pytest.mark.parametrize("name", ["ana.tar.gz", "ana.TGZ", "ana/week1.tar", "ana/week1/rope.tar.gz"])
@pytest.mark.parametrize("member", ["rope.py", "./rope.py", "./src/rope.py"])
def test_a_tar_file_of_a_student_is_read_like_a_folder(name: str, member: str, place: Path, kit: Kit) -> None:  # noqa: F811
    (place / name).parent.mkdir(parents=True, exist_ok=True)
    root = special(".", tarfile.DIRTYPE)
    member = member.replace("src/", "") if "/" in name else member  # no deeper than in a folder
    (place / name).write_bytes(tarred(root, (member, TEXT.encode()), mode="w" if name.endswith(".tar") else "w:gz"))
    (place / "bo_rope.py").write_text(TEXT)
    before = set(place.parent.rglob("*"))
    counted, unread = read(place, kit)
    assert ([one.student for one in counted], unread) == (["ana", "bo"], [])
    assert set(place.parent.rglob("*")) == before


def test_a_tar_file_of_a_class_is_read_like_the_folder_that_it_holds(place: Path, kit: Kit) -> None:  # noqa: F811
    names = ["oneana_101_5001_rope.py", "twobo_102_5002_rope.py"]
    for name in names:
        (place / name).write_text(TEXT)
    packed_class = place.with_name("class.tar.gz")
    packed_class.write_bytes(tarred(*((name, TEXT.encode()) for name in names)))
    assert read(packed_class, kit) == read(place, kit)
    packed_class.write_bytes(tarred(*((f"./class/{name}", TEXT.encode()) for name in names)))
    assert [one.student for one in read(packed_class, kit)[0]] == ["101", "102"]


@pytest.mark.parametrize("damage", ["cut at a header", "cut in a header", "a bit of a header"])
def test_a_damaged_tar_file_is_not_taken_for_a_shorter_one(damage: str, place: Path, kit: Kit) -> None:  # noqa: F811
    data = bytearray(tarred(*((f"{who}/rope.py", TEXT.encode()) for who in ("ana", "bo", "cy")), mode="w"))
    header = data.index(b"bo/rope.py")
    if damage == "a bit of a header":
        data[header] ^= 1
    else:
        del data[header + (200 if "in" in damage else 0) :]
    packed_class = place.with_name("class.tar")
    packed_class.write_bytes(data)
    with pytest.raises(Unreadable, match="damaged or not whole"):
        read(packed_class, kit)


def why_of_tar(data: bytes, place: Path, kit: Kit) -> list[str]:  # noqa: F811
    (place / "eve").mkdir()
    (place / "eve" / "week1.tar.gz").write_bytes(data)
    (place / "ana_rope.py").write_text(TEXT)
    before = set(place.parent.rglob("*"))
    counted, unread = read(place, kit)
    assert [one.student for one in counted if one.student != "eve"] == ["ana"]
    assert set(place.parent.rglob("*")) == before  # nothing is written
    assert {one.student for one in unread} == {"eve"}
    return [one.why for one in unread]


ROPE = ("rope.py", TEXT.encode())


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (tarred(("../rope.py", b"x")), "leads out of the archive"),
        (tarred(("/etc/rope.py", b"x")), "leads out of the archive"),
        (tarred(("C:/rope.py", b"x")), "leads out of the archive"),
        (tarred(("a/../../rope.py", b"x")), "leads out of the archive"),
        (tarred(special("rope.py", tarfile.SYMTYPE, "/etc/passwd")), "a link"),
        (tarred(ROPE, special("mha_rope.py", tarfile.LNKTYPE, "rope.py")), "a link"),
        (tarred(special("rope.py", tarfile.FIFOTYPE)), "neither a file nor a folder"),
        (tarred(special("rope.py", tarfile.CHRTYPE)), "neither a file nor a folder"),
        (tarred(ROPE, ("rope.py", b"x = 2")), "two files of the archive have this name"),
        (tarred(ROPE, ("./rope.py", b"x = 2")), "two files of the archive have this name"),
        (tarred(("a", b"x"), ("a/rope.py", b"x")), "a file and a folder of the archive have this name"),
        (tarred(("rope.py", b"#" * (LARGEST_ANSWER + 1))), "larger than it may be"),
        (tarred(*((f"{one}", b"") for one in range(MOST_MEMBERS_OF_A_ZIP + 1))), "files and folders are in it"),
        (tarred(*((f"{one}.py", b"") for one in range(MOST_ENTRIES + 1))), "at most are read in one folder"),
        (tarred(("rope.tgz", tarred(ROPE))), "an archive that is not read here"),
        (tarred(("rope.zip", packed(answer()))), "an archive that is not read here"),
        (tarred((f"rope{'-1' * 32_000}.py", b"x")), "longer or deeper than that of an answer"),
        (tarred(ROPE)[:-9], "no tar file that can be read"),
        (tarred(ROPE)[:40], "no tar file that can be read"),
        (b"", "no tar file that can be read"),
        (packed(answer()), "no tar file that can be read"),
    ],
    ids=lambda one: one if isinstance(one, str) else "tar",
)
def test_what_is_wrong_in_a_tar_file_is_a_line(data: bytes, said: str, place: Path, kit: Kit) -> None:  # noqa: F811
    assert any(said in one for one in why_of_tar(data, place, kit))


@pytest.mark.parametrize("name", ["rope.py", "x" * (LARGEST_CONTENT + 1)])
def test_the_bytes_that_come_out_of_a_tar_file_are_counted(name: str, place: Path, kit: Kit) -> None:  # noqa: F811
    """A few thousand bytes hold 65 MB, in a file or in the name of one."""
    data = tarred((name, bytes(LARGEST_CONTENT + 1) if name == "rope.py" else b""))
    assert len(data) < 1 << 20
    assert why_of_tar(data, place, kit) == ["the archive holds more than 64 MB: hand in the answers alone."]


def test_a_size_that_a_tar_file_states_is_not_believed(place: Path, kit: Kit) -> None:  # noqa: F811
    info = tarfile.TarInfo("rope.py")
    info.size = 1 << 40
    (said,) = why_of_tar(gzip.compress(info.tobuf()), place, kit)
    assert "no tar file that can be read" in said


def test_what_lies_in_an_archive_is_to_be_unpacked_before_it_is_changed(place: Path, kit: Kit) -> None:  # noqa: F811
    for name, data in (
        ("eve.zip", packed(answer("a/b/rope.py"), answer("notes.py", "x = 1"))),
        ("bo_rope.py", TEXT.encode()),
    ):
        (place / name).write_bytes(data)
    assert [one.why.partition(": ")[2] for one in read(place, kit)[1]] == [
        "unpack the archive, and move those in it to eve.zip/a.",
        "if it is an answer, unpack the archive, and name it as the problem, for example rope.py.",
    ]


def test_a_stray_file_in_an_archive_of_a_class_is_to_be_unpacked_first(place: Path, kit: Kit) -> None:  # noqa: F811
    zipped = place.with_suffix(".zip")
    zipped.write_bytes(packed(answer("ana/rope.py"), answer("bo/rope.py"), answer("homework.py")))
    (one,) = read(zipped, kit)[1]
    assert one.why == (
        "its name does not say whose it is: unpack the archive, and put it in a folder that is called after the student."
    )


@pytest.mark.parametrize("name", ["week1", "week1.zip", "week1.tar.gz", "WEEK1.TGZ", "week1.tar"])
def test_an_archive_and_the_folder_that_it_would_be_unpacked_to_are_one_class(tmp_path: Path, name: str) -> None:
    assert gradebook_beside(tmp_path / name).name.lower() == "week1.gradebook"
    assert name_of(tmp_path / name).lower() == str(tmp_path / "week1").lower()
