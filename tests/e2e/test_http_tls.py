"""TLS at the HTTP door: 1.3 with the user's certificate, and nothing older."""
import http.client
import json
import ssl
import subprocess

import pytest

from handfast import FULL_AUTO
from http_client import address, make_token


@pytest.fixture
def certificate(tmp_path):
    key, certificate = tmp_path / "key.pem", tmp_path / "cert.pem"
    subprocess.run(["openssl", "req", "-x509", "-newkey", "ed25519", "-nodes", "-days", "2", "-subj", "/CN=localhost",
                    "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1", "-keyout", key, "-out", certificate],
                   check=True, capture_output=True)
    return key, certificate


def test_tls(own_desk, certificate):
    key, certificate = certificate
    # The search for leaks trips over what the TLS library maps and unmaps.
    desk = own_desk(config={**FULL_AUTO, "http": {"tls": {"certificate": str(certificate), "key": str(key)}}},
                    environment={"LSAN_OPTIONS": "detect_leaks=0"})
    door = desk.main_bridge.manage("status")["doors"]["http"]
    assert door["tls"] and door["url"].startswith("https://"), door
    token = make_token(desk, "secure")
    host, port = address(desk)
    context = ssl.create_default_context(cafile=certificate)
    connection = http.client.HTTPSConnection(host, port, context=context, timeout=60)
    for _ in range(3):
        connection.request("POST", "/v1/tools/wait", body=b'{"duration": 0}', headers={"Authorization": f"Bearer {token}"})
        response = connection.getresponse()
        assert response.status == 200 and json.loads(response.read())["ok"]
    assert connection.sock.version() == "TLSv1.3"
    connection.request("POST", "/v1/tools/screenshot?raw=1", body=b"{}", headers={"Authorization": f"Bearer {token}"})
    assert connection.getresponse().read()[:2] == b"\xff\xd8"
    connection.close()
    old = ssl.create_default_context(cafile=certificate)
    old.maximum_version = ssl.TLSVersion.TLSv1_2
    with pytest.raises((ssl.SSLError, OSError)):
        http.client.HTTPSConnection(host, port, context=old, timeout=60).request("GET", "/v1/status")
    with pytest.raises((http.client.HTTPException, OSError)):
        plain = http.client.HTTPConnection(host, port, timeout=60)
        plain.request("GET", "/v1/status")
        plain.getresponse()
    large = http.client.HTTPSConnection(host, port, context=context, timeout=60)
    large.putrequest("POST", "/v1/tools/wait")
    large.putheader("Content-Length", str(1 << 30))
    large.putheader("Authorization", f"Bearer {token}")
    large.endheaders()
    assert large.getresponse().status == 413
    large.close()


def test_a_certificate_that_cannot_be_read_is_told(own_desk, tmp_path):
    desk = own_desk(config={**FULL_AUTO, "http": {"tls": {"certificate": str(tmp_path / "none.pem"), "key": "x"}}})
    problem = desk.main_bridge.manage("status")["doors"]["http"]["problem"]
    assert problem["code"] == "CONFIG_INVALID" and "http.tls" in problem["suggestion"]
