"""The referee's own lateness, measured by a loop that is really held up."""

import time

import trio

from referee.lag import LagMeter


async def test_a_lag_is_seen_while_it_lasts_and_afterwards_until_its_end():
    meter = LagMeter()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(meter.run)
        await trio.sleep(0.02)
        began = trio.current_time()
        time.sleep(0.1)  # noqa: ASYNC251 (it is the loop that must be held up)
        assert meter.worst_since(began) >= 0.09
        await trio.sleep(0.02)
        assert meter.worst_since(began) >= 0.09
        assert meter.worst_since(trio.current_time() + 1) < 0.09
        summary = meter.summary()
        nursery.cancel_scope.cancel()
    assert summary
    assert summary.max >= 90
    assert summary.p50 <= summary.p99 <= summary.max


def test_before_the_first_beat_nothing_is_known():
    assert LagMeter().summary() is None


async def test_without_a_beat_nothing_is_late():
    assert LagMeter().worst_since(0) == 0
