/* Handfast injects this script into each frame of a page, in an isolated world that the page cannot
 * see or touch. It finds elements, checks whether they can be acted on, reads them, and reports the
 * effect of an action. Replies are plain values. It changes nothing in the page unless asked to.
 *
 * Replies about a query have a member "at", which hand/browser/page/page-target.c parses:
 *   none    nothing matches
 *   many    several elements match
 *   others  other frames have to be counted before anything is done here
 *   wait    the element cannot be acted on yet ("why")
 *   bad     the element cannot take this action at all ("why")
 *   secure  a password field that the owner has not agreed to
 *   ready   the element can be clicked at x, y
 *   done    the action was performed, or the content was read */
(() => {
  if (globalThis.hf) return;
  const closed = new WeakMap(); /* host -> its closed shadow root, which only the browser can provide */
  const byNumber = new Map(), numbers = new WeakMap();
  const SILENT = new Set(["SCRIPT", "STYLE", "NOSCRIPT", "HEAD", "TEMPLATE", "TITLE"]);
  const rootOf = (e) => e.shadowRoot || closed.get(e) || null;
  const tidy = (text) => (text || "").replace(/[\s\u200b\u00a0]+/g, " ").trim();
  const fold = (text) => tidy(text).toLowerCase();
  const cut = (text, most) => (text.length > most ? text.slice(0, most - 1) + "…" : text);
  const frame = () => new Promise((done) => { requestAnimationFrame(() => done()); setTimeout(done, 100); });
  const pause = (ms) => new Promise((done) => setTimeout(done, ms));

  /* ---- trees ---- */
  let trees = null; /* the roots that the current search has walked: a large page is not walked twice */
  function roots(from = document) {
    const found = [from];
    for (let i = 0; i < found.length; i++)
      for (const e of found[i].querySelectorAll("*")) {
        const root = rootOf(e);
        if (root) found.push(root);
      }
    if (from === document) trees = found;
    return found;
  }
  function above(node) {
    return node.assignedSlot || node.parentElement || (node.getRootNode() instanceof ShadowRoot ? node.getRootNode().host : null);
  }
  function contains(outer, node) {
    for (; node; node = above(node)) if (node === outer) return true;
    return false;
  }
  function childrenOf(node) {
    if (node.nodeName === "SLOT" && node.assignedNodes().length) return node.assignedNodes();
    const root = node.nodeType === 1 ? rootOf(node) : null;
    return root ? root.childNodes : node.childNodes;
  }

  /* ---- visibility and state ---- */
  function isVisible(e) {
    const style = getComputedStyle(e);
    if (style.display === "contents") return [...e.children].some(isVisible);
    if (style.visibility !== "visible" || style.display === "none") return false;
    const box = e.getBoundingClientRect();
    return box.width > 0 && box.height > 0;
  }
  function isHidden(e) {
    const style = getComputedStyle(e);
    return style.display === "none" || (style.visibility !== "visible" && style.display !== "contents") || e.getAttribute("aria-hidden") === "true";
  }
  function isEnabled(e) {
    if (e.matches(":disabled")) return false;
    for (let n = e; n; n = above(n)) if (n.getAttribute("aria-disabled") === "true") return false;
    return true;
  }
  function isSecure(e) {
    return e.localName === "input" && (e.type === "password" || getComputedStyle(e).webkitTextSecurity !== "none");
  }
  function isEditable(e) {
    if (e.isContentEditable) return true;
    if (!["input", "textarea", "select"].includes(e.localName)) return false;
    return !e.readOnly && e.getAttribute("aria-readonly") !== "true";
  }

  /* ---- names ---- */
  const INPUTS = { button: "button", submit: "button", reset: "button", image: "button", checkbox: "checkbox", radio: "radio", range: "slider", number: "spinbutton", search: "searchbox", file: "button", color: "button", hidden: "" };
  const TAGS = {
    A: (e) => (e.hasAttribute("href") ? "link" : ""), AREA: (e) => (e.hasAttribute("href") ? "link" : ""), BUTTON: "button", SUMMARY: "button", TEXTAREA: "textbox",
    INPUT: (e) => (e.type in INPUTS ? INPUTS[e.type] : e.hasAttribute("list") ? "combobox" : "textbox"), SELECT: (e) => (e.multiple || e.size > 1 ? "listbox" : "combobox"),
    OPTION: "option", OPTGROUP: "group", H1: "heading", H2: "heading", H3: "heading", H4: "heading", H5: "heading", H6: "heading", IMG: "img", UL: "list", OL: "list", LI: "listitem",
    TABLE: "table", TR: "row", TD: "cell", TH: "columnheader", NAV: "navigation", MAIN: "main", HEADER: "banner", FOOTER: "contentinfo", FORM: "form", ARTICLE: "article", ASIDE: "complementary",
    DIALOG: "dialog", FIELDSET: "group", PROGRESS: "progressbar", METER: "meter", HR: "separator", P: "paragraph", IFRAME: "iframe", FRAME: "iframe", CANVAS: "canvas", VIDEO: "video", AUDIO: "audio", LABEL: "label",
  };
  const SAME = { field: "textbox", entry: "textbox", input: "textbox", "text field": "textbox", "text box": "textbox", "check box": "checkbox", "radio button": "radio", "combo box": "combobox", "drop-down": "combobox", "page tab": "tab", "list item": "listitem", "menu item": "menuitem", image: "img", "push button": "button", "table cell": "cell", switch: "switch" };
  const BY_CONTENT = new Set(["button", "link", "heading", "option", "cell", "columnheader", "rowheader", "tab", "menuitem", "menuitemcheckbox", "menuitemradio", "checkbox", "radio", "switch", "treeitem", "listitem", "label", "tooltip", "row"]);
  const USABLE = new Set(["button", "link", "textbox", "searchbox", "spinbutton", "slider", "combobox", "listbox", "checkbox", "radio", "switch", "option", "tab", "menuitem", "menuitemcheckbox", "menuitemradio", "treeitem", "iframe", "canvas", "video", "audio"]);
  function roleOf(e) {
    const given = (e.getAttribute("role") || "").trim().split(/\s+/)[0].toLowerCase();
    if (given) return given === "presentation" || given === "none" ? "" : given;
    if (e.isContentEditable && !(e.parentElement && e.parentElement.isContentEditable)) return "textbox";
    const rule = TAGS[e.tagName];
    return typeof rule === "function" ? rule(e) : rule || "";
  }
  function textOf(node) {
    if (node.nodeType === 3) return node.data;
    if (node.nodeType !== 1 && node.nodeType !== 11 && node.nodeType !== 9) return "";
    if (SILENT.has(node.nodeName)) return "";
    if (node.localName === "input") return ["button", "submit", "reset"].includes(node.type) ? node.value : "";
    if (node.localName === "textarea" || node.localName === "select") return "";
    let text = "";
    for (const child of childrenOf(node)) text += textOf(child);
    return node.nodeType === 1 && getComputedStyle(node).display !== "inline" ? " " + text + " " : text;
  }
  function shownText(e) {
    return tidy([...childrenOf(e)].map((n) => (n.nodeType === 1 && isHidden(n) ? "" : n.nodeType === 1 && n.localName === "img" ? n.alt : n.nodeType === 1 ? shownTextIn(n) : textOf(n))).join(""));
  }
  function shownTextIn(e) {
    const inner = shownText(e) || tidy(e.getAttribute("aria-label"));
    return getComputedStyle(e).display === "inline" ? inner + (/\s$/.test(e.textContent) ? " " : "") : " " + inner + " ";
  }
  function nameOf(e) {
    const ids = e.getAttribute("aria-labelledby");
    if (ids) {
      const text = tidy(ids.split(/\s+/).map((id) => { const other = e.getRootNode().getElementById?.(id); return other ? textOf(other) : ""; }).join(" "));
      if (text) return text;
    }
    const label = tidy(e.getAttribute("aria-label"));
    if (label) return label;
    if (e.localName === "input" && ["button", "submit", "reset"].includes(e.type)) return tidy(e.value) || { submit: "Submit", reset: "Reset" }[e.type] || "";
    if (e.labels && e.labels.length) {
      const text = tidy([...e.labels].map((l) => [...childrenOf(l)].map((n) => (n === e ? "" : textOf(n))).join("")).join(" "));
      if (text) return text;
    }
    if (e.localName === "img" || e.localName === "area" || (e.localName === "input" && e.type === "image")) return tidy(e.alt) || tidy(e.title);
    const part = { fieldset: "legend", table: "caption", figure: "figcaption" }[e.localName];
    const title = part && e.querySelector(":scope > " + part);
    if (title) return tidy(textOf(title));
    if (BY_CONTENT.has(roleOf(e))) {
      const text = shownText(e);
      if (text) return text;
    }
    return tidy(e.title) || tidy(e.getAttribute("placeholder"));
  }
  function describe(e) {
    const role = roleOf(e), name = cut(nameOf(e) || (role ? "" : tidy(e.textContent)), 60);
    const place = e.localName + (e.id ? "#" + e.id : e.classList.length ? "." + e.classList[0] : "");
    return role ? role + (name ? ' "' + name + '"' : " " + place) : place + (name ? ' "' + name + '"' : "");
  }
  function numberOf(e) {
    let number = numbers.get(e);
    if (!number) {
      number = hf.next++;
      numbers.set(e, number);
      byNumber.set(number, new WeakRef(e));
    }
    return "r" + number;
  }
  function summarize(e) {
    const box = e.getBoundingClientRect(), role = roleOf(e);
    const summary = { ref: numberOf(e), role: role || e.localName, name: cut(nameOf(e) || tidy(shownText(e)), 200), tag: e.localName, box: { x: box.x, y: box.y, width: box.width, height: box.height }, visible: isVisible(e) };
    if (isSecure(e)) summary.secure = true;
    return summary;
  }

  /* ---- finding ---- */
  function byText(wanted, exact) {
    const texts = new Map();
    const text = (node) => { let t = texts.get(node); if (t === undefined) { t = tidy(textOf(node)); texts.set(node, t); } return t; };
    const want = exact ? tidy(wanted) : fold(wanted);
    const fits = (node) => (exact ? text(node) === want : text(node).toLowerCase().includes(want));
    const may = (node) => text(node).toLowerCase().includes(want.toLowerCase());
    const found = [];
    const visit = (node) => {
      let inner = false;
      for (const child of childrenOf(node)) if (child.nodeType === 1 && !SILENT.has(child.nodeName) && may(child)) inner = visit(child) || inner;
      if (inner) return true;
      if (node.nodeType !== 1 || !fits(node)) return false;
      found.push(node);
      return true;
    };
    if (document.body) visit(document.body);
    return found;
  }
  /* A cheap filter without false negatives: a name is looked for among thousands of elements. */
  const NAMED = "[aria-label],[aria-labelledby],[title],[placeholder],[alt],input,select,textarea,fieldset,table";
  function mayBeCalled(e, name) {
    return e.matches(NAMED) || rootOf(e) || e.querySelector("[aria-label],[alt],input,slot") || fold(e.textContent).includes(name) || fold(e.textContent).replace(/ /g, "").includes(name.replace(/ /g, ""));
  }
  function byRole(role, name, exact) {
    const wanted = SAME[role] || role, found = [];
    for (const root of roots())
      for (const e of root.querySelectorAll("*")) {
        const its = roleOf(e);
        if (its !== wanted && !(wanted === "textbox" && its === "searchbox") && e.localName !== role) continue;
        if (name !== undefined && mayBeCalled(e, fold(name))) {
          const has = fold(nameOf(e));
          if (exact ? has !== fold(name) : !has.includes(fold(name))) continue;
        } else if (name !== undefined) continue;
        if (!isVisible(e) && isHidden(e)) continue;
        found.push(e);
      }
    return found;
  }
  function byCss(css) {
    const found = [];
    for (const root of roots()) for (const e of root.querySelectorAll(css)) found.push(e);
    return found;
  }
  function search(q) {
    trees = null;
    if (q.ref !== undefined) {
      const e = byNumber.get(q.ref)?.deref();
      return e ? [e] : [];
    }
    if (q.role !== undefined) return byRole(q.role, q.name, q.exact);
    if (q.text !== undefined) return byText(q.text, q.exact);
    let found = [];
    try {
      found = byCss(q.css);
    } catch (problem) {
      if (!q.or_text) throw new Error("not a selector: " + problem.message.replace(/^.*?: /, ""));
    }
    return found.length || !q.or_text ? found : byText(q.css, false);
  }
  /* In a frame that is not visible nothing is, whatever its elements say. */
  function frameShows() {
    if (window === top) return true;
    if (innerWidth * innerHeight <= 1) return false;
    try {
      for (let w = window; w.frameElement; w = w.parent) if (!isVisible(w.frameElement)) return false;
    } catch { /* the parent belongs to another site and is not accessible */ }
    return true;
  }
  function showing(found) {
    const shown = frameShows() ? found.filter(isVisible) : [];
    return shown.length ? shown : found;
  }
  const framesIn = () => (trees || roots()).reduce((sum, root) => sum + root.querySelectorAll("iframe,frame").length, 0);
  /* Whether matches in other frames have to be counted before anything is done here. */
  const hasOthers = (r, e) => !r.alone && !(e && r.query.ref !== undefined) && framesIn() > 0;
  /* The position of this frame: which child of which child of the page. */
  function pathOf() {
    const path = [];
    for (let w = window; w !== w.parent; w = w.parent) {
      let at = 0;
      while (at < w.parent.length && w.parent[at] !== w) at++;
      path.unshift(at);
    }
    return path;
  }
  function count(r) {
    const found = search(r.query), shown = frameShows() ? found.filter(isVisible).length : 0;
    return { found: found.length, shown, path: pathOf(), candidates: showing(found).slice(0, 10).map(summarize) };
  }
  function choose(q, nth) {
    let found = search(q);
    if (nth !== undefined && nth !== null) {
      found = showing(found);
      const e = found[nth < 0 ? found.length + nth : nth];
      return { e, count: found.length };
    }
    if (found.length > 1) found = showing(found);
    if (found.length > 1) return { many: found };
    return { e: found[0], count: found.length };
  }

  /* ---- can it be acted on? ---- */
  function clickPoint(e, at) {
    const width = innerWidth, height = innerHeight;
    if (at) {
      const box = e.getBoundingClientRect();
      const x = box.x + at.x, y = box.y + at.y;
      return at.x <= box.width && at.y <= box.height && x >= 0 && y >= 0 && x < width && y < height ? { x, y } : null;
    }
    for (const box of e.getClientRects()) {
      const left = Math.max(0, box.left), right = Math.min(width, box.right), top = Math.max(0, box.top), bottom = Math.min(height, box.bottom);
      if ((right - left) * (bottom - top) > 0.99 && right > left && bottom > top) return { x: (left + right) / 2, y: (top + bottom) / 2 };
    }
    return null;
  }
  function deepest(x, y) {
    let node = document.elementFromPoint(x, y);
    for (let root; node && (root = rootOf(node)); ) {
      const inner = root.elementFromPoint(x, y);
      if (!inner || inner === node) break;
      node = inner;
    }
    return node;
  }
  function accepts(target, node) {
    if (!node) return false;
    if (contains(target, node)) return true;
    for (let n = node; n; n = above(n)) if (n.localName === "label" && n.control && (n.control === target || contains(target, n.control))) return true;
    if (target.localName === "label" && target.control && contains(target.control, node)) return true;
    /* From outside, a closed shadow tree looks like its host. */
    return rootOf(node) !== null && contains(node, target);
  }
  const boxKey = (e) => { const b = e.getBoundingClientRect(); return [b.x, b.y, b.width, b.height].join(); };
  const VIEWS = [null, { block: "end", inline: "end" }, { block: "center", inline: "center" }, { block: "start", inline: "start" }];
  function bringIntoView(e, turn) {
    const how = VIEWS[turn % VIEWS.length];
    if (how) e.scrollIntoView({ ...how, behavior: "instant" });
    else if (e.scrollIntoViewIfNeeded) e.scrollIntoViewIfNeeded(true);
    else e.scrollIntoView({ block: "center", behavior: "instant" });
  }
  /* null or a point if the element can be acted on; else the reason why not yet. */
  async function check(e, needs, turn, at) {
    if (needs.visible && !isVisible(e)) return { why: "is not visible" };
    if (needs.enabled && !isEnabled(e)) return { why: "is disabled" };
    if (needs.editable && !isEditable(e)) return { why: ["input", "textarea", "select"].includes(e.localName) ? "is read-only" : "is not a field" };
    if (needs.stable) {
      /* Compares two frames: whatever moves the element runs in between. */
      const before = boxKey(e);
      await frame();
      if (!e.isConnected) return { why: "was removed from the page" };
      if (boxKey(e) !== before) return { why: "is moving" };
    }
    if (!needs.hit) return null;
    let point = turn === 0 ? clickPoint(e, at) : null;
    if (!point || !accepts(e, deepest(point.x, point.y))) {
      bringIntoView(e, turn);
      point = clickPoint(e, at);
    }
    if (!point) return { why: at ? "has no such point in view" : "is outside the view and cannot be scrolled into it" };
    const node = deepest(point.x, point.y);
    if (!accepts(e, node)) return { why: "is covered", by: node ? describe(node) : "something outside this page" };
    return { point };
  }

  /* ---- actions without a pointer ---- */
  const SET = new Set(["color", "date", "time", "datetime-local", "month", "range", "week"]);
  const changed = (e) => { e.dispatchEvent(new Event("input", { bubbles: true, composed: true })); e.dispatchEvent(new Event("change", { bubbles: true })); };
  function valueOf(e) {
    if (isSecure(e)) return undefined;
    if (e.localName === "select") return e.multiple ? [...e.selectedOptions].map((o) => tidy(o.label)).join(", ") : e.selectedOptions[0] ? tidy(e.selectedOptions[0].label) : "";
    if (e.localName === "input" && (e.type === "checkbox" || e.type === "radio")) return undefined;
    if (e.localName === "input" || e.localName === "textarea") return e.value;
    return e.isContentEditable ? e.innerText.replace(/\n$/, "") : undefined;
  }
  function stateOf(e) {
    const state = { connected: e.isConnected };
    if (!e.isConnected) return state;
    const checked = e.localName === "input" && (e.type === "checkbox" || e.type === "radio") ? e.checked : { true: true, false: false }[e.getAttribute("aria-checked")];
    if (checked !== undefined) state.checked = checked;
    const value = valueOf(e);
    if (value !== undefined) state.value = cut(value, 2000);
    if (isSecure(e)) { state.secure = true; state.length = e.value.length; }
    if (e.hasAttribute("aria-expanded")) state.expanded = e.getAttribute("aria-expanded") === "true";
    if (e.localName === "input" && e.type === "file") { delete state.value; state.files = [...e.files].map((f) => f.name); }
    state.focused = e.getRootNode().activeElement === e;
    state.hovered = e.matches(":hover");
    return state;
  }
  function selectAll(e) {
    e.focus();
    if (e.select) e.select();
    else getSelection().selectAllChildren(e);
  }
  function fill(e, value) {
    if (e.localName === "select") return { why: "is a list of choices; use the action select" };
    const kind = e.localName === "input" ? e.type : "";
    if (["checkbox", "radio", "file", "button", "submit", "reset", "image"].includes(kind)) return { why: "is not a text field" };
    if (SET.has(kind)) {
      e.focus();
      e.value = value;
      if (kind !== "color" && kind !== "range" && e.value !== value) return { bad: "a " + kind + " field does not take this value" };
      changed(e);
      return { done: true };
    }
    if (kind === "number" && value !== "" && Number.isNaN(Number(value))) return { bad: "is a number field and takes numbers only" };
    selectAll(e);
    /* Rich text editors rely on the browser's own input events. */
    if (e.isContentEditable && value !== "") return { done: true, by_browser: true };
    const did = value === "" ? document.execCommand("delete") || !(e.value ?? e.innerText) : document.execCommand("insertText", false, value);
    return { done: true, by_browser: !did };
  }
  function select(e, value) {
    if (e.localName !== "select") return { why: "is not a select element: click it, then click its entry" };
    const wanted = fold(value), options = [...e.options];
    const option = options.find((o) => o.value === value) || options.find((o) => fold(o.label) === wanted || fold(o.text) === wanted);
    if (!option) return { later: "has no choice '" + cut(value, 60) + "'; it has: " + cut(options.map((o) => tidy(o.label)).join(", "), 300) };
    if (option.disabled || option.parentElement.disabled) return { later: "has the choice, but it is disabled" };
    e.focus();
    if (e.multiple) for (const o of options) o.selected = o === option;
    else e.selectedIndex = option.index;
    changed(e);
    return { done: true, chosen: tidy(option.label) };
  }

  /* ---- watching a click ---- */
  const TYPES = ["pointerdown", "mousedown", "pointerup", "mouseup", "click", "auxclick", "dblclick", "contextmenu", "dragstart"];
  let watcher = null;
  /* Whether a click on it navigates, unless the page prevents that. */
  function leads(e) {
    const link = e.closest("a[href],area[href]"), own = e.closest("button,input");
    const there = (target) => ["", "_self", "_top", "_parent", "_blank"].includes(target);
    if (link) return there(link.target) && (link.hasAttribute("download") || (/^https?:$/.test(link.protocol) && link.href.split("#")[0] !== location.href.split("#")[0]));
    return !!own && own.type === "submit" && !!own.form && there(own.form.target) && own.form.method !== "dialog" && (own.form.noValidate || own.formNoValidate || own.form.checkValidity());
  }
  function stopWatching() {
    if (!watcher) return;
    removeEventListener("click", watcher.last);
    removeEventListener("submit", watcher.last);
    for (const type of TYPES) removeEventListener(type, watcher.listener, true);
    watcher.observer.disconnect();
    watcher = null;
  }
  /* Lets the events of a click through to the element only: if something else moved under the
   * pointer, the page never sees them. */
  function watchClick(e) {
    stopWatching();
    const mine = { e, judged: false, hit: true, seen: {}, changes: 0 };
    mine.listener = (event) => {
      if (!event.isTrusted) return;
      const node = event.composedPath()[0];
      if (!mine.judged) {
        mine.judged = true;
        mine.hit = node instanceof Element && accepts(e, node);
        if (!mine.hit) mine.by = node instanceof Element ? describe(node) : "the page itself";
      }
      if (mine.hit) mine.seen[event.type] = true;
      else { event.preventDefault(); event.stopImmediatePropagation(); }
    };
    for (const type of TYPES) addEventListener(type, mine.listener, { capture: true, passive: false });
    mine.last = (event) => { mine.prevented = mine.prevented || event.defaultPrevented; };
    addEventListener("click", mine.last);
    addEventListener("submit", mine.last);
    mine.leads = leads(e);
    mine.observer = new MutationObserver((list) => { mine.changes += list.length; });
    mine.observer.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
    watcher = mine;
  }

  /* ---- the entry point for actions ---- */
  async function act(r) {
    const end = performance.now() + r.budget;
    let last = { at: "none" };
    for (let turn = 0; ; turn++) {
      const { e, many, count } = choose(r.query, r.nth);
      if (hasOthers(r, e)) return { at: "others" };
      if (many) {
        last = { at: "many", count: many.length, candidates: many.slice(0, 10).map(summarize) };
      } else if (!e) {
        last = { at: "none", count: count || 0 };
      } else {
        let target = e;
        if (r.retarget && e.localName === "label" && e.control) target = e.control;
        const why = await check(target, r.needs, turn, r.at);
        if (!why || why.point) {
          const reply = perform(target, r, why && why.point);
          if (reply.at !== "wait") return reply;
          last = reply;
        } else last = { at: "wait", why: why.why, by: why.by, element: summarize(target) };
      }
      if (performance.now() >= end) return last;
      if (last.at === "none" && (r.alone || r.brief)) return last;
      await pause(Math.min(turn < 1 ? 10 : turn < 4 ? 50 : 100, Math.max(0, end - performance.now())));
    }
  }
  function perform(e, r, point) {
    const element = summarize(e);
    hf.held = e;
    if (element.secure && r.writes && !r.agreed) return { at: "secure", element };
    if (r.do === "fill" || r.do === "select") {
      const before = stateOf(e), result = r.do === "fill" ? fill(e, r.value) : select(e, r.value);
      if (result.later) return { at: "wait", why: result.later, element };
      if (result.why || result.bad) return { at: "bad", why: result.why || result.bad, element };
      return { at: "done", element, before, state: stateOf(e), by_browser: result.by_browser, exact: r.do === "fill" ? sameValue(e, r.value) : valueOf(e) === result.chosen };
    }
    if (r.do === "focus") { e.focus(); return { at: "done", element, state: stateOf(e) }; }
    if (r.do === "scroll") { bringIntoView(e, 0); return { at: "done", element, state: stateOf(e), in_view: !!clickPoint(e) }; }
    if (point && r.watch) watchClick(e);
    return { at: "ready", element, x: point ? point.x : 0, y: point ? point.y : 0, state: stateOf(e), file: e.localName === "input" && e.type === "file", multiple: !!e.multiple };
  }
  const lines = (text) => text.replace(/\r\n?/g, "\n").replace(/\u00a0/g, " ");
  function sameValue(e, value) {
    if (isSecure(e)) return e.value.length === value.length;
    if (e.localName === "input" && e.type === "number") return value === "" ? e.value === "" : Number(e.value) === Number(value);
    const has = lines(valueOf(e) ?? ""), want = lines(value);
    return has === want || (e.localName === "input" && has === want.replace(/\n/g, "")) || (e.isContentEditable && has.replace(/\n+/g, "\n") === want.replace(/\n+/g, "\n"));
  }
  async function after(r) {
    const e = hf.held, reply = { state: e ? stateOf(e) : {} };
    if (r && r.value !== undefined && e) reply.exact = sameValue(e, r.value);
    if (!watcher) return reply;
    watcher.changes += watcher.observer.takeRecords().length;
    Object.assign(reply, { hit: watcher.hit, by: watcher.by, seen: Object.keys(watcher.seen), changed: watcher.changes > 0, leads: watcher.leads && watcher.prevented === false });
    if (!r || !r.keep) stopWatching();
    return reply;
  }

  /* ---- reading ---- */
  function pick(r) {
    if (!r.query) return { e: document.body || document.documentElement };
    const { e, many, count } = choose(r.query, r.nth);
    if (hasOthers(r, e)) return { reply: { at: "others" } };
    if (many) return { reply: { at: "many", count: many.length, candidates: many.slice(0, 10).map(summarize) } };
    return e ? { e } : { reply: { at: "none", count } };
  }
  function limit(text, most) {
    return text.length > most ? { text: text.slice(0, most), truncated: true, total: text.length } : { text, truncated: false, total: text.length };
  }
  function readText(e) {
    if (!isSecure(e) && (e.localName === "input" || e.localName === "textarea")) return e.value;
    let text = e.innerText ?? e.textContent;
    for (const root of roots(e).slice(1)) for (const child of root.children) if (!SILENT.has(child.nodeName)) text += "\n" + (child.innerText ?? "");
    const own = rootOf(e);
    if (own) for (const child of own.children) if (!SILENT.has(child.nodeName)) text += "\n" + (child.innerText ?? "");
    return text;
  }
  function text(r) {
    const { e, reply } = pick(r);
    return reply || { at: "done", ...limit(readText(e), r.most), frames: r.query ? 0 : document.querySelectorAll("iframe,frame").length };
  }
  function html(r) {
    const { e, reply } = pick(r.query ? r : { query: { css: "html" }, alone: true });
    if (reply) return reply;
    const secret = (n) => n.localName === "input" && (n.type === "password") && n.hasAttribute("value");
    let node = e;
    if (secret(e) || e.querySelector("input[type=password i][value]")) {
      node = e.cloneNode(true);
      for (const n of [node, ...node.querySelectorAll("input[type=password i][value]")]) if (secret(n)) n.setAttribute("value", "");
    }
    return { at: "done", ...limit(node.outerHTML, r.most) };
  }
  function links(r) {
    const { e, reply } = pick(r);
    if (reply) return reply;
    const found = [];
    let room = r.most, total = 0;
    for (const root of [e, ...roots(e).slice(1)])
      for (const a of root.querySelectorAll("a[href],area[href]")) {
        if (isHidden(a)) continue;
        total++;
        const entry = { text: cut(nameOf(a), 300), url: cut(a.href, 2000), ref: numberOf(a) };
        room -= entry.text.length + entry.url.length + 20;
        if (room > 0) found.push(entry);
      }
    return { at: "done", links: found, total, truncated: found.length < total };
  }
  function tables(r) {
    const { e, reply } = pick(r);
    if (reply) return reply;
    const all = e.localName === "table" ? [e] : roots(e).flatMap((root) => [...root.querySelectorAll("table")]);
    let room = r.most, cutOff = false;
    const found = all.filter((t) => !isHidden(t)).map((t) => {
      const rows = [];
      for (const row of t.rows) {
        const cells = [...row.cells].map((c) => tidy(c.innerText));
        room -= cells.reduce((sum, c) => sum + c.length + 4, 4);
        if (room < 0) { cutOff = true; break; }
        rows.push(cells);
      }
      const head = t.tHead || [...(t.rows[0]?.cells || [])].every((c) => c.localName === "th");
      return { caption: tidy(t.caption?.innerText), header: !!head && t.rows.length > 0, rows, total_rows: t.rows.length };
    });
    return { at: "done", tables: found, total: all.length, truncated: cutOff };
  }
  const LANDMARKS = new Set(["navigation", "main", "banner", "contentinfo", "form", "article", "complementary", "dialog", "alertdialog", "alert", "region", "list", "table", "group", "menu", "menubar", "tablist", "tree", "grid", "toolbar", "status", "radiogroup"]);
  function statesOf(e, role) {
    const out = [];
    const checked = e.checked ?? { true: true, mixed: "mixed" }[e.getAttribute("aria-checked")];
    if (["checkbox", "radio", "switch", "menuitemcheckbox", "menuitemradio"].includes(role) && checked) out.push("checked");
    if (!isEnabled(e)) out.push("disabled");
    if (e.getAttribute("aria-expanded") === "true") out.push("expanded");
    if (e.getAttribute("aria-selected") === "true" || (role === "option" && e.selected)) out.push("selected");
    if (e.getAttribute("aria-pressed") === "true") out.push("pressed");
    if (e.required) out.push("required");
    if (e.readOnly && role === "textbox") out.push("read-only");
    if (e.getRootNode().activeElement === e && e !== document.body) out.push("focused");
    if (isSecure(e)) out.push("secure");
    return out;
  }
  function snapshot(r) {
    const { e: top, reply } = pick(r);
    if (reply) return reply;
    const out = [];
    let size = 0, truncated = false, run = "";
    const quote = (text) => JSON.stringify(text);
    const add = (depth, line) => {
      if (truncated) return;
      const whole = "  ".repeat(depth) + line;
      size += whole.length + 1;
      if (size > r.most) { truncated = true; return; }
      out.push(whole);
    };
    const flush = (depth) => { const text = tidy(run); run = ""; if (text) add(depth, quote(text)); };
    const visitAll = (node, depth) => { for (const child of childrenOf(node)) { if (truncated) return; visit(child, depth); } };
    const visit = (node, depth) => {
      if (node.nodeType === 3) { run += node.data; return; }
      if (node.nodeType !== 1 || SILENT.has(node.nodeName) || isHidden(node)) return;
      const role = roleOf(node), inline = getComputedStyle(node).display.startsWith("inline");
      const usable = USABLE.has(role) || (!role && (node.hasAttribute("onclick") || node.tabIndex >= 0) && node !== document.body);
      if (!role && !usable) {
        if (!inline) flush(depth);
        visitAll(node, depth);
        if (!inline) flush(depth);
        return;
      }
      if (!usable && role === "row") {
        flush(depth);
        const cells = [...node.children];
        if (cells.length && !node.querySelector("a,button,input,select,textarea")) { add(depth, "row " + cells.map((c) => quote(shownText(c))).join(" | ")); return; }
        add(depth, "row");
        visitAll(node, depth + 1);
        flush(depth + 1);
        return;
      }
      if (!usable && !LANDMARKS.has(role) && role !== "heading" && role !== "img" && role !== "progressbar") {
        flush(depth);
        const before = out.length;
        visitAll(node, depth);
        flush(depth);
        if (role === "listitem" && out.length > before) out[before] = out[before].replace(/^(\s*)/, "$1- ");
        return;
      }
      flush(depth);
      const name = cut(nameOf(node) || (usable && !role ? shownText(node) : ""), 200);
      let line = role || "element";
      if (name) line += " " + quote(name);
      if (role === "heading") line += " level " + (node.getAttribute("aria-level") || node.localName.slice(1));
      if (usable) line += " [" + numberOf(node) + "]";
      const states = statesOf(node, role);
      if (states.length) line += " (" + states.join(", ") + ")";
      const value = usable && role !== "button" ? valueOf(node) : undefined;
      if (value) line += " = " + quote(cut(value, 200));
      if (role === "img" && !name) return;
      const at = out.length;
      add(depth, line);
      if (role === "heading" || role === "img" || node.localName === "select" || node.localName === "iframe" || role === "textbox") return;
      if (usable && BY_CONTENT.has(role) && !node.querySelector("a,button,input,select,textarea")) return;
      if (usable && !role) { for (const child of childrenOf(node)) if (child.nodeType === 1 && (rootOf(child) || child.querySelector("a,button,input,select,textarea") || USABLE.has(roleOf(child)))) visit(child, depth + 1); run = ""; return; }
      visitAll(node, depth + 1);
      flush(depth + 1);
      if (out.length === at + 1 && !usable && !name) out.length = at;
    };
    visit(top, 0);
    flush(0);
    return { at: "done", text: out.join("\n"), truncated, next: hf.next, frames: r.query ? 0 : document.querySelectorAll("iframe,frame").length };
  }
  /* ---- elements in view ---- */
  const SEEN = new Set(["button", "link", "textbox", "searchbox", "spinbutton", "slider", "combobox", "listbox", "option", "checkbox", "radio", "switch", "tab", "menuitem", "menuitemcheckbox", "menuitemradio", "treeitem"]);
  function placeOf(e) {
    const kind = e.localName === "input" ? "[" + e.type + "]" : "";
    return cut(e.localName + (e.id ? "#" + e.id : e.classList.length ? "." + e.classList[0] : "") + kind, 100);
  }
  function isTarget(e) {
    return e.hasAttribute("onclick") || (e.hasAttribute("tabindex") && e.tabIndex >= 0);
  }
  /* The usable elements that are in view and not covered, clipped to the view, within a time limit. */
  function elementsInView() {
    const end = performance.now() + 80, elements = [], width = innerWidth, height = innerHeight;
    const reply = { width, height, scale: devicePixelRatio, frames: document.querySelectorAll("iframe,frame").length, elements };
    if (visualViewport.scale !== 1) return { ...reply, width: 0 };
    for (const root of roots())
      for (const e of root.querySelectorAll("*")) {
        if (elements.length >= 400 || performance.now() > end) return reply;
        const its = roleOf(e), role = SEEN.has(its) ? its : "";
        if (!role && (!isTarget(e) || e === document.body || its === "iframe")) continue;
        const box = e.getBoundingClientRect();
        const x = Math.max(0, box.left), y = Math.max(0, box.top), right = Math.min(width, box.right), bottom = Math.min(height, box.bottom);
        if (right - x < 1 || bottom - y < 1 || !isVisible(e)) continue;
        const point = clickPoint(e);
        if (!point || !accepts(e, deepest(point.x, point.y))) continue;
        const secure = isSecure(e), one = { role, name: cut(nameOf(e) || (role ? "" : shownText(e)), 200), dom: placeOf(e), x, y, width: right - x, height: bottom - y };
        if (secure) one.secure = true;
        else if (role !== "button") { const value = valueOf(e); if (value) one.value = cut(value, 200); }
        for (const state of statesOf(e, role)) one[state] = true;
        if (isEditable(e) && isEnabled(e)) one.editable = true;
        elements.push(one);
      }
    return reply;
  }
  function secrets() {
    return roots().flatMap((root) => [...root.querySelectorAll("input")]).filter((e) => isSecure(e) && isVisible(e)).map((e) => { const b = e.getBoundingClientRect(); return { x: b.x, y: b.y, width: b.width, height: b.height }; });
  }

  globalThis.hf = {
    call: async (name, argument) => ({ value: await hf[name](argument ?? undefined), title: cut(document.title, 500) }),
    next: 1, held: null, act, after, count, text, html, links, tables, snapshot, secrets, elementsInView,
    close: (root) => { closed.set(root.host, root); },
    hits: (e, x, y) => { const node = deepest(x, y); return node === e ? "" : node ? describe(node) : "something outside this page"; },
    drop: () => { stopWatching(); return true; },
    focus: () => { let e = document.activeElement; for (let root; e && (root = rootOf(e)) && root.activeElement; ) e = root.activeElement; return { secure: !!e && isSecure(e), frame: !!e && e.localName === "iframe", element: e && e !== document.body ? summarize(e) : null }; },
    shows: () => ({ visible: document.visibilityState === "visible", focused: document.hasFocus() }),
    view: () => ({ width: innerWidth, height: innerHeight, x: scrollX, y: scrollY, scale: devicePixelRatio, total: document.documentElement.scrollHeight }),
    scrolled: (r) => { const e = r && r.held ? hf.held : null; const chain = []; for (let n = e; n; n = above(n)) chain.push(n.scrollLeft, n.scrollTop); chain.push(scrollX, scrollY); return chain.join(); },
    measure: (r) => { const { e, reply } = pick(r); if (reply) return reply; if (r.query) bringIntoView(e, 0); const b = e.getBoundingClientRect(); return { at: "done", element: summarize(e), x: b.x + scrollX, y: b.y + scrollY, width: b.width, height: b.height }; },
    status: () => { const n = performance.getEntriesByType("navigation")[0]; return { status: n ? n.responseStatus : 0, title: document.title, url: location.href, ready: document.readyState }; },
  };
})();
