import { stat } from 'node:fs/promises'
import { expect, test, vi } from 'vitest'
import { ANSWER_TIMEOUT_MS, withinTime } from './within-time.ts'

/** Keeps this thread, and no other, from doing anything. */
function stall(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
}

test('an answer that never comes is a rejection, and said once', async () => {
  const onTimeout = vi.fn()
  await expect(withinTime(new Promise(() => {}), onTimeout)).rejects.toThrow('did not answer within 1000 ms')
  expect(onTimeout).toHaveBeenCalledTimes(1)
})

test('an answer that came while we were busy counts, however late we look', async () => {
  const onTimeout = vi.fn()
  // After this the timers have the next word, and then the sockets.
  await new Promise((resolve) => setImmediate(resolve))
  // It comes from another thread, as what is read from a socket does.
  const answer = withinTime(stat('.'), onTimeout)
  stall(ANSWER_TIMEOUT_MS + 100)
  expect((await answer).isDirectory()).toBe(true)
  expect(onTimeout).not.toHaveBeenCalled()
})
