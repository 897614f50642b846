// Plays in node what a test asks for: JSON with the scripts in, JSON with what happened out.
import fs from "node:fs";
import vm from "node:vm";

const asked = JSON.parse(fs.readFileSync(0, "utf8"));
for (const script of asked.scripts) vm.runInThisContext(script);
const { olcLearners: learners, olcLab: kit } = globalThis;

const make = {
  classifier: ({ n, classes }) => learners.classifier(n, classes),
  kernel: ({ name, ...options }) => learners.kernelPerceptron(learners.kernels[name](options)),
};
const at = (rounds, key) => rounds.flatMap((round, t) => (round[key] ? [t] : []));
const answers = {
  games: ({ name, options, X, y }) => {
    const self = (make[name] ?? ((given) => learners.learner(name, given)))(options);
    const rounds = learners.play(self, X, y);
    return {
      said: rounds.map((round) => round.said),
      mistakes: at(rounds, "wrong"),
      updates: at(rounds, "wants"),
      chances: rounds.map((round) => round.chance),
      average: self.average?.(),
    };
  },
  races: ({ n, k, rounds, seed, links }) => {
    const stream = learners.panel(n, k, rounds, seed);
    const mistakes = links.map(([name, value]) =>
      learners.race(stream, name && learners.links[name](value)),
    );
    return {
      first: [...stream.X.slice(0, 64)],
      y: [...stream.y],
      members: stream.members,
      mistakes,
    };
  },
  sums: (terms) => learners.fsum(terms),
  margins: ({ X, y }) => learners.margin(X, y),
  hulls: (rows) => learners.hull(rows.map((a) => rows.map((b) => learners.dot(a, b)))),
  bounds: ([name, ...given]) =>
    name.split(".").reduce((found, part) => found[part], learners.bounds)(...given),
  states: ({ lab, state, cell }) => {
    const { spec } = kit.labs[lab];
    const game = spec.game(state);
    const numbers = Object.entries(game).filter(([, value]) => typeof value !== "object");
    const told = {
      says: spec.says(game),
      reached: spec.reached(game),
      python: kit.cell(lab, state, cell),
    };
    return { ...Object.fromEntries(numbers), ...told };
  },
  links: ({ keys, given, link }) => kit.stateOf(keys, given, link),
};
const found = {};
for (const [name, answer] of Object.entries(answers)) found[name] = (asked[name] ?? []).map(answer);
process.stdout.write(JSON.stringify(found));
