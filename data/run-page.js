"use strict";
/* Plays a run. All text of callers, programs and windows is put in as text, never as markup. */
(() => {
  const $ = (id) => document.getElementById(id);
  const data = JSON.parse($("data").textContent);
  const steps = data.steps;
  const words = {
    en: { all: "All", failures: "Failures", actions: "Actions", search: "Search the steps", before: "Before", after: "After",
      compare: "Compare", play: "Play or pause (space)", first: "First step (Home)", last: "Last step (End)", previous: "Previous step (←)",
      next: "Next step (→)", speed: "Speed", of: (a, b) => `Step ${a} of ${b}`, steps: (n) => n === 1 ? "1 step" : `${n} steps`,
      failed: (n) => n === 0 ? "no failures" : n === 1 ? "1 failure" : `${n} failures`, by: "by", on: "on", theme: { auto: "Auto", light: "Light", dark: "Dark" },
      other: "中文", noPicture: "No picture was kept of this step.\n\nWhich steps leave pictures is said by the setting evidence.policy.",
      notOnDisk: "Pictures of this run were not written to the disk (evidence.no_screenshots).", nothing: "No step fits.",
      ok: "done", refused: "failed", dry: "dry run", tainted: "tainted run", risk: { low: "low risk", medium: "medium risk", high: "high risk", critical: "critical risk" },
      action: { auto_approve: "approved by policy", notify_only: "approved, owner told", require_approval: "needs approval", always_block: "blocked" },
      took: "took", parameters: "Parameters", decision: "Decision", decided: "decided by", approval: "approval", rules: "Rules", result: "Result",
      reason: "Reason given", project: "Project", untrusted: "Carries text of", caller: "Caller", desktop: "Desktop", pictures: "Pictures", proof: "Proof",
      matches: (n) => `Audit row ${n} names this hash: the step is as it was written down.`, differs: (n) => `Audit row ${n} names another hash: this step was changed after it was written down.`,
      noHash: (n) => `Audit row ${n} names no hash of this step.`, noAudit: "The audit had no row of this step when the page was made.", row: "row hash", hash: "evidence hash",
      sameImage: "The screen did not change", sources: { screen: "the screen", page: "a page", file: "a file", shell: "a shell", clipboard: "the clipboard", programs: "other programs" },
      made: (v) => `Made by Handfast ${v}`, check: "Check the rows themselves: handfast audit verify", keys: "Keys: ← → step · space play · B before/after · / search", problem: "Evidence", hidden: (n) => `hidden, ${n} bytes` },
    zh: { all: "全部", failures: "失败", actions: "操作", search: "搜索步骤", before: "之前", after: "之后",
      compare: "对比", play: "播放或暂停（空格）", first: "第一步（Home）", last: "最后一步（End）", previous: "上一步（←）",
      next: "下一步（→）", speed: "速度", of: (a, b) => `第 ${a} 步，共 ${b} 步`, steps: (n) => `${n} 步`,
      failed: (n) => n === 0 ? "没有失败" : `${n} 次失败`, by: "调用者", on: "桌面", theme: { auto: "自动", light: "浅色", dark: "深色" },
      other: "English", noPicture: "这一步没有保留图片。\n\n哪些步骤保留图片由设置 evidence.policy 决定。",
      notOnDisk: "这次运行的图片没有写入磁盘（evidence.no_screenshots）。", nothing: "没有符合的步骤。",
      ok: "完成", refused: "失败", dry: "试运行", tainted: "已接触外部文本", risk: { low: "低风险", medium: "中风险", high: "高风险", critical: "严重风险" },
      action: { auto_approve: "策略批准", notify_only: "已批准并通知", require_approval: "需要批准", always_block: "已阻止" },
      took: "用时", parameters: "参数", decision: "决定", decided: "依据", approval: "批准编号", rules: "规则", result: "结果",
      reason: "说明", project: "项目", untrusted: "含有来自以下来源的文本", caller: "调用者", desktop: "桌面", pictures: "图片", proof: "证明",
      matches: (n) => `审计第 ${n} 行记有这一步的哈希：内容没有被改动。`, differs: (n) => `审计第 ${n} 行的哈希不同：这一步写下之后被改动过。`,
      noHash: (n) => `审计第 ${n} 行没有这一步的哈希。`, noAudit: "生成本页时审计中没有这一步。", row: "行哈希", hash: "证据哈希",
      sameImage: "屏幕没有变化", sources: { screen: "屏幕", page: "网页", file: "文件", shell: "终端", clipboard: "剪贴板", programs: "其他程序" },
      made: (v) => `由 Handfast ${v} 生成`, check: "校验审计行本身：handfast audit verify", keys: "按键：← → 换步 · 空格 播放 · B 之前/之后 · / 搜索", problem: "证据", hidden: (n) => `已隐藏，${n} 字节` },
  };
  const saved = (key) => { try { return localStorage.getItem(key); } catch { return null; } };
  const save = (key, value) => { try { localStorage.setItem(key, value); } catch { /* kept for this view only */ } };
  let language = saved("hf-language") || ((navigator.language || "en").toLowerCase().startsWith("zh") ? "zh" : "en");
  let theme = saved("hf-theme") || "auto";
  let current = 0, mode = "compare", split = 0.5, filter = "all", timer = 0, speed = 1;
  let t = words[language];

  const make = (tag, className, text) => {
    const element = document.createElement(tag);
    if (className) element.className = className;
    if (text !== undefined) element.textContent = text;
    return element;
  };
  const icon = (path) => {
    const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    const shape = document.createElementNS("http://www.w3.org/2000/svg", "path");
    svg.setAttribute("viewBox", "0 0 24 24");
    shape.setAttribute("d", path);
    svg.append(shape);
    return svg;
  };
  const isHidden = (value) => value && typeof value === "object" && Object.keys(value).length === 1 && Number.isFinite(value.bytes);
  const isRect = (value) => value && typeof value === "object" && Object.keys(value).length === 4 && ["x", "y", "width", "height"].every((key) => Number.isFinite(value[key]));
  const short = (value) => {
    if (isHidden(value)) return t.hidden(value.bytes);
    const text = typeof value === "string" ? value : JSON.stringify(value);
    return text.length > 60 ? text.slice(0, 59) + "…" : text;
  };
  const brief = (step) => Object.entries(step.params || {}).map(([key, value]) => `${key} ${short(value)}`).join(", ");
  const duration = (ms) => ms >= 60000 ? `${(ms / 60000).toFixed(1)} min` : ms >= 1000 ? `${(ms / 1000).toFixed(2)} s` : `${ms < 10 ? ms.toFixed(1) : Math.round(ms)} ms`;
  const clock = (ms) => new Date(ms).toLocaleString(language === "zh" ? "zh-CN" : "en-GB", { dateStyle: "medium", timeStyle: "medium" });
  const picture = (step, which) => step.pictures && step.pictures[which];
  /* Only files of this run, whatever the data says. */
  const source = (kept) => kept && /^screenshots\/[0-9]{1,9}_(before|after)\.jpg$/.test(kept.file || "") ? kept.file : null;
  const isLook = (step) => step.read_only === true;
  const fits = (step) => (filter === "all" || (filter === "failures" ? !step.ok : !isLook(step))) && matchesSearch(step);
  const matchesSearch = (step) => {
    const wanted = $("search").value.trim().toLowerCase();
    return !wanted || step.search.includes(wanted);
  };

  for (const step of steps)
    step.search = [step.tool, step.title, step.step_id, step.reason, JSON.stringify(step.params), JSON.stringify(step.result), JSON.stringify(step.error)].join(" ").toLowerCase();

  /* The list: rows are made once; choosing and filtering only change attributes. */
  const rows = steps.map((step, index) => {
    const row = make("li"), button = make("button");
    button.type = "button";
    const middle = make("span");
    middle.append(make("span", "name", step.tool), make("span", "what"));
    button.append(make("span", "number", String(step.step)), middle, make("span", "dot" + (step.ok ? (isLook(step) ? " look" : "") : " bad")));
    button.addEventListener("click", () => { pause(); show(index); });
    row.append(button);
    return { row, button, what: middle.lastChild };
  });
  const drawBriefs = () => steps.forEach((step, index) => { rows[index].what.textContent = step.ok ? brief(step) : (step.error && step.error.code) || ""; });
  const empty = make("p", "empty");
  $("steps").append(...rows.map((entry) => entry.row), empty);

  const applyFilter = () => {
    let count = 0;
    steps.forEach((step, index) => { const fit = fits(step); rows[index].row.hidden = !fit; count += fit; });
    empty.hidden = count > 0;
  };

  const visible = (index, by) => {
    for (let next = index + by; next >= 0 && next < steps.length; next += by)
      if (fits(steps[next])) return next;
    return index;
  };

  const tabs = (holder, entries, chosen, choose) => {
    holder.replaceChildren(...entries.map(([key, label, disabled]) => {
      const button = make("button", "", label);
      button.type = "button";
      button.setAttribute("role", "tab");
      button.setAttribute("aria-selected", String(key === chosen));
      button.disabled = Boolean(disabled);
      button.addEventListener("click", () => choose(key));
      return button;
    }));
  };

  const drawFilters = () => tabs($("filters"), [["all", t.all], ["actions", t.actions], ["failures", t.failures]], filter, (key) => { filter = key; drawFilters(); applyFilter(); });

  /* What of the two pictures is seen, and where the split lies. */
  const drawMode = () => {
    const step = steps[current];
    const before = source(picture(step, "before")), after = source(picture(step, "after"));
    const same = before && after && picture(step, "before").sha256 === picture(step, "after").sha256;
    const both = before && after && !same;
    const shown = both ? mode : after ? "after" : "before";
    tabs($("modes"), [["before", t.before, !before || same], ["compare", t.compare, !both], ["after", t.after, !after]], before || after ? shown : "", (key) => { mode = key; drawMode(); });
    $("before").classList.toggle("shown", Boolean(before) && shown !== "after");
    $("after").classList.toggle("shown", Boolean(after) && shown !== "before");
    $("before").style.clipPath = shown === "compare" ? `inset(0 ${100 - split * 100}% 0 0)` : "";
    $("divider").hidden = shown !== "compare";
    $("divider").style.left = `${split * 100}%`;
    $("picture").classList.toggle("slide", shown === "compare");
    $("tagBefore").hidden = !(before && shown !== "after");
    $("tagAfter").hidden = !(after && shown !== "before");
    $("tagBefore").textContent = t.before;
    $("tagAfter").textContent = same ? t.sameImage : t.after;
    $("none").hidden = Boolean(before || after);
    $("none").textContent = step.pictures ? t.notOnDisk : t.noPicture;
    drawMark();
  };

  /* Where the pointer was, in the letter-boxed picture. */
  const drawMark = () => {
    const step = steps[current], kept = picture(step, "after") || picture(step, "before");
    const at = step.result && step.result.position;
    const box = $("picture").getBoundingClientRect();
    $("mark").hidden = !(at && Number.isFinite(at.x) && Number.isFinite(at.y) && source(kept) && kept.width > 0 && kept.height > 0);
    if ($("mark").hidden) return;
    const scale = Math.min(box.width / kept.width, box.height / kept.height);
    $("mark").style.left = `${(box.width - kept.width * scale) / 2 + (at.x + 0.5) * scale}px`;
    $("mark").style.top = `${(box.height - kept.height * scale) / 2 + (at.y + 0.5) * scale}px`;
  };

  const setImage = (image, file) => {
    if (file) { if (image.getAttribute("src") !== file) image.src = file; } else image.removeAttribute("src");
  };
  const preload = (index) => {
    for (const which of ["before", "after"]) {
      const file = steps[index] && source(picture(steps[index], which));
      if (file) new Image().src = file;
    }
  };

  /* A value as a person reads it: what was hidden by its length, rectangles in a line, what is large folded away. */
  const cell = (value, code) => {
    if (typeof value === "string") return make("dd", code ? "code" : "", value);
    if (isHidden(value)) return make("dd", "soft", t.hidden(value.bytes));
    if (isRect(value)) return make("dd", "", `${value.x}, ${value.y} · ${value.width} × ${value.height}`);
    const text = JSON.stringify(value);
    if (text.length <= 64) return make("dd", "code", text);
    const holder = make("dd", "code"), fold = make("details"), name = value.title || value.name;
    fold.append(make("summary", "", Array.isArray(value) ? `[ ${value.length} ]` : typeof name === "string" && name ? short(name) : "{ … }"), make("pre", "", JSON.stringify(value, null, 1)));
    holder.append(fold);
    return holder;
  };
  const pairs = (entries) => {
    const list = make("dl");
    for (const [key, value, code] of entries)
      if (value !== undefined && value !== null && value !== "")
        list.append(make("dt", "", key), cell(value, code));
    return list;
  };
  const section = (title, ...content) => content.some((part) => part && part.childElementCount !== 0) ? [make("h3", "", title), ...content] : [];

  const proof = (step) => {
    const audit = step.audit, ticks = { good: "M5 12.5 9.5 17 19 7", bad: "M6 6l12 12M18 6 6 18", none: "M12 7v6M12 16.5v.5" };
    const state = !audit ? "none" : !audit.evidence ? "none" : audit.evidence === step.line_sha256 ? "good" : "bad";
    const text = !audit ? t.noAudit : !audit.evidence ? t.noHash(audit.seq) : state === "good" ? t.matches(audit.seq) : t.differs(audit.seq);
    const line = make("div", "proof " + state);
    line.append(icon(ticks[state]), make("span", "", text));
    const hashes = make("dl");
    if (audit) hashes.append(make("dt", "", t.row), make("dd", "hash", audit.hash));
    hashes.append(make("dt", "", t.hash), make("dd", "hash", step.line_sha256));
    return [line, make("div", ""), hashes];
  };

  const drawDetails = () => {
    const step = steps[current], decision = step.decision || {};
    const chips = make("div", "chips");
    chips.append(make("span", "chip " + (step.ok ? "good" : "bad"), step.ok ? (step.dry_run ? t.dry : t.ok) : t.refused));
    const risk = t.risk[step.risk];
    if (risk) chips.append(make("span", "chip" + (step.risk === "high" || step.risk === "critical" ? " warn" : ""), risk));
    if (t.action[decision.action]) chips.append(make("span", "chip" + (decision.action === "always_block" ? " bad" : decision.approval_id ? " accent" : ""), t.action[decision.action]));
    if (step.tainted) chips.append(make("span", "chip warn", t.tainted));
    const parts = [make("h2", "", step.tool), make("p", "when", `${step.title ? step.title + " · " : ""}${clock(step.time)} · ${t.took} ${duration(step.duration_ms || 0)}`), chips];
    if (step.error) {
      const box = make("div", "error");
      box.append(make("b", "", step.error.code || ""), document.createTextNode(step.error.message || ""));
      if (step.error.suggestion) box.append(make("small", "", "→ " + step.error.suggestion));
      parts.push(box);
    }
    if (step.problem) parts.push(make("div", "note", `${t.problem}: ${step.problem}`));
    parts.push(...section(t.parameters, pairs(Object.entries(step.params || {}).map(([key, value]) => [key, value, typeof value !== "string"]))));
    parts.push(...section(t.decision, pairs([[t.decision, t.action[decision.action] || decision.action], [t.decided, decision.by, true], [t.approval, decision.approval_id, true],
      [t.reason, step.reason], [t.project, step.project], [t.untrusted, (step.untrusted || []).map((name) => t.sources[name] || name).join(", ")],
      [t.caller, step.caller && `${step.caller.name} (${step.caller.kind}, ${step.caller.pid})`], [t.desktop, step.desktop]])));
    parts.push(...section(t.rules, pairs((step.rules || []).map((rule) => [rule.id, rule.message || rule.risk]))));
    parts.push(...section(t.result, pairs(Object.entries(step.result || {}).map(([key, value]) => [key, value, typeof value !== "string"]))));
    if (step.error && step.error.details) parts.push(...section(t.result, pairs(Object.entries(step.error.details).map(([key, value]) => [key, value, true]))));
    parts.push(make("h3", "", t.proof), ...proof(step));
    $("details").replaceChildren(...parts);
    $("details").scrollTop = 0;
  };

  const drawTicks = () => {
    const canvas = $("ticks"), style = getComputedStyle(document.documentElement), ratio = window.devicePixelRatio || 1;
    const width = canvas.width = Math.max(1, canvas.clientWidth * ratio), height = canvas.height = Math.max(1, canvas.clientHeight * ratio);
    const context = canvas.getContext("2d");
    const colours = { ok: style.getPropertyValue("--accent"), bad: style.getPropertyValue("--bad"), look: style.getPropertyValue("--line") };
    context.clearRect(0, 0, width, height);
    const slot = width / steps.length, gap = slot > 4 * ratio ? ratio : 0;
    steps.forEach((step, index) => {
      const bad = !step.ok;
      context.globalAlpha = bad ? 1 : index <= current ? 0.95 : 0.35;
      context.fillStyle = bad ? colours.bad : isLook(step) ? colours.look : colours.ok;
      const tall = bad ? 1 : isLook(step) ? 0.4 : 0.65;
      context.fillRect(index * slot, height * (1 - tall) / 2, Math.max(ratio, slot - gap), height * tall);
    });
  };

  function show(index) {
    const scroll = rows[current] && rows[current].button;
    if (scroll) scroll.removeAttribute("aria-current");
    current = Math.max(0, Math.min(steps.length - 1, index));
    const step = steps[current], button = rows[current].button;
    button.setAttribute("aria-current", "step");
    if (window.innerWidth > 720) button.scrollIntoView({ block: "nearest" });
    setImage($("before"), source(picture(step, "before")));
    setImage($("after"), source(picture(step, "after")));
    $("position").value = String(current);
    $("count").textContent = t.of(current + 1, steps.length);
    drawMode();
    drawDetails();
    drawTicks();
    preload(current + 1);
    history.replaceState(null, "", "#" + (current + 1));
  }

  const pause = () => {
    clearInterval(timer);
    timer = 0;
    $("playShape").setAttribute("d", "M8 5l11 7-11 7z");
  };
  const play = () => {
    if (visible(current, 1) === current) show(visible(-1, 1));
    clearInterval(timer);
    timer = setInterval(() => { const next = visible(current, 1); if (next === current) pause(); else show(next); }, 1400 / speed);
    $("playShape").setAttribute("d", "M7 5h3.5v14H7zM13.5 5H17v14h-3.5z");
  };
  const toggle = () => timer ? pause() : play();
  const step = (by) => { pause(); show(visible(current, by)); };

  const drawWords = () => {
    t = words[language];
    document.documentElement.lang = language === "zh" ? "zh-CN" : "en";
    document.documentElement.dataset.theme = theme;
    document.title = `${data.run_id} – Handfast`;
    $("run").textContent = data.run_id;
    $("run").title = data.run_id;
    $("language").textContent = t.other;
    $("theme").textContent = t.theme[theme];
    $("search").placeholder = t.search;
    $("search").setAttribute("aria-label", t.search);
    $("position").setAttribute("aria-label", t.of(current + 1, steps.length));
    for (const id of ["play", "first", "last", "previous", "next"]) { $(id).title = t[id]; $(id).setAttribute("aria-label", t[id]); }
    $("speed").textContent = `${speed}×`;
    $("speed").title = t.speed;
    empty.textContent = t.nothing;
    const failures = steps.filter((each) => !each.ok).length, firstStep = steps[0], lastStep = steps[steps.length - 1];
    const environment = data.environment || {};
    $("facts").replaceChildren(make("span", "chip accent", t.steps(steps.length)), make("span", "chip " + (failures ? "bad" : "good"), t.failed(failures)),
      make("span", "chip", clock(firstStep.time)), make("span", "chip", duration(lastStep.time - firstStep.time + (lastStep.duration_ms || 0))),
      make("span", "chip", `${t.by} ${(firstStep.caller && firstStep.caller.name) || "?"}`),
      make("span", "chip", `${t.on} ${firstStep.desktop || "?"}` + (environment.width ? ` · ${environment.width} × ${environment.height}` : "")));
    $("footer").replaceChildren(make("span", "", t.made(data.version)), make("span", "", [environment.os, environment.window_manager, environment.layout].filter(Boolean).join(" · ")),
      make("span", "", t.keys), make("span", "", t.check));
    drawFilters();
    drawBriefs();
    applyFilter();
    show(current);
  };

  const slide = (event) => {
    const box = $("picture").getBoundingClientRect();
    split = Math.max(0, Math.min(1, (event.clientX - box.left) / box.width));
    drawMode();
  };
  $("picture").addEventListener("pointerdown", (event) => {
    if (!$("picture").classList.contains("slide")) return;
    $("picture").setPointerCapture(event.pointerId);
    slide(event);
  });
  $("picture").addEventListener("pointermove", (event) => { if ($("picture").hasPointerCapture(event.pointerId)) slide(event); });
  $("first").addEventListener("click", () => { pause(); show(visible(-1, 1)); });
  $("last").addEventListener("click", () => { pause(); show(visible(steps.length, -1)); });
  $("previous").addEventListener("click", () => step(-1));
  $("next").addEventListener("click", () => step(1));
  $("play").addEventListener("click", toggle);
  $("speed").addEventListener("click", () => { speed = speed === 4 ? 0.5 : speed * 2; $("speed").textContent = `${speed}×`; if (timer) play(); });
  $("position").max = String(Math.max(0, steps.length - 1));
  $("position").addEventListener("input", () => { pause(); show(Number($("position").value)); });
  $("search").addEventListener("input", applyFilter);
  $("language").addEventListener("click", () => { language = language === "zh" ? "en" : "zh"; save("hf-language", language); drawWords(); });
  $("theme").addEventListener("click", () => { theme = { auto: "light", light: "dark", dark: "auto" }[theme] || "auto"; save("hf-theme", theme); drawWords(); });
  document.addEventListener("keydown", (event) => {
    if (event.target === $("search")) { if (event.key === "Escape") $("search").blur(); return; }
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const keys = { ArrowLeft: () => step(-1), ArrowUp: () => step(-1), ArrowRight: () => step(1), ArrowDown: () => step(1), " ": toggle,
      Home: () => { pause(); show(visible(-1, 1)); }, End: () => { pause(); show(visible(steps.length, -1)); },
      b: () => { mode = mode === "before" ? "after" : "before"; drawMode(); }, c: () => { mode = "compare"; drawMode(); }, "/": () => $("search").focus() };
    const act = keys[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (act) { event.preventDefault(); act(); }
  });
  new ResizeObserver(() => { drawMark(); drawTicks(); }).observe($("picture"));
  const wanted = parseInt(location.hash.slice(1), 10);
  current = wanted >= 1 && wanted <= steps.length ? wanted - 1 : 0;
  drawWords();
})();
