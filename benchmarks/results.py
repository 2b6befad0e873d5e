"""Write the results of a benchmark as a table in Markdown and draw a picture of the ratios."""

from collections.abc import Iterable
from pathlib import Path

from benchmarks.growth import exponent

INTRODUCTION = """# Benchmarks

Written by `make bench`. Both sides alternate in one run, on one thread; times are the processor's. A ratio
is the peer's time divided by ours, the median over the rounds. Our time includes the certificate. The
suboptimality is the distance of a side's objective from our certified bound, relative to it (or to the data's
scale, where the best value is 0). Times say something only as ratios, and on this machine. From 100,000
samples on, the floor is raced in the same run, too: the last two columns say how often X could have been
read, and how often XᵀX could have been computed, in the time that a fit takes with its certificate.
"""


def markdown(kept: dict) -> str:
    """The whole table, with what ran."""
    lines = [INTRODUCTION]
    lines.append("Ran on: " + ", ".join(f"{k} {v}" for k, v in kept["versions"].items()) + ".\n")
    lines.append(
        "| job | on | side | time | peer ÷ ours | suboptimality | memory beside the data "
        "| ours ÷ one reading of X | ours ÷ one XᵀX |"
    )
    lines.append("|---|---|---|---:|---:|---:|---:|---:|---:|")
    for row in kept["rows"]:
        own = row["side"] == "ours"
        memory = f"{row['peak bytes'] / 2**20:.1f} MiB" if own else ""
        ratio = "" if own else f"{row['ratio']:.2f}"
        floor = " | ".join(f"{row[k]:.1f}" if k in row else "" for k in ("readings", "grams"))
        name = "**ours**" if own else row["side"]
        lines.append(
            f"| {row['job']} | {row['on']} | {name} | {_time(row['seconds'])} | {ratio} "
            f"| {row['suboptimality']:.0e} | {memory} | {floor} |"
        )
    return "\n".join([*lines, *_growth(kept.get("growth", []))]) + "\n"


GROWTH = """
## How cost grows

Ours alone. The last column is the exponent e fitted to cost ~ size^e, by least squares on logarithms
over the sizes shown: small sizes measure overhead, so it is the last steps that tell.
"""


def _growth(lines: list[dict]) -> list[str]:
    """Time against n and d, memory against n, and the exact search."""
    if not lines:
        return []
    table = [GROWTH]
    for title, by, what, unit in (
        ("time against n", "n", "seconds", _time),
        ("time against d", "d", "seconds", _time),
        ("memory beside the data against n", "n", "peak bytes", _memory),
    ):
        chosen = [line for line in lines if line["by"] == by]
        if chosen:
            sizes = sorted({line[by] for line in chosen})
            other = "d" if by == "n" else "n"
            table.append(f"| {title} ({other} = {chosen[0][other]}) | " + _cells(sizes) + " e |")
            table.append("|---" + "|---:" * (len(sizes) + 1) + "|")
        for job in dict.fromkeys(line["job"] for line in chosen):
            own = {line[by]: line for line in chosen if line["job"] == job}
            costs = _cells(unit(own[size][what]) if size in own else "" for size in sizes)
            table.append(f"| {job} | {costs} {exponent(list(own.values()), by, what):.2f} |")
        table.append("")
    hard = [line for line in lines if line["job"] == "zero-one"]
    if hard:
        table += ["| zero-one, 30 % flipped: n | d | mistakes | nodes | time |", "|---:" * 5 + "|"]
    for line in hard:
        ends = f"{line['lower']:.0f}" + (
            f" to {line['upper']:.0f}" if line["lower"] < line["upper"] else ""
        )
        cost = f"{line['nodes']} | {_time(line['seconds'])}"
        table.append(f"| {line['n']} | {line['d']} | {ends} | {cost} |")
    return table


def _cells(values: Iterable) -> str:
    return " ".join(f"{value} |" for value in values)


def _memory(count: float) -> str:
    return f"{count / 2**20:.3g} MiB"


def _time(seconds: float) -> str:
    return f"{seconds * 1e3:.3g} ms" if seconds < 1 else f"{seconds:.3g} s"


def draw(kept: dict, path: Path) -> None:
    """One mark for each duel: how many times longer the peer took, against the number of samples."""
    import matplotlib

    matplotlib.use("agg")
    import matplotlib.pyplot as plt

    from linlearn import plot

    plot.book_style()
    raced = [row["job"].split(",")[0] for row in kept["rows"] if row["side"] != "ours"]
    jobs = list(dict.fromkeys(raced))
    figure, axes = plt.subplots(2, -(-len(jobs) // 2), figsize=(11, 5.6), sharex=True, sharey=True)
    for ax, job in zip(axes.flat, jobs, strict=False):
        duels = [r for r in kept["rows"] if r["job"].split(",")[0] == job and r["side"] != "ours"]
        for colour, fair in ((plot.BLUE, True), (plot.ORANGE, False)):
            chosen = [r for r in duels if (r["suboptimality"] <= 1e-6) == fair]
            name = "peer at 1e-6 or better" if fair else "peer farther off"
            marker = "o" if fair else "s"
            ax.loglog(
                [r["n"] for r in chosen],
                [r["ratio"] for r in chosen],
                marker,
                color=colour,
                label=name,
            )
        ax.axhline(1, color=plot.INK, linewidth=0.9)
        ax.set_title(job)
    for ax in axes.flat[len(jobs) :]:
        ax.set_axis_off()
    axes.flat[0].legend(loc="upper left")
    figure.supxlabel("samples n")
    figure.supylabel("peer's time ÷ ours")
    figure.savefig(path, metadata={"Date": None, "Creator": None})
    plt.close(figure)
