"""Maps on the executors of others: ``concurrent.futures``, dask.distributed, mpi4py.futures."""

from __future__ import annotations

import concurrent.futures as futures
from collections import deque
from collections.abc import Callable
from os import PathLike
from typing import Any

from . import _native
from ._worker import compute

CHUNK = 0.5
"""Work that a worker is given at once, s: what is lost if it dies."""
FIRST = 64
"""Points of the first ranges, while nobody knows how long one takes."""
AHEAD = 3
"""Ranges that each worker has waiting."""
RETRIES = 3
"""How often a range that was lost with its worker is given to another."""


def workers_of(executor: Any) -> int:
    """How many workers an executor has, as far as it says."""
    client = getattr(executor, "_client", None) or getattr(executor, "client", None)
    if client is not None and hasattr(client, "nthreads"):
        return max(1, int(sum(client.nthreads().values())))
    for name in ("_max_workers", "num_workers"):
        count = getattr(executor, name, None)
        if isinstance(count, int) and count > 0:
            return count
    return 4


def with_futures(executor: Any) -> Any:
    """An executor whose ``submit`` gives futures of ``concurrent.futures``: a dask client has one."""
    if hasattr(executor, "get_executor"):
        return executor.get_executor(pure=False, retries=RETRIES)
    if not hasattr(executor, "submit"):
        raise TypeError(f"an executor has `submit`: {type(executor).__name__} is none")
    return executor


def run(
    scenario: _native.Scenario,
    executor: Any,
    store: str | PathLike[str] | None,
    progress: Callable[[float], object] | None,
) -> _native.Dataset:
    """Shares the points of a map out to an executor, in ranges of about equal time, and brings them together.

    Points are recorded here as they come, where there is a store. A range whose worker dies is given to another; Ctrl-C ends
    with the points that are there.
    """
    pool = with_futures(executor)
    gather = scenario.gather(store)
    todo: deque[tuple[int, int, int]] = deque(gather.missing())
    total = left = sum(end - first for _, first, end in todo)
    workers = workers_of(pool)
    pace: float | None = None
    waiting: dict[Any, tuple[int, int, int, int]] = {}

    def submit(case: int, first: int, end: int, lost: int) -> None:
        waiting[pool.submit(compute, gather.range(case, first, end))] = (case, first, end, lost)

    def fill() -> None:
        nonlocal left
        while todo and len(waiting) < AHEAD * workers:
            case, first, end = todo.popleft()
            size = FIRST if pace is None else int(CHUNK / pace)
            size = max(1, min(size, -(-left // (2 * workers))))
            if end - first > size:
                todo.appendleft((case, first + size, end))
                end = first + size
            left -= end - first
            submit(case, first, end, 0)

    done = 0
    try:
        fill()
        while waiting:
            ready, _ = futures.wait(list(waiting), return_when=futures.FIRST_COMPLETED)
            for future in ready:
                case, first, end, lost = waiting.pop(future)
                error = future.exception()
                if error is not None:
                    if isinstance(error, futures.BrokenExecutor) or not _was_lost(error) or lost >= RETRIES:
                        raise error
                    submit(case, first, end, lost + 1)
                    continue
                answer, seconds = future.result()
                gather.add(answer)
                done += end - first
                own = max(seconds, 1e-9) / (end - first)
                pace = own if pace is None else 0.7 * pace + 0.3 * own
                if progress is not None:
                    progress(done / max(total, 1))
            fill()
    except KeyboardInterrupt:
        pass
    except futures.BrokenExecutor:
        # The points that came are kept; the executor takes no more work.
        pass
    except BaseException:
        _cancel(waiting)
        gather.finish()
        raise
    _cancel(waiting)
    return gather.finish()


def _was_lost(error: BaseException) -> bool:
    """Whether the worker died, not the work failed."""
    return type(error).__name__ in {"KilledWorker", "CancelledError", "CommClosedError", "FutureCancelledError"}


def _cancel(waiting: dict[Any, Any]) -> None:
    for future in waiting:
        future.cancel()
