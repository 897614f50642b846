// What every lab of the book is made of. A lab is two files: <name>.py, which says what it begins
// with (see __init__.py), and js/<name>.js, which says what is computed and drawn:
//
//   olcLab.define("name", {
//     valid: { key: (value, state) => boolean },  // the keys of the state that can change
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
    node.append(...kids.flat(9).filter((kid) => kid !== null && kid !== undefined));
    return set(node, given);
  }
  function set(node, given) {
    for (const [name, value] of Object.entries(given)) {
      const word = name.startsWith("aria-"); // true and false are words there
      if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
      else if (name === "text") {
        if (node.textContent !== value) node.textContent = value;
      } else if (value === undefined || value === null || (value === false && !word))
        node.removeAttribute(name);
      else {
        const text = value === true && !word ? "" : String(value);
        if (node.getAttribute(name) !== text) node.setAttribute(name, text);
      }
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
      if (parent.children[i] !== node && !node.isConnected) parent.append(node);
      set(node, given);
    });
    for (const node of old.values()) node.remove();
  }
  const still = () => matchMedia("(prefers-reduced-motion: reduce)").matches;
  // Draw from 0 to 1 in so many milliseconds, at once where motion is unwelcome; returns a stop.
  function tween(ms, draw, done = () => {}) {
    let alive = true;
    const from = performance.now();
    const tick = (now) => {
      if (!alive) return;
      const f = still() || document.hidden ? 1 : Math.min(1, Math.max(0, (now - from) / ms));
      draw(1 - (1 - f) ** 3);
      if (f < 1) requestAnimationFrame(tick);
      else done();
    };
    if (still() || document.hidden) tick(from);
    else requestAnimationFrame(tick);
    return () => {
      alive = false;
    };
  }

  // --- words ----------------------------------------------------------------------------------

  const num = (v, digits = 3) => {
    if (!Number.isFinite(v)) return "∞";
    const text = String(
      Math.abs(v) >= 10 ** digits ? Math.round(v) : Number(v.toPrecision(digits)),
    );
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
  const within = (low, high) => (v) => typeof v === "number" && v >= low && v <= high;
  const whole = (low, high) => (v) => Number.isInteger(v) && v >= low && v <= high;
  const oneOf =
    (...words) =>
    (v) =>
      words.includes(v);
  const list = (item, least, most) => (v, state) =>
    Array.isArray(v) && v.length >= least && v.length <= most && v.every((one) => item(one, state));

  // --- pictures -------------------------------------------------------------------------------

  // A plot in pixels of the page, so that letters keep their size on a phone. draw(plot) calls
  // range(x, y, names), paths([[class, d, who]]) with a d of line, stairs or curve, and
  // labels([[text, [x, y], side, who]]), where side is e, ne, se, n or nw of the point.
  function chart({ height, label, draw }) {
    const layers = ["olc-axes", "olc-curves", "olc-names"].map((name) => h("g", { class: name }));
    const svg = h("svg", { class: "olc-chart", role: "img", "aria-label": label }, layers);
    const self = { svg, width: 320, redraw: () => draw(self) };
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
    self.range = (xs, ys, names, marks = ticks(xs)) => {
      const right = self.width - 12;
      self.x = (v) => left + ((v - xs[0]) / (xs[1] - xs[0])) * (right - left);
      self.y = (v) => bottom - ((v - ys[0]) / (ys[1] - ys[0])) * (bottom - top);
      const text = (words, x, y, anchor) => ({
        tag: "text",
        text: words,
        x,
        y,
        "text-anchor": anchor,
      });
      const rule = (y) => ({ tag: "line", x1: left, x2: right, y1: y, y2: y });
      set(svg, { viewBox: `0 0 ${self.width} ${height}` });
      join(layers[0], [
        ...ticks(ys).flatMap((v) => [rule(self.y(v)), text(num(v), 28, self.y(v) + 4, "end")]),
        ...marks.map((v) => text(num(v), self.x(v), bottom + 16, "middle")),
        text(names[0], right, height - 3, "end"),
        text(names[1], 2, 9),
        { ...rule(self.y(Math.max(ys[0], 0))), class: "olc-base" },
      ]);
    };
    const place = ([x, y]) => `${self.x(x).toFixed(1)},${self.y(y).toFixed(1)}`;
    self.line = (points) => (points.length ? `M${points.map(place).join("L")}` : "");
    self.stairs = (points) =>
      self.line(points.flatMap((p, i) => (i ? [[p[0], points[i - 1][1]], p] : [p])));
    self.curve = (f, from, to) => {
      const xs = Array.from({ length: 81 }, (_, i) => from + ((to - from) * i) / 80);
      return self.line(xs.map((v) => [v, f(v)]));
    };
    self.dot = (x, y) => `M${place([x, y])}h.01`;
    const item = (tag, name, who, given) => ({
      tag,
      class: name,
      style: who && colour(who),
      ...given,
    });
    self.paths = (paths) =>
      join(
        layers[1],
        paths.filter(Boolean).map(([name, d, who]) => item("path", name, who, { d })),
      );
    // Labels stay inside the picture, and move down where one stands already.
    self.labels = (labels) => {
      const placed = [];
      for (const [text, [a, b], side, who] of labels.filter(Boolean)) {
        const size = text.length * 6.6;
        const shift = { n: -size / 2, nw: -size - 4 }[side] ?? 8;
        const x = Math.max(0, Math.min(self.x(a) + shift, self.width - size));
        let y = Math.max(10, self.y(b) + ({ e: 4, se: 14 }[side] ?? -8));
        for (const other of placed) {
          const beside = x < other.x + other.size && other.x < x + size;
          if (beside && Math.abs(y - other.y) < 14) y = other.y + 14;
        }
        placed.push({ text, who, size, x, y });
      }
      join(
        layers[2],
        placed.map(({ who, text, x, y }) => item("text", "olc-label", who, { text, x, y })),
      );
    };
    return self;
  }
  const colour = (who) => `--c:var(--olc-${who})`; // of an algorithm

  // Something to take hold of: pointer, finger or arrow keys (Shift: a quarter of the way).
  function handle(node, svg, { move, tap, key, leave }) {
    let from = null;
    let moved = false;
    let grabs = 0; // each is a drag of its own, to be undone at once
    const at = (e) => {
      const p = new DOMPoint(e.clientX, e.clientY).matrixTransform(svg.getScreenCTM().inverse());
      return [p.x, p.y];
    };
    const up = (e) => {
      if (!from) return;
      from = null;
      if (e.type === "pointercancel") return; // it has no place, and must not count as let go outside
      if (moved) leave?.(at(e));
      else tap?.();
    };
    // touch-action is not heard inside an SVG
    node.addEventListener("touchstart", (e) => e.preventDefault(), { passive: false });
    return set(node, {
      tabindex: 0,
      onpointerdown(e) {
        if (e.button) return;
        node.setPointerCapture(e.pointerId);
        from = [e.clientX, e.clientY];
        moved = false;
        grabs += 1;
        node.focus({ preventScroll: true });
        e.preventDefault();
      },
      onpointermove(e) {
        if (!from) return;
        moved ||= Math.hypot(e.clientX - from[0], e.clientY - from[1]) > 4;
        if (moved) move(at(e), `grab ${grabs}`);
      },
      onpointerup: up,
      onpointercancel: up,
      onclick: (e) => e.stopPropagation(),
      onkeydown(e) {
        const by = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[
          e.key
        ];
        if (e.ctrlKey || e.metaKey || e.altKey) return;
        if (!key(by ? { by: by.map((v) => (e.shiftKey ? v / 4 : v)) } : { name: e.key })) return;
        e.preventDefault();
        e.stopPropagation();
      },
    });
  }
  // --- controls -------------------------------------------------------------------------------

  const button = (text, onclick, given = {}) =>
    h("button", { type: "button", onclick, ...given }, text);
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
  // Words of which one is on: { value: "text" }.
  function choice(lab, key, name, options) {
    const group = `olc${Math.random().toString(36).slice(2)}`;
    const radios = Object.entries(options).map(([value, text]) => {
      const box = h("input", {
        type: "radio",
        name: group,
        onchange: () => lab.change({ [key]: value }),
      });
      lab.follow((game) => {
        box.checked = game.state[key] === value;
      });
      return h("label", {}, box, h("span", {}, text));
    });
    return h("fieldset", { class: "olc-choice" }, h("legend", {}, name), radios);
  }
  const END = 9999; // the last moment of a game, whichever that is
  // Step, play and scrub through the moments of a game, `at` of game.last. While a step is taken
  // lab.fraction goes from 0 to 1. `next(game)` is what the primary button says.
  function player(lab, { noun, next, ms = 420 }) {
    let stop = () => {};
    let playing = false;
    const at = () => Math.min(lab.state.at, lab.game.last);
    const go = (to, done) => {
      stop();
      lab.fraction = 0;
      lab.move({ at: to });
      stop = tween(
        playing ? ms * 0.6 : ms,
        (f) => {
          lab.fraction = f;
          lab.redraw();
        },
        done,
      );
    };
    const halt = () => {
      if (!playing) return;
      playing = false;
      lab.quiet(false);
      lab.redraw();
    };
    const on = () => {
      if (!playing || !lab.el.isConnected || at() >= lab.game.last) return halt();
      const pause = Math.max(30, 700 / Math.sqrt(lab.game.last));
      return go(at() + 1, () => setTimeout(on, pause));
    };
    const start = () => {
      if (at() >= lab.game.last) lab.move({ at: 0 });
      playing = true;
      lab.quiet(true);
      on();
    };
    const step = button("", () => go(at() + 1, halt()), { class: "olc-main" });
    const run = button("Play", () => (playing ? halt() : start()));
    lab.stop = () => {
      halt();
      stop();
      lab.fraction = 1;
    };
    lab.follow((game) => {
      set(step, { text: next(game), disabled: at() >= game.last });
      set(run, {
        text: playing ? "Pause" : at() >= game.last && at() ? "Play again" : "Play",
        disabled: !game.last,
      });
    });
    if (lab.el.dataset.olcPlay !== undefined && !still()) {
      for (const event of ["pointerdown", "keydown"])
        lab.el.addEventListener(event, halt, { once: true, capture: true });
      setTimeout(start, 800);
    }
    const scrub = slider(lab, "at", { name: noun, step: 1, max: (game) => game.last, move: true });
    return [step, run, scrub];
  }

  // --- the frame ------------------------------------------------------------------------------

  // The reader commits himself before the picture answers.
  function guess({ question, answers }) {
    const says = h("span", { class: "olc-answer", role: "status" });
    const chips = Object.keys(answers).map((text, i) =>
      button(
        text,
        () => {
          for (const [j, chip] of chips.entries()) set(chip, { "aria-pressed": i === j });
          says.textContent = answers[text];
        },
        { class: "olc-chip", "aria-pressed": false },
      ),
    );
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
    const known = ["mode", ...Object.keys(spec.valid)];
    const keys = known.filter((key) => ![undefined, null].includes(model.get(key)));
    const read = () => Object.fromEntries(keys.map((key) => [key, model.get(key)]));
    const first = structuredClone(read());
    const [past, follows, heard] = [[], [], []];
    let [last, view, busy, done, later] = ["", null, false, false, 0];
    const lab = { el, fraction: 1, state: first, stop() {}, follow: (f) => follows.push(f) };
    const title = h("strong");
    const goal = h("span", { class: "olc-goal", role: "status" });
    const says = h("p", { class: "olc-says", "aria-live": "polite" });
    lab.quiet = (yes) => set(says, { "aria-live": yes ? "off" : "polite" });
    lab.redraw = () => {
      view.draw(lab.game);
      for (const f of follows) f(lab.game);
    };
    const show = () => {
      lab.state = read();
      lab.game = spec.game(lab.state);
      lab.redraw();
      const text = spec.says(lab.game); // a screen reader hears it when the hand rests
      clearTimeout(later);
      later = setTimeout(() => set(says, { text }), says.textContent ? 120 : 0);
      const why = spec.reached(lab.game);
      if (why && !done) set(goal, { class: "olc-goal olc-reached", text: `✓ ${why}` });
      done ||= Boolean(why);
      set(undo, { disabled: !past.length });
    };
    lab.move = (patch) => {
      busy = true;
      for (const [key, value] of Object.entries(patch)) model.set(key, value);
      model.save_changes();
      busy = false;
      show();
    };
    lab.change = (patch, tag) => {
      lab.stop();
      if (!tag || tag !== last) past.push(structuredClone(read()));
      if (past.length > 200) past.shift();
      last = tag;
      lab.move(patch);
      return true;
    };
    const undo = button(
      "Undo",
      () => {
        lab.stop();
        last = "";
        if (past.length) lab.move(past.pop());
      },
      { class: "olc-link" },
    );
    const again = button(
      "Start again",
      () => {
        aim();
        lab.change(structuredClone(first));
      },
      { class: "olc-link" },
    );
    const leaves = {
      "Copy as Python": () => cell(name, lab.state, model.get("words").cell),
      "Copy a link": model.link,
    };
    const copies = Object.entries(leaves).map(([name, text]) =>
      text ? button(name, (e) => copy(e.currentTarget, text()), { class: "olc-link" }) : null,
    );
    const aim = () => {
      done = false;
      set(goal, { class: "olc-goal", text: `Your goal: ${model.get("words").goal}` });
    };
    const build = () => {
      const words = model.get("words");
      Object.assign(lab, { state: read(), game: spec.game(read()) });
      follows.length = 0;
      aim();
      view = spec.view(lab);
      title.textContent = words.title;
      set(el, { role: "group", "aria-label": words.title });
      const flow = [
        h("div", { class: "olc-boards" }, view.panels),
        h("div", { class: "olc-controls" }, view.controls),
      ];
      const foot = h("p", { class: "olc-foot" }, undo, again, copies);
      el.replaceChildren(
        h(
          "div",
          { class: "olc-inside" },
          h("p", { class: "olc-head" }, title, goal),
          guess(words),
          h("div", { class: "olc-flow" }, flow, says, foot),
        ),
      );
      show();
    };
    el.classList.add("olc-lab");
    el.addEventListener("keydown", (e) => {
      if (e.key !== "z" || !(e.ctrlKey || e.metaKey)) return;
      undo.click();
      e.preventDefault();
    });
    for (const key of keys) {
      // somebody else may set it: Python
      const listen = () => busy || show();
      heard.push([`change:${key}`, listen]);
      model.on(`change:${key}`, listen);
    }
    build();
    return () => {
      lab.stop();
      for (const [event, listen] of heard) model.off(event, listen);
    };
  }

  // --- pages ----------------------------------------------------------------------------------

  // The state of an element, with what the link says of it where that is valid.
  function stateOf(spec, given, link) {
    const state = structuredClone(given);
    let found = {};
    try {
      found = Object(JSON.parse(link));
    } catch {} // a link that someone has cut
    for (const [key, check] of Object.entries(spec.valid)) {
      const good = key in given && Object.hasOwn(found, key) && check(found[key], state);
      if (good) state[key] = found[key];
    }
    return state;
  }
  // The model of a page: anywidget's get, set, on, off and save_changes.
  function page(name, state) {
    return {
      get: (key) => state[key],
      set: (key, value) => {
        state[key] = value;
      },
      ...{ on() {}, off() {}, save_changes() {} },
      link() {
        const { mode, words, ...rest } = state; // these are the page's
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
    const first = el === document.querySelector(`[data-olc-lab="${name}"]`);
    const link = first ? new URLSearchParams(location.hash.slice(1)).get(name) : null;
    const given = JSON.parse(el.dataset.state);
    const state = stateOf(labs[name].spec, given, link);
    labs[name].render({ el, model: page(name, { ...state, words: JSON.parse(el.dataset.words) }) });
    if (link) el.scrollIntoView();
  }
  // Labs begin when they come near, all of them before printing, and the one of a link at once.
  function begin() {
    const elements = [...document.querySelectorAll("[data-olc-lab]")];
    const near = new IntersectionObserver(
      (seen) => {
        for (const { target, isIntersecting } of seen) if (isIntersecting) start(target);
      },
      { rootMargin: "400px" },
    );
    for (const el of elements)
      if (location.hash.startsWith(`#${el.dataset.olcLab}=`)) start(el);
      else near.observe(el);
    addEventListener("beforeprint", () => elements.forEach(start));
  }
  globalThis.olcLab = {
    ...{ h, set, join, tween, still, num, plural, within, whole, oneOf, list, colour },
    ...{ chart, handle, button, slider, choice, player, END, cell, stateOf, labs },
    define(name, spec) {
      labs[name] = { spec, render: (given) => render(name, spec, given) };
      if (typeof document !== "undefined") begin();
    },
  };
})();
