"""Adds what the tests need of the repository to the source distribution, so that it can test itself."""

import pathlib
import shutil

from setuptools import setup
from setuptools.command.sdist import sdist

HERE = pathlib.Path(__file__).resolve().parent

#: What tests read outside of the package, relative to the repository.
PARTS = ("Fixtures", "Spec", ".ci/compare-readers", "Python/examples")


class SelfTestingSdist(sdist):
    """A source distribution with a folder `checkout`, which contains parts of the repository."""

    def make_release_tree(self, base_dir: str, files: list[str]) -> None:
        """Copies the files of the package, and then the parts of the repository."""
        super().make_release_tree(base_dir, files)
        # A source distribution can be made again from a source distribution.
        repository = HERE / "checkout" if (HERE / "checkout").is_dir() else HERE.parent
        for part in PARTS:
            source, target = repository / part, pathlib.Path(base_dir, "checkout", part)
            target.parent.mkdir(parents=True, exist_ok=True)
            if source.is_dir():
                shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__"))
            else:
                shutil.copy2(source, target)


setup(cmdclass={"sdist": SelfTestingSdist})
