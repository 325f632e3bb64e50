"""Which files a sandbox shows to a bot, and which layer is chosen."""

import os
import sys
from pathlib import Path

import pytest

from referee.channels import IsolationError
from referee.channels.isolation import BWRAP, POSIX, files_of
from referee.channels.probing import choose, probe


def made(folder: Path, *names: str) -> list[Path]:
    """Files with these names."""
    files = [folder / name for name in names]
    for file in files:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("#!/bin/sh\n")
        file.chmod(0o755)
    return files


@pytest.fixture
def home(tmp_path, monkeypatch) -> Path:
    folder: Path = tmp_path / "home"
    folder.mkdir()
    monkeypatch.setenv("HOME", str(folder))
    return folder


def shown(*argv: str | Path) -> list[Path]:
    return files_of(tuple(str(word) for word in argv))


def test_of_the_system_nothing_more_is_shown():
    assert shown("/usr/bin/env", "/bin/sh", "-c", "/usr/share") == []


def test_the_folder_of_a_program_is_shown(home, tmp_path):
    (bot,) = made(tmp_path, "mine/bot")
    assert shown(bot) == [tmp_path / "mine"]


def test_the_folder_of_a_script_is_shown_and_of_further_words_only_the_files(home, tmp_path):
    script, model, _ = made(tmp_path, "mine/bot.py", "models/net.bin", "models/secret")
    (tmp_path / "book").mkdir()
    argv = ("/usr/bin/python3", script, model, tmp_path / "book", "--level", "3")
    assert shown(*argv) == [tmp_path / "book", tmp_path / "mine", model]


def test_a_folder_with_a_bot_toml_is_shown_whole(home, tmp_path):
    script, _ = made(tmp_path, "mine/source/deep/bot.py", "mine/bot.toml")
    assert shown("/usr/bin/python3", script) == [tmp_path / "mine"]


@pytest.mark.parametrize("name", ["bot.py", "bin/bot.py"])
def test_the_home_folder_is_never_shown_for_a_file_in_it(home, name):
    (bot,) = made(home, name)
    assert shown(bot) == [bot]
    assert shown("/usr/bin/python3", bot) == [bot]


@pytest.mark.parametrize("name", [".local", ".cargo"])
def test_of_a_shared_installation_only_the_program_and_its_libraries_are_shown(home, name):
    bot, _ = made(home, f"{name}/bin/bot", f"{name}/lib/library")
    assert shown(bot) == [bot, home / name / "lib"]


def test_an_interpreter_comes_with_its_installation_and_all_that_it_links_to(home, tmp_path):
    (python,) = made(tmp_path, "versions/3.11/bin/python3.11")
    (tmp_path / "venv" / "bin").mkdir(parents=True)
    (tmp_path / "venv" / "bin" / "python").symlink_to(python)
    (script,) = made(tmp_path, "mine/bot.py")
    wanted = [tmp_path / "mine", tmp_path / "venv", tmp_path / "versions" / "3.11"]
    assert shown(tmp_path / "venv" / "bin" / "python", script) == wanted


def test_the_interpreter_of_a_script_is_shown(home, tmp_path):
    (interpreter,) = made(tmp_path, "tool/bin/run")
    (script,) = made(tmp_path, "mine/bot")
    script.write_text(f"#!{interpreter}\n")
    assert shown(script) == [tmp_path / "mine", tmp_path / "tool"]


def test_a_word_that_is_no_whole_path_shows_nothing(home, tmp_path):
    script, model = made(tmp_path, "mine/bot.py", "models/net.bin")
    assert shown("/usr/bin/python3", script, f"--model={model}") == [tmp_path / "mine"]


@pytest.fixture
def path(tmp_path, monkeypatch):
    """A PATH on which only what a test puts there is found."""
    folder = tmp_path / "path"
    folder.mkdir()
    monkeypatch.setenv("PATH", str(folder))
    probe.cache_clear()
    yield folder
    probe.cache_clear()


def says(path: Path, words: str) -> None:
    """A bubblewrap that fails."""
    (path / "bwrap").write_text(f'#!/bin/sh\necho "{words}" >&2\nexit 1\n')
    (path / "bwrap").chmod(0o755)


def test_without_bubblewrap_auto_warns_and_takes_posix(path):
    layer, warning = choose("auto")
    assert layer is POSIX
    assert warning == (
        "warning: bots run without a sandbox (bubblewrap (bwrap) is not installed; install "
        "bubblewrap 0.8 or newer (Debian, Ubuntu: sudo apt-get install bubblewrap)); "
        "--isolation posix accepts that"
    )
    assert choose("posix") == (POSIX, "")


@pytest.mark.parametrize("mode", ["bwrap", "strict"])
def test_who_insists_on_a_sandbox_hears_why_there_is_none(path, mode):
    with pytest.raises(IsolationError, match=rf"--isolation {mode}: .*not installed; install "):
        choose(mode)


@pytest.mark.parametrize(
    ("words", "remedy"),
    [
        ("bwrap: setting up uid map: Permission denied", "apparmor_restrict_unprivileged_userns"),
        ("bwrap: loopback: Failed RTM_NEWADDR: Operation not permitted", "apparmor_restrict"),
        ("bwrap: No permissions to create new namespace, likely because", "max_user_namespaces"),
        ("bwrap: Unknown option --disable-userns", "bubblewrap 0.8"),
        ("bwrap: Can't mount proc on /newroot/proc: Operation not permitted", "container"),
        ("bwrap: something else", ""),
    ],
)
@pytest.mark.skipif(sys.platform != "linux", reason="bubblewrap exists for Linux only")
def test_what_bubblewrap_says_is_told_with_a_remedy(path, words, remedy):
    says(path, words)
    found = probe(BWRAP)
    assert (found.works, found.why) == (False, words)
    assert remedy in found.remedy
    assert bool(remedy) == bool(found.remedy)


def test_a_probe_leaves_no_descriptor_open(path):
    says(path, "no")
    before = os.listdir("/proc/self/fd")  # noqa: PTH208 (names, not paths)
    probe(BWRAP)
    assert os.listdir("/proc/self/fd") == before  # noqa: PTH208
