"""The wheel, installed alone into an empty venv: it carries the model, and watches an index."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import sysconfig
import venv
import zipfile
from pathlib import Path

import pytest

from recrawler.demo import NewsSite, Section, serve_site

ROOT = Path(__file__).parent.parent


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("dist")
    command = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(out), str(ROOT)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    [made] = out.glob("*.whl")
    return made


def test_it_carries_the_model_and_nothing_of_the_tests(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    assert "recrawler/_models/page.json" in names
    assert not [n for n in names if n.startswith(("tests/", "data/", "benchmarks/"))]
    assert any(n.endswith("licenses/LICENSE") for n in names)


@pytest.mark.slow
def test_installed_alone_it_adds_an_index(wheel: Path, tmp_path: Path) -> None:
    """Dependencies come from this environment by a path, so that no network is needed; recrawler does not:
    a path in a .pth file brings in no other .pth file, so not this checkout's either."""
    venv.create(tmp_path / "venv", with_pip=True)
    python = tmp_path / "venv" / "bin" / "python"
    install = [str(python), "-m", "pip", "install", "--quiet", "--no-deps", "--no-index", str(wheel)]
    subprocess.run(install, check=True, capture_output=True)
    version = f"python{sys.version_info.major}.{sys.version_info.minor}"
    site = tmp_path / "venv" / "lib" / version / "site-packages"
    (site / "dependencies.pth").write_text(sysconfig.get_paths()["purelib"] + "\n")
    where = [str(python), "-c", "import recrawler; print(recrawler.__file__)"]
    bare = {k: v for k, v in os.environ.items() if k != "PYTHONPATH"}
    found = subprocess.run(where, capture_output=True, text=True, check=True, cwd=tmp_path, env=bare).stdout
    assert found.startswith(str(tmp_path))
    news = NewsSite([Section("zh", "zh", 10)])
    news.publish(40)
    config = tmp_path / "c.toml"
    config.write_text('allow_networks = ["127.0.0.0/8"]\n')
    with serve_site(news) as served:
        command = [str(python.with_name("recrawler")), "add-index", served.url("/zh/"), "--json"]
        command += ["--db", str(tmp_path / "r.db"), "--config", str(config)]
        done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path, env=bare)
    assert done.returncode == 0, done.stderr
    visit = json.loads(done.stdout)["visit"]
    assert (visit["outcome"], visit["complete"]) == ("first-visit", True)
