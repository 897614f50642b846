// Points of the plane that can be taken hold of: a part that several labs share.
(() => {
  const { END, button, h, handle, join, num, place, set } = olcLab;

  // A square of points that can be dragged, flipped, added and taken away: the key `points` of the
  // state, [[x, y, label], …] between -1.2 and 1.2. Draw below and above them in `under`, `over`.
  olcLab.field = function field(lab, { labels = [1, -1], names = ["plus", "minus"], most = 24 }) {
    const [HALF, UNIT] = [200, 155];
    const at = ([x, y]) => [HALF + UNIT * x, HALF - UNIT * y];
    const to = ([x, y]) => [(x - HALF) / UNIT, (HALF - y) / UNIT];
    const clamp = (v) => Math.round(Math.max(-1.2, Math.min(1.2, v)) * 100) / 100;
    const [under, marks, over] = [h("g"), h("g"), h("g", { class: "olc-over" })];
    const sky = h("rect", { class: "olc-sky", width: 400, height: 400 });
    const axes = h("path", { class: "olc-axis", d: "M0,200H400M200,0V400" });
    const given = { class: "olc-field", viewBox: "0 0 400 400", role: "group" };
    const svg = h("svg", given, sky, axes, under, marks, over);
    const keys = "Arrow keys move a point, space changes its label, Delete takes it away.";
    set(svg, { "aria-label": `The plane. ${keys}` });
    let adding = labels[0];
    const put = (points, tag) =>
      lab.change({ points, ...("at" in lab.state && lab.state.at ? { at: END } : {}) }, tag);
    const edit = (i, f, tag) => {
      const moved = lab.state.points.map((p, j) => (j === i ? f(p) : p));
      put(moved, tag);
    };
    const flip = ([x, y, label]) => [x, y, labels[(labels.indexOf(label) + 1) % labels.length]];
    const remove = (i) => {
      if (lab.state.points.length < 2) return;
      put(lab.state.points.filter((_, j) => j !== i));
      marks.children[Math.max(0, i - 1)].focus();
    };
    const add = (x, y) => {
      if (lab.state.points.length < most) put([...lab.state.points, [clamp(x), clamp(y), adding]]);
    };
    const disc = "M-7,0a7,7 0 1,0 14,0a7,7 0 1,0 -14,0";
    const shapes = [disc, "M-6.5,-6.5h13v13h-13z", "M0,-8L8,6H-8z"];
    const make = (i) => {
      const circle = (name, r) => h("circle", { class: name, r });
      const parts = [circle("olc-hit", 22), circle("olc-ring", 13)];
      const node = h("g", { role: "button", "aria-roledescription": "point" }, parts, h("path"));
      return handle(node, svg, {
        move: (spot, grab) => edit(i, (p) => [...to(spot).map(clamp), p[2]], `${i} ${grab}`),
        tap: () => edit(i, flip),
        leave: ([x, y]) => (Math.min(x, y) < -15 || Math.max(x, y) > 415) && remove(i),
        key({ by, name }) {
          const shift = ([x, y, label]) => [clamp(x + by[0] / 20), clamp(y + by[1] / 20), label];
          if (by) edit(i, shift, `key ${i}`);
          else if (name === "Delete" || name === "Backspace") remove(i);
          else return false;
          return true;
        },
      });
    };
    set(sky, { onclick: (e) => add(...to(place(svg, e))) });
    const buttons = labels.map((label, i) => {
      const press = () => {
        adding = label;
        lab.redraw();
        const turn = 2.4 * lab.state.points.length;
        add(0.9 * Math.cos(turn), 0.9 * Math.sin(turn));
        marks.lastChild.focus();
      };
      return button(`+ ${"●□△"[i]}`, press, { "aria-label": `Add a point: ${names[i]}` });
    });
    const draw = (points, ringed = () => "") => {
      for (const [i, node] of buttons.entries())
        set(node, { "aria-pressed": labels[i] === adding });
      const mark = ([x, y, label], key) => {
        const [kind, ring] = [labels.indexOf(label), ringed(key)];
        const place = `at ${num(x, 2)}, ${num(y, 2)}${ring && `; ${ring}`}`;
        const says = `Point ${key + 1} of ${points.length}, ${names[kind]}, ${place}`;
        const transform = `translate(${at([x, y]).map((c) => c.toFixed(1))})`;
        const look = `olc-point olc-kind${kind}${ring && " olc-ringed"}`;
        return { key, make, transform, class: look, "aria-label": says };
      };
      join(marks, points.map(mark));
      for (const [i, point] of points.entries())
        set(marks.children[i].lastChild, { d: shapes[labels.indexOf(point[2])] });
    };
    return { svg, under, over, at, to, draw, add: h("span", { class: "olc-pair" }, buttons) };
  };
})();
