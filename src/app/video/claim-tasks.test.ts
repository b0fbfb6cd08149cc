import { expect, test } from 'vitest'
import { storedTask } from '../../../test/api/video/stored-task.ts'
import { tellLog } from '../../../test/engines/video-work/tell-log.ts'
import { claimTasks } from './claim-tasks.ts'

const SHARE = { perOrganizationMax: 64, inHand: {}, after: '' }

/** A store in which every claim that includes one of the bad tasks fails, as when its row ends the reader. */
function openStory(
  bad: readonly string[],
  { isUp = () => true, damaged = [] }: { isUp?: () => boolean; damaged?: readonly string[] } = {},
) {
  const due = Array.from({ length: 40 }, (_, number) => `task_${number}`)
  const sizes: number[] = []
  const aside: string[] = []
  const log = tellLog()
  const claim = claimTasks({
    provider: 'vendorA',
    tasks: {
      async claimDue({ limit }) {
        sizes.push(limit)
        const ids = due.slice(0, limit)
        if (!isUp() || ids.some((id) => bad.includes(id))) throw new Error('the writer died')
        due.splice(0, limit)
        const sound = ids.filter((id) => !damaged.includes(id))
        const tasks = sound.map((id) => ({ ...storedTask({ id }), fence: 1 }))
        const unreadable = ids
          .filter((id) => damaged.includes(id))
          .map((id) => ({ id, organizationId: 'org_1' }))
        return { tasks, unreadable, more: due.length === 0 ? undefined : '' }
      },
      setAside: async ({ id }) => void aside.push(id),
      async setAsideNext() {
        const id = due.shift()
        if (id === undefined) return undefined
        aside.push(id)
        return { id, organizationId: 'org_1' }
      },
    },
    ping: async () => {
      if (!isUp()) throw new Error('the store is unreachable')
    },
    clock: { nowMs: () => 0, monotonicMs: () => 0 },
    pause: async () => {},
    log,
    leaseMs: 60_000,
  })
  const claimed: string[] = []
  const attempt = async () => {
    const found = await claim({ limit: 32, share: SHARE }).catch(() => undefined)
    claimed.push(...(found?.tasks ?? []).map(({ id }) => id))
    return found
  }
  return { attempt, due, sizes, aside, claimed, log }
}

test('a claim that fails is halved until one task is left, which is set aside; then claims grow again', async () => {
  const { attempt, due, sizes, aside, claimed, log } = openStory(['task_3'])
  for (let pass = 0; pass < 60 && due.length > 0; pass += 1) await attempt()
  expect(sizes.slice(0, 5)).toEqual([32, 16, 8, 4, 2])
  expect(aside).toEqual(['task_3'])
  expect(claimed).toHaveLength(39)
  expect(sizes.at(-1)).toBe(32)
  expect(log.count('task.set_aside')).toBe(1)
})

test('rows that a claim found unreadable are set aside, and the others are worked on', async () => {
  const { attempt, aside, claimed, log } = openStory([], { damaged: ['task_3', 'task_7'] })
  await attempt()
  expect(aside).toEqual(['task_3', 'task_7'])
  expect(claimed).toHaveLength(30)
  expect(log.count('task.set_aside')).toBe(2)
})

test('while the store is unreachable nothing is set aside', async () => {
  let isUp = false
  const { attempt, due, aside, claimed } = openStory([], { isUp: () => isUp })
  for (let pass = 0; pass < 20; pass += 1) await attempt()
  expect(aside).toEqual([])
  isUp = true
  for (let pass = 0; pass < 20 && due.length > 0; pass += 1) await attempt()
  expect(claimed).toHaveLength(40)
})
