import { afterEach, expect, test, vi } from 'vitest'
import type { FailureKind } from './network-error.ts'
import { receiveStreamed } from './streamed-answer.ts'

afterEach(() => void vi.useRealTimers())

test('a body is not cut when its reader continues after two chunks came in one pause', async () => {
  vi.useFakeTimers()
  const { receiver, answer } = receiveStreamed({ pauseMsMax: 1_000 })
  const stopped: FailureKind[] = []
  const flow = { pause() {}, resume() {}, stop: (kind: FailureKind) => void stopped.push(kind) }
  receiver.onHead({ status: 200, headers: {} }, flow)
  const { body } = await answer
  for (let chunk = 0; chunk < 2; chunk += 1) receiver.onChunk(Buffer.alloc(64 * 1024))
  while (body.read() !== null);
  vi.advanceTimersByTime(2_000)
  expect(stopped).toEqual([])
})
