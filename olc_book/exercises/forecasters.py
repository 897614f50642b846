"""Exercises of the chapter `forecasters`."""

from olc_book.exercises.kit import *

# A slip is a row: the formatter would spread each of them over many lines.
# fmt: off

numbers("forecasters-warm-up", "Alice has less loss, and better calibration.",
        "On a rainy day ½ loses ¼, and ¾ loses 1/16.",
        "A calibration term is a mean over days of the squares (q − o)².",
        losses=([5 / 8, 15 / 16], {
            "these are the means, not the sums": [5 / 32, 15 / 64],
            "these are the absolute losses": [1.5, 1.75]}),
        terms=([1 / 32, 13 / 192], {
            "every forecast counts by its days": [1 / 16, 37 / 144],
            "take the squares of the distances": [1 / 8, 3 / 16]}))


def _term(weight: Any = lambda days: days.mean(), power: int = 2) -> Any:
    def term(said: Any, rain: Any) -> float:
        groups = [(q, said == q) for q in np.unique(said)]
        return float(sum(weight(days) * abs(q - rain[days].mean()) ** power
                         for q, days in groups))

    return term


def _months(term: Any) -> dict[str, Any]:
    found = {}
    for seed in range(2):
        rng = np.random.default_rng(seed)
        said, rain = rng.integers(0, 5, 30) / 4, rng.integers(0, 2, 30)
        found[f"in month {seed + 1}"] = term(said, rain)
    return found


behaves("forecasters-loop", _months, _term(), {
    "counts every forecast once": _term(lambda days: 1.0),
    "adds over the days and does not divide": _term(lambda days: days.sum()),
    "takes distances, not their squares": _term(power=1),
    "is the mean square loss": lambda said, rain: float(np.mean((said - rain) ** 2)),
}, "The days of one forecast are judged together.",
    "np.unique(said) are the forecasts.")
numbers("forecasters-tie", "By the absolute loss Bob, who is wrong, leads.",
        "What does Bob gain on a rainy day, and lose on a dry one?",
        square=(0.75, {"they tie where gain and loss balance, not in the middle": 0.5,
                       "this is the share of dry days": 0.25,
                       "this is the chance of rain, not the tie": 0.7}),
        log=(math.log(1.5) / (math.log(1.5) + math.log(8 / 7)), {
            "this is the share of dry days":
                math.log(8 / 7) / (math.log(1.5) + math.log(8 / 7)),
            "this is the chance of rain, not the tie": 0.7,
            "this is the tie by the square loss": 0.75,
            "they tie where gain and loss balance, not in the middle": 0.5}),
        absolute=(0.5, {"this is the chance of rain, not the tie": 0.7,
                        "this is the tie by the square loss": 0.75}))


@exercise("forecasters-calibrated", "Calibration is not everything.",
          "Always saying the mean is calibrated.")
def _calibrated(calibrated: Any, other: Any, rain: Any) -> None:
    for said in (calibrated, other, rain):
        must(len(said) == 4, "give four days")
    one, two = (forecasters.decompose(said, rain) for said in (calibrated, other))
    off = float(one["calibration"])
    must(off < 1e-9, f"the first is not calibrated: that part of its loss is {off:.4g}")
    must(two["calibration"] > 1e-9, "the second is calibrated, too")
    said = f"the first loses {one['loss']:.4g} and the second {two['loss']:.4g}"
    must(one["loss"] > two["loss"], f"{said}: the first should lose more")
