// What every lab of the book is made of. <name>.toml has its words and the keys of its state,
// <name>.py what Python says of it (see __init__.py), and js/<name>.js what is played and drawn:
//
//   olcLab.define("name", {
//     game(state),    // all that is computed: {state, …}; a player needs `last`, its last moment
//     says(game),     // the sentence, which is also what a screen reader hears
//     reached(game),  // why the goal is reached, or ""
//     view(lab),      // {panels, controls, draw(game)}: makes nodes once, and draws a game into
//   });               // them; the first panel stays above the controls on a phone
//
// game, says and reached are pure: node tests them. `lab` has state, game and fraction (how much
// of a step is done), change(patch, tag), which is saved, drawn and can be undone (all changes in
// a row with one tag at once), move(patch), which cannot, redraw(), and follow(f), which calls
// f(game) at every drawing. Nothing that is typed or linked is executed: it becomes attributes.
(() => {
  const SVG = "http://www.w3.org/2000/svg";
  const DRAWN = new Set("svg g circle rect line path text polygon".split(" "));

  // --- nodes ----------------------------------------------------------------------------------

  // An element of HTML or SVG: h("button", { onclick: f }, "text", node).
  function h(tag, given = {}, ...kids) {
    const node = DRAWN.has(tag) ? document.createElementNS(SVG, tag) : document.createElement(tag);
    node.append(...kids.flat(9));
    return set(node, given);
  }
  // Give it attributes, listeners (on…) or a text; false and undefined take an attribute away.
  function set(node, given) {
    for (const [name, value] of Object.entries(given)) {
      const word = name.startsWith("aria-"); // true and false are words there
      const text = value === true && !word ? "" : String(value);
      if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
      else if (name === "text") {
        if (node.textContent !== text) node.textContent = text;
      } else if (value === undefined || (value === false && !word)) node.removeAttribute(name);
      else if (node.getAttribute(name) !== text) node.setAttribute(name, text);
    }
    return node;
  }
  // One child for each item {tag, …attributes} (or {key, make, …}), kept between drawings, so that
  // focus stays where it is.
  function join(parent, items) {
    const old = parent.olcKids ?? new Map();
    parent.olcKids = new Map();
    items.filter(Boolean).forEach(({ key, tag, make, ...given }, i) => {
      const name = key ?? `${tag} ${i}`;
      const node = old.get(name) ?? (make ? make(name) : h(tag));
      old.delete(name);
      parent.olcKids.set(name, node);
      if (!node.isConnected) parent.append(node);
      set(node, given);
    });
    for (const node of old.values()) node.remove();
  }
  const still = () => document.hidden || matchMedia("(prefers-reduced-motion: reduce)").matches;
  // Draw from 0 to 1 in so many milliseconds, at once where motion is unwelcome; returns a stop.
  function tween(ms, draw, done = () => {}) {
    let frame = 0;
    const from = performance.now();
    const tick = (now) => {
      const f = still() ? 1 : Math.min(1, Math.max(0, (now - from) / ms));
      if (f < 1) frame = requestAnimationFrame(tick);
      draw(1 - (1 - f) ** 3);
      if (f === 1) done();
    };
    if (still()) tick(from);
    else frame = requestAnimationFrame(tick);
    return () => cancelAnimationFrame(frame);
  }

  // --- words ----------------------------------------------------------------------------------

  const num = (v, digits = 3) => {
    if (!Number.isFinite(v)) return "∞";
    const text = String(Math.abs(v) >= 10 ** digits ? Math.round(v) : +v.toPrecision(digits));
    const parted = text.includes(".") ? text : text.replace(/\B(?=(\d{3})+$)/g, ",");
    return parted.replace(/^-/, "−");
  };
  const plural = (n, noun) => `${num(n)} ${noun}${n === 1 ? "" : "s"}`;
  // The cell that brings this state to Python, and there plays the same game.
  const cell = (name, state, lines) => {
    const given = Object.entries(state).map(([key, v]) => `${key}=${JSON.stringify(v)}`);
    const call = `lab = olc.lab("${name}", ${given.join(", ").replace(/,(?=\S)/g, ", ")})`;
    return ["import olc", "", call, lines].join("\n");
  };
  // Whether a value is of a kind, by the rule of __init__.py.
  function fits(v, [kind, ...rest]) {
    const many = kind === "row" || kind === "list";
    if (kind === "among") return rest.includes(v);
    if (kind === "text") return typeof v === "string" && [...v].length <= rest[0];
    if (many && !Array.isArray(v)) return false;
    if (kind === "row") return v.length === rest.length && v.every((one, i) => fits(one, rest[i]));
    const size = many ? v.length : v;
    if (!Number.isFinite(size) || size < rest[0] || size > rest[1]) return false;
    if (many) return v.every((one) => fits(one, rest[2]));
    return kind === "number" || Number.isInteger(v);
  }

  // --- pictures -------------------------------------------------------------------------------

  const colour = (who) => (who ? `--c:var(--olc-${who})` : undefined); // of an algorithm
  // A plot in pixels of the page, so that letters keep their size on a phone. draw(plot) calls
  // range(x, y, names, marks, [what x stands for, what y]), paths([[class, d, who]]) with a d of
  // line, level, stairs or curve, and labels([[text, [x, y], side, who]]) on a side of the point.
  function chart({ height, label, draw, lab, beside }) {
    const layers = ["olc-axes", "olc-curves", "olc-names"].map((name) => h("g", { class: name }));
    const name = beside ? "olc-chart olc-plots" : "olc-chart";
    const svg = h("svg", { class: name, role: "img", "aria-label": label }, layers);
    const self = { svg, width: 320, redraw: () => draw(self, lab?.game) };
    lab?.follow(self.redraw);
    const [left, top, bottom] = [34, 16, height - 34];
    svg.style.height = `${height}px`;
    new ResizeObserver(([seen]) => {
      const width = Math.round(seen.contentRect.width);
      if (!width || width === self.width) return;
      self.width = width;
      self.redraw();
    }).observe(svg);
    const ticks = ([low, high]) => {
      const rough = (high - low) / 4;
      const unit = 10 ** Math.floor(Math.log10(rough));
      const by = unit * [1, 2, 5, 10].find((m) => m * unit >= rough);
      const first = Math.ceil(low / by - 1e-9);
      const count = Math.floor(high / by + 1e-9) - first + 1;
      return Array.from({ length: count }, (_, i) => (first + i) * by);
    };
    self.range = (xs, ys, names, marks = ticks(xs), [ofX = Number, ofY = Number] = []) => {
      const right = self.width - 12;
      self.x = (v) => left + ((v - xs[0]) / (xs[1] - xs[0])) * (right - left);
      self.y = (v) => bottom - ((v - ys[0]) / (ys[1] - ys[0])) * (bottom - top);
      const word = (text, x, y, end) => ({ tag: "text", text, x, y, "text-anchor": end });
      const rule = (y) => ({ tag: "line", x1: left, x2: right, y1: y, y2: y });
      set(svg, { viewBox: `0 0 ${self.width} ${height}` });
      join(layers[0], [
        ...ticks(ys).flatMap((v) => [rule(self.y(v)), word(num(ofY(v)), 28, self.y(v) + 4, "end")]),
        ...marks.map((v) => {
          const text = num(ofX(v));
          const x = Math.min(self.x(v), self.width - 3.6 * text.length);
          return word(text, x, bottom + 16, "middle");
        }),
        word(names[0], right, height - 3, "end"),
        word(names[1], 2, 9),
        { ...rule(self.y(Math.max(ys[0], 0))), class: "olc-base" },
      ]);
    };
    const place = ([x, y]) => `${self.x(x).toFixed(1)},${self.y(y).toFixed(1)}`;
    self.level = (y) => `M${left},${self.y(y).toFixed(1)}H${self.width - 12}`;
    self.line = (points) => (points.length ? `M${points.map(place).join("L")}` : "");
    self.stairs = (points) =>
      self.line(points.flatMap((p, i) => (i ? [[p[0], points[i - 1][1]], p] : [p])));
    self.curve = (f, from, to) => {
      const xs = Array.from({ length: 81 }, (_, i) => from + ((to - from) * i) / 80);
      return self.line(xs.map((v) => [v, f(v)]));
    };
    self.dot = (x, y) => `M${place([x, y])}h.01`;
    self.paths = (paths) => {
      const path = ([name, d, who]) => ({ tag: "path", class: name, d, style: colour(who) });
      join(layers[1], paths.filter(Boolean).map(path));
    };
    // Labels stay inside the picture, and move down where one stands already.
    self.labels = (labels) => {
      const placed = [];
      for (const [text, [a, b], side, who] of labels.filter(Boolean)) {
        const size = text.length * 6.6;
        const shift = { n: -size / 2, nw: -size - 4, sw: -size - 4 }[side] ?? 8;
        const x = Math.max(0, Math.min(self.x(a) + shift, self.width - size - 4));
        let y = Math.max(10, self.y(b) + ({ e: 4, se: 14, sw: 16 }[side] ?? -8));
        for (const other of placed) {
          const beside = x < other.x + 6.6 * other.text.length && other.x < x + size;
          if (beside && Math.abs(y - other.y) < 14) y = other.y + 14;
        }
        placed.push({ tag: "text", class: "olc-label", text, x, y, style: colour(who) });
      }
      join(layers[2], placed);
    };
    return self;
  }
  const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
  // Something to take hold of: pointer, finger or arrow keys (Shift: a quarter of the way).
  // move([x, y] of the svg, tag), tap() by Space as well, leave([x, y]) after a drag, and key({by})
  // or key({name}): an arrow to the side that it does not take goes to the neighbour.
  function handle(node, svg, { move, tap, key, leave }) {
    let from = null;
    let moved = false;
    let grabs = 0; // each is a drag of its own, to be undone at once
    const up = (e) => {
      const held = from;
      from = null;
      if (!held || e.type === "pointercancel") return; // that has no place
      if (moved) leave?.(place(svg, e));
      else tap?.();
    };
    // touch-action is not heard inside an SVG
    node.addEventListener("touchstart", (e) => e.preventDefault(), { passive: false });
    return set(node, {
      tabindex: 0,
      onpointerdown(e) {
        if (e.button) return;
        node.setPointerCapture(e.pointerId);
        [from, moved, grabs] = [[e.clientX, e.clientY], false, grabs + 1];
        node.focus({ preventScroll: true });
        e.preventDefault();
      },
      onpointermove(e) {
        if (!from) return;
        moved ||= Math.hypot(e.clientX - from[0], e.clientY - from[1]) > 4;
        if (moved) move?.(place(svg, e), `grab ${grabs}`);
      },
      onpointerup: up,
      onpointercancel: up,
      onclick: (e) => e.stopPropagation(),
      onkeydown(e) {
        if (e.ctrlKey || e.metaKey || e.altKey) return;
        const by = ARROWS[e.key]?.map((v) => (e.shiftKey ? v / 4 : v));
        if (tap && (e.key === " " || e.key === "Enter")) tap();
        else if (!key?.(by ? { by } : { name: e.key })) {
          if (!by?.[0]) return;
          node[by[0] > 0 ? "nextElementSibling" : "previousElementSibling"]?.focus();
        }
        e.preventDefault();
        e.stopPropagation();
      },
    });
  }
  // Where a pointer is, in the coordinates of a picture.
  function place(svg, e) {
    const p = new DOMPoint(e.clientX, e.clientY).matrixTransform(svg.getScreenCTM().inverse());
    return [p.x, p.y];
  }

  // --- controls -------------------------------------------------------------------------------

  // With aria-disabled it is off, and keeps the focus.
  const button = (text, press, given = {}) => {
    const onclick = (e) => e.currentTarget.ariaDisabled === "true" || press(e);
    return h("button", { type: "button", onclick, ...given }, text);
  };
  // A slider of one key of the state; `move`: it cannot be undone.
  function slider(lab, key, { name, min = 0, max = 1, step = "any", show = num, move = false }) {
    const out = h("output", { "aria-live": "off" });
    const box = h("input", { type: "range", min, max: 1e9, step, "aria-label": name });
    box.addEventListener("input", () => {
      const patch = { [key]: Number(box.value) };
      if (move) lab.move(patch);
      else lab.change(patch, key);
    });
    lab.follow((game) => {
      const most = typeof max === "function" ? max(game) : max;
      const value = Math.min(game.state[key], most);
      set(box, { max: most, "aria-valuetext": show(value) });
      if (Number(box.value) !== value) box.value = value;
      out.value = show(value);
    });
    return h("label", { class: "olc-slider" }, h("span", {}, name), box, out);
  }
  // Words of which one is on: { value: "text" }; `fresh` is set with it.
  function choice(lab, key, name, options, fresh = {}) {
    const group = `olc${Math.random().toString(36).slice(2)}`;
    const radios = Object.entries(options).map(([value, text]) => {
      const onchange = () => lab.change({ [key]: value, ...fresh });
      const box = h("input", { type: "radio", name: group, onchange });
      lab.follow((game) => {
        box.checked = game.state[key] === value;
      });
      return h("label", {}, box, h("span", {}, text));
    });
    return h("div", { class: "olc-choice", role: "radiogroup", "aria-label": name }, radios);
  }
  const END = 9999; // the last moment of a game, whichever that is
  // Step, play and scrub through the moments of a game, `at` of game.last. While a step is taken
  // lab.fraction goes from 0 to 1. `next(game)` is what the primary button says.
  function player(lab, { noun, next, ms = 420 }) {
    let [stop, playing] = [() => {}, false];
    const at = () => Math.min(lab.state.at, lab.game.last);
    const draw = (f) => {
      lab.fraction = f;
      lab.redraw();
    };
    const go = (to, done) => {
      stop();
      lab.fraction = 0;
      lab.move({ at: to });
      stop = tween(playing ? ms * 0.6 : ms, draw, done);
    };
    const turn = (on) => {
      playing = on;
      lab.quiet(on);
      lab.redraw();
    };
    const on = () => {
      if (!playing) return;
      if (!lab.el.isConnected || at() >= lab.game.last) turn(false);
      else go(at() + 1, () => setTimeout(on, Math.max(30, 700 / Math.sqrt(lab.game.last))));
    };
    const start = () => {
      if (at() >= lab.game.last) lab.move({ at: 0 });
      turn(true);
      on();
    };
    lab.stop = () => {
      if (playing) turn(false);
      stop();
      lab.fraction = 1;
    };
    const forward = () => {
      lab.stop();
      go(at() + 1);
    };
    const step = button("", forward, { class: "olc-main" });
    const run = button("", () => (playing ? turn(false) : start()));
    lab.follow((game) => {
      const over = at() >= game.last;
      set(step, { text: next(game), "aria-disabled": over });
      const text = playing ? "Pause" : over && at() ? "Play again" : "Play";
      set(run, { text, "aria-disabled": !game.last });
    });
    if (lab.el.closest(".tag_plays") && !still()) {
      const waiting = setTimeout(start, 800);
      const halt = () => {
        clearTimeout(waiting);
        if (playing) turn(false);
      };
      for (const event of ["pointerdown", "keydown"])
        lab.el.addEventListener(event, halt, { once: true, capture: true });
    }
    const scrub = slider(lab, "at", { name: noun, step: 1, max: (game) => game.last, move: true });
    return [step, run, scrub];
  }

  // --- the frame ------------------------------------------------------------------------------

  // The reader commits himself before the picture answers.
  function guess({ question, answers }) {
    const says = h("span", { class: "olc-answer", role: "status" });
    const chips = Object.entries(answers).map(([text, reply]) => {
      const press = (e) => {
        for (const chip of chips) set(chip, { "aria-pressed": chip === e.currentTarget });
        says.textContent = reply;
      };
      return button(text, press, { class: "olc-chip", "aria-pressed": false });
    });
    const asked = h("p", {}, h("b", {}, "Guess first. "), question);
    return h("div", { class: "olc-ask" }, asked, h("div", { class: "olc-chips" }, chips, says));
  }
  async function copy(node, text) {
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      const box = h("textarea", { class: "olc-gone" }); // file:// and old browsers
      box.value = text;
      node.after(box);
      box.select();
      document.execCommand("copy");
      box.remove();
    }
    node.dispatchEvent(new CustomEvent("olc-copy", { detail: text, bubbles: true }));
    const was = node.textContent;
    node.textContent = "Copied";
    setTimeout(() => set(node, { text: was }), 1500);
  }
  function render(name, spec, { el, model }) {
    const words = model.get("words");
    const keys = ["mode", ...Object.keys(words.keys)];
    const read = () => Object.fromEntries(keys.map((key) => [key, model.get(key)]));
    const first = structuredClone(read());
    const [past, follows] = [[], []];
    let [last, busy, done, later] = ["", false, false, 0];
    const link = (text, press) => button(text, press, { class: "olc-link" });
    const goal = h("span", { class: "olc-goal", role: "status" });
    const says = h("p", { class: "olc-says" });
    const undo = link("Undo", () => {
      lab.stop();
      last = "";
      if (past.length) lab.move(past.pop());
    });
    const lab = {
      ...{ el, fraction: 1, state: first, game: spec.game(first), stop() {} },
      follow: (f) => follows.push(f),
      quiet: (yes) => set(says, { "aria-live": yes ? "off" : "polite" }),
      redraw() {
        view.draw?.(lab.game);
        for (const f of follows) f(lab.game);
      },
      move(patch) {
        busy = true;
        for (const [key, value] of Object.entries(patch)) model.set(key, value);
        model.save_changes();
        busy = false;
        show();
      },
      change(patch, tag) {
        lab.stop();
        if (!tag || tag !== last) past.push(structuredClone(read()));
        if (past.length > 200) past.shift();
        last = tag;
        lab.move(patch);
        return true;
      },
    };
    function show() {
      lab.state = read();
      lab.game = spec.game(lab.state);
      lab.redraw();
      const text = spec.says(lab.game); // a screen reader hears it when the hand rests
      clearTimeout(later);
      later = setTimeout(() => set(says, { text }), says.textContent ? 120 : 0);
      const why = spec.reached(lab.game);
      done ||= Boolean(why); // it stays so when the reader plays on
      if (done) set(goal, { class: "olc-goal olc-reached", text: `✓ ${why || words.goal}` });
      set(undo, { "aria-disabled": !past.length });
    }
    const aim = () => {
      done = false;
      set(goal, { class: "olc-goal", text: `Your goal: ${words.goal}` });
    };
    const again = link("Start again", () => {
      aim();
      lab.change(structuredClone(first));
    });
    const leaves = { "Copy as Python": () => cell(name, lab.state, words.cell) };
    if (model.link) leaves["Copy a link"] = model.link; // a page has an address
    const copies = Object.entries(leaves).map(([text, made]) =>
      link(text, (e) => copy(e.currentTarget, made())),
    );
    const view = spec.view(lab);
    set(el, { role: "group", "aria-label": words.title });
    el.classList.add("olc-lab");
    el.addEventListener("keydown", (e) => {
      if (/^( |Enter|Arrow.*)$/.test(e.key)) e.stopPropagation(); // slides and notebooks listen
      if (e.key !== "z" || !(e.ctrlKey || e.metaKey)) return;
      undo.click();
      e.preventDefault();
    });
    const boards = h("div", { class: "olc-boards" }, view.panels);
    const controls = h("div", { class: "olc-controls" }, view.controls);
    const hint = h("span", { class: "olc-hint" }, words.hint ?? "");
    const foot = h("p", { class: "olc-foot" }, undo, again, copies, hint);
    const head = h("p", { class: "olc-head" }, h("strong", {}, words.title), goal);
    const flow = h("div", { class: "olc-flow" }, boards, controls, says, foot);
    el.replaceChildren(h("div", { class: "olc-inside" }, head, guess(words), flow));
    aim();
    lab.quiet(false);
    show();
    // somebody else may set it: Python
    const listen = () => busy || show();
    for (const key of keys) model.on(`change:${key}`, listen);
    return () => {
      lab.stop();
      for (const key of keys) model.off(`change:${key}`, listen);
    };
  }

  // --- pages ----------------------------------------------------------------------------------

  // A state, with what a link says of its keys where that is valid.
  function stateOf(keys, given, link) {
    const state = { ...given };
    let found = {};
    try {
      found = Object(JSON.parse(link));
    } catch {} // a link that someone has cut
    for (const [key, kind] of Object.entries(keys))
      if (Object.hasOwn(found, key) && fits(found[key], kind)) state[key] = found[key];
    return state;
  }
  // The model of a page: anywidget's get, set, on, off and save_changes. The element keeps the
  // state where others can read it.
  function page(name, el, words, state) {
    const all = { ...state, words };
    return {
      ...{ on() {}, off() {}, get: (key) => all[key] },
      set(key, value) {
        all[key] = state[key] = value;
      },
      save_changes: () => set(el, { "data-state": JSON.stringify(state) }),
      link() {
        const { mode, ...rest } = state; // that is the page's
        const url = new URL(location.href);
        url.hash = new URLSearchParams({ [name]: JSON.stringify(rest) });
        return url.href;
      },
    };
  }
  const labs = {};
  function start(el) {
    const name = el.dataset.olcLab;
    if (!labs[name] || el.dataset.olcBegun) return;
    el.dataset.olcBegun = "yes";
    document.head.append(...el.querySelectorAll("style")); // where no page links it
    const first = el === document.querySelector(`[data-olc-lab="${name}"]`);
    const link = first ? new URLSearchParams(location.hash.slice(1)).get(name) : null;
    const words = JSON.parse(el.dataset.words);
    const state = stateOf(words.keys, JSON.parse(el.dataset.state), link);
    const model = page(name, el, words, state);
    model.save_changes();
    labs[name].render({ el, model });
    if (link) el.scrollIntoView();
  }
  // Labs begin when they come near, and the one of a link at once; until then there is a still.
  function begin() {
    const elements = [...document.querySelectorAll("[data-olc-lab]")];
    const come = (seen) => {
      for (const { target, isIntersecting } of seen) if (isIntersecting) start(target);
    };
    const near = new IntersectionObserver(come, { rootMargin: "400px" });
    for (const el of elements)
      if (location.hash.startsWith(`#${el.dataset.olcLab}=`)) start(el);
      else near.observe(el);
  }
  globalThis.olcLab = {
    ...{ h, set, join, tween, still, num, plural, colour, chart, handle, place },
    ...{ button, slider, choice, player, END, cell, stateOf, labs, begin },
    define(name, spec) {
      labs[name] = { spec, render: (given) => render(name, spec, given) };
      if (typeof document !== "undefined") begin();
    },
  };
})();
