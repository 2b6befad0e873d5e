"""What a run of the benchmarks looks like: a table in Markdown and a picture of the ratios."""

from pathlib import Path

INTRODUCTION = """# Benchmarks

Written by `make bench`. Both sides alternate in one run, on one thread; a ratio is the peer's time
divided by ours, the median over the rounds. Our time includes the certificate. The suboptimality is
the distance of a side's objective from our certified bound, relative to it (or to the data's scale, where
the best value is 0). Times say something only as ratios, and on this machine.
"""


def markdown(kept: dict) -> str:
    """The whole table, with what ran."""
    lines = [INTRODUCTION]
    lines.append("Ran on: " + ", ".join(f"{k} {v}" for k, v in kept["versions"].items()) + ".\n")
    lines.append(
        "| job | on | side | time | peer ÷ ours | suboptimality | memory beside the data |"
    )
    lines.append("|---|---|---|---:|---:|---:|---:|")
    for row in kept["rows"]:
        own = row["side"] == "ours"
        memory = f"{row['peak bytes'] / 2**20:.1f} MiB" if own else ""
        ratio = "" if own else f"{row['ratio']:.2f}"
        name = "**ours**" if own else row["side"]
        lines.append(
            f"| {row['job']} | {row['on']} | {name} | {_time(row['seconds'])} | {ratio} "
            f"| {row['suboptimality']:.0e} | {memory} |"
        )
    return "\n".join(lines) + "\n"


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
