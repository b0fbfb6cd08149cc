import { stat } from 'node:fs/promises'
import { expect, test, vi } from 'vitest'
import { ANSWER_TIMEOUT_MS, withinTime } from './within-time.ts'

/** Blocks this thread and no other. */
function stall(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
}

test('an answer that never comes is rejected, and reported once', async () => {
  const onTimeout = vi.fn()
  await expect(withinTime(new Promise(() => {}), onTimeout)).rejects.toThrow('did not answer within 1000 ms')
  expect(onTimeout).toHaveBeenCalledTimes(1)
})

test('an answer that came while the thread was blocked counts', async () => {
  const onTimeout = vi.fn()
  // The event loop runs timers next, and then reads sockets.
  await new Promise((resolve) => setImmediate(resolve))
  // The result comes from another thread, like data of a socket.
  const answer = withinTime(stat('.'), onTimeout)
  stall(ANSWER_TIMEOUT_MS + 100)
  expect((await answer).isDirectory()).toBe(true)
  expect(onTimeout).not.toHaveBeenCalled()
})
