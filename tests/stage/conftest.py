"""Stages for tests; what is started is ended."""
import shutil
import tempfile

import pytest
from stages import Stage


@pytest.fixture
def runtime():
    """A runtime directory, short enough for sockets."""
    path = tempfile.mkdtemp(prefix="hf")
    yield path
    shutil.rmtree(path, ignore_errors=True)


@pytest.fixture
def start(runtime):
    stages = []

    def start_stage(name="v1", runtime_dir=runtime, **options):
        stages.append(Stage(runtime_dir, name, **options))
        return stages[-1]

    yield start_stage
    for stage in stages:
        stage.close()


@pytest.fixture
def desktop(start):
    return start(own_home=True).ready()
