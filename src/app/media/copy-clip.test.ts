import { expect, test } from 'vitest'
import type { DueClip } from '../../ports/clips.ts'
import { type CopyTools, copyClip } from './copy-clip.ts'

const DUE: DueClip = {
  ...{ id: 'clip_1', taskId: 'task_1', organizationId: 'org_1', model: 'm', kind: 'video' },
  ...{ attempt: 2, attemptsLeft: 3, fence: 7 },
}

/** Copies a file whose transfer is cut off by the signal of its lease, and returns what was written about it. */
async function cutOff(due: DueClip, isOver: boolean): Promise<unknown[]> {
  const written: unknown[] = []
  const writes = (name: string) => async (values: object) => void written.push({ name, ...values })
  const tools = {
    clips: { giveBack: writes('giveBack'), postpone: writes('postpone'), giveUp: writes('giveUp') },
    media: { remove: () => Promise.reject(new DOMException('cut off', 'AbortError')) },
    clock: { nowMs: () => 1_000 },
    log: { warn() {} },
    checkpoint() {},
    bounds: {},
  } as unknown as CopyTools
  const delayMs = await copyClip(tools)(due, { signal: AbortSignal.abort(), isOver: () => isOver })
  return [delayMs, ...written]
}

test('a copy that is cut off by a stop uses up no attempt and is due immediately', async () => {
  const back = { name: 'giveBack', callbackId: 'clip_1', fence: 7, nextAttemptAtMs: 1_000 }
  expect(await cutOff(DUE, false)).toEqual([undefined, back])
})

test('a copy that is cut off by the end of its lease uses up an attempt, and is given up after the last attempt', async () => {
  const about = { id: 'clip_1', fence: 7, reason: 'failed' }
  const [delayMs, written] = await cutOff(DUE, true)
  expect(delayMs).toBeGreaterThan(0)
  expect(written).toEqual({ name: 'postpone', ...about, nextAttemptAtMs: 1_000 + Number(delayMs) })
  expect(await cutOff({ ...DUE, attemptsLeft: 0 }, true)).toEqual([
    undefined,
    { name: 'giveUp', ...about, atMs: 1_000 },
  ])
})
