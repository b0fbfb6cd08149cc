import { expect, test } from 'vitest'
import { storedTask } from '../../../test/api/video/stored-task.ts'
import { recordingLog } from '../../../test/engines/video-work/recording-log.ts'
import { claimTasks } from './claim-tasks.ts'

const SHARE = { perOrganizationMax: 64, inHand: {}, after: '' }
const PASS_MS = 1_000

/** A store in which every claim that includes one of the bad tasks fails, as when its row crashes the reader. */
function openScenario({
  isBad = () => false,
  isUp = () => true,
  damaged = [],
}: {
  isBad?: (id: string, nowMs: number) => boolean
  isUp?: () => boolean
  damaged?: readonly string[]
} = {}) {
  let nowMs = 0
  const waiting = new Map(Array.from({ length: 40 }, (_, number) => [`task_${number}`, 0]))
  const sizes: number[] = []
  const aside: string[] = []
  const log = recordingLog()
  const dueIds = () => [...waiting].filter(([, dueMs]) => dueMs <= nowMs).map(([id]) => id)
  const claim = claimTasks({
    provider: 'vendorA',
    tasks: {
      async claimDue({ limit }) {
        sizes.push(limit)
        const ids = dueIds().slice(0, limit)
        if (!isUp() || ids.some((id) => isBad(id, nowMs))) throw new Error('the writer died')
        for (const id of ids) waiting.delete(id)
        const sound = ids.filter((id) => !damaged.includes(id))
        const tasks = sound.map((id) => ({ ...storedTask({ id }), fence: 1 }))
        const unreadable = ids
          .filter((id) => damaged.includes(id))
          .map((id) => ({ id, organizationId: 'org_1' }))
        return { tasks, unreadable, more: waiting.size === 0 ? undefined : '' }
      },
      async setAside({ id }) {
        waiting.delete(id)
        aside.push(id)
      },
      async putOffNext({ untilMs }) {
        const [id] = dueIds()
        if (id === undefined) return undefined
        waiting.set(id, untilMs)
        return { id, organizationId: 'org_1' }
      },
    },
    ping: async () => {
      if (!isUp()) throw new Error('the store is unreachable')
    },
    clock: { nowMs: () => nowMs, monotonicMs: () => nowMs },
    pause: async () => {},
    log,
    leaseMs: 60_000,
  })
  const claimed: string[] = []
  const passUntil = async (isOver: () => boolean) => {
    for (let pass = 0; pass < 200 && !isOver(); pass += 1) {
      const found = await claim({ limit: 32, share: SHARE }).catch(() => undefined)
      claimed.push(...(found?.tasks ?? []).map(({ id }) => id))
      nowMs += PASS_MS
    }
  }
  return { passUntil, waiting, sizes, aside, claimed, log }
}

test('failing claims are halved down to one task, which is put off; then claims grow again', async () => {
  const { passUntil, waiting, sizes, aside, claimed } = openScenario({ isBad: (id) => id === 'task_3' })
  await passUntil(() => waiting.size === 1)
  expect(sizes.slice(0, 5)).toEqual([32, 16, 8, 4, 2])
  expect(claimed).toHaveLength(39)
  expect(aside).toEqual([])
})

test('a task is set aside when its claims fail five times in a row', async () => {
  const { passUntil, waiting, aside, claimed, log } = openScenario({ isBad: (id) => id === 'task_3' })
  await passUntil(() => waiting.size === 0)
  expect(aside).toEqual(['task_3'])
  expect(claimed).toHaveLength(39)
  expect(log.count('task.set_aside')).toBe(1)
})

test.each([
  ['break now and then', (nowMs: number) => nowMs % 8_000 < 5_000],
  ['break for two minutes', (nowMs: number) => nowMs < 120_000],
])('claims that %s, while the store answers, set nothing aside', async (_name, isBroken) => {
  const { passUntil, waiting, aside, claimed } = openScenario({ isBad: (_id, nowMs) => isBroken(nowMs) })
  await passUntil(() => waiting.size === 0)
  expect(aside).toEqual([])
  expect(claimed).toHaveLength(40)
})

test('unreadable rows are set aside, and the other tasks are polled', async () => {
  const { passUntil, waiting, aside, claimed, log } = openScenario({ damaged: ['task_3', 'task_7'] })
  await passUntil(() => waiting.size === 0)
  expect(aside).toEqual(['task_3', 'task_7'])
  expect(claimed).toHaveLength(38)
  expect(log.count('task.set_aside')).toBe(2)
})

test('while the store is unreachable nothing is set aside', async () => {
  let isUp = false
  const { passUntil, waiting, sizes, aside, claimed } = openScenario({ isUp: () => isUp })
  await passUntil(() => sizes.length === 100)
  expect(aside).toEqual([])
  isUp = true
  await passUntil(() => waiting.size === 0)
  expect(claimed).toHaveLength(40)
})
