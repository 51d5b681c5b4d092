"""The table for people and the file for programs."""
import datetime
import json
import os
import platform
import subprocess


def _number(value):
    if value is None:
        return "-"
    return f"{value:.2f}" if value < 10 else f"{value:.1f}" if value < 1000 else f"{value:,.0f}"


def _wrong(entry):
    if not entry.wrong:
        return ""
    middle, worst = sorted(entry.wrong)[len(entry.wrong) // 2], max(entry.wrong)
    return str(middle) if worst == middle else f"{middle} (max {worst})"


def _remarks(entry):
    return entry.note + (f"; failed {entry.failures} times" if entry.failures else "")


def _row(entry, ours):
    if entry.problem:
        return [entry.label, "-", "-", "-", "", "", entry.problem[:60]]
    ratio = entry.median / ours if ours and entry.median is not None else None
    return [entry.label, _number(entry.median), _number(entry.p95),
            f"{ratio:.2f}" if ratio is not None else "-", _wrong(entry), str(len(entry.samples)),
            _remarks(entry)]


HEADER = ["", "median", "p95", "x ours", "wrong", "n", ""]


def _aligned(rows):
    widths = [max(len(row[column]) for row in rows) for column in range(len(HEADER))]
    lines = []
    for row in rows:
        cells = [row[0].ljust(widths[0])]
        cells += [cell.rjust(width) for cell, width in zip(row[1:6], widths[1:6])]
        lines.append("  " + "  ".join(cells + [row[6]]).rstrip())
    return lines


def table(job):
    """One job: who, median, p95, the ratio to ours, wrong characters, rounds, remarks."""
    ours = job.ours.median if job.ours else None
    rows = [HEADER] + [_row(entry, ours) for entry in job.entries]
    return "\n".join([f"{job.title} (ms)"] + _aligned(rows))


def checks_table(checks):
    rows = [[check.verdict, check.title, check.shown, check.wanted] for check in checks]
    widths = [max(len(row[column]) for row in rows) for column in range(3)]
    lines = ["What must hold"]
    for row in rows:
        cells = [cell.ljust(width) for cell, width in zip(row, widths)]
        lines.append("  " + "  ".join(cells + [row[3]]))
    return "\n".join(lines)


def machine():
    with open("/proc/cpuinfo") as info:
        model = next((line.split(":", 1)[1].strip() for line in info if line.startswith("model name")),
                     "unknown processor")
    return f"{model}, {os.cpu_count()} cores, Linux {platform.release()}"


def load():
    """How busy the machine is; the programs that are measured count as well."""
    return f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores"


def commit(folder):
    told = subprocess.run(["git", "-C", str(folder), "describe", "--always", "--dirty"],
                          capture_output=True, text=True)
    return told.stdout.strip()


def write_json(path, results):
    path.parent.mkdir(exist_ok=True)
    head = {"date": datetime.datetime.now().astimezone().isoformat(timespec="seconds"),
            "machine": machine(), "load": load(), "commit": commit(path.parent)}
    path.write_text(json.dumps({**head, **results}, indent=1, ensure_ascii=False) + "\n")
