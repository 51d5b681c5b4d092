"""The suite fails if a tool was never called with success."""
import json
import os

import pytest


def test_every_tool_was_called(shared_desk, succeeded_tools, request):
    if len(request.session.items) < 20 or os.environ.get("HF_PARTIAL"):
        pytest.skip("only a part of the suite runs")
    tools = {tool["name"] for tool in json.loads(shared_desk.cli("tools", "--json").stdout)}
    called = {row["tool"] for row in shared_desk.audit() if row["kind"] == "result" and row["code"] == "OK"}
    assert not tools - called - succeeded_tools
