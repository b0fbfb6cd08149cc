import { expect, test } from 'vitest'
import { SILENT_LOG } from '../../../test/engines/store/silent-log.ts'
import { recordingLog } from '../../../test/engines/video-work/recording-log.ts'
import type { CallbackStore, DueCallback } from '../../ports/callbacks.ts'
import { type Courier, createCourier } from './courier.ts'
import type { DeliverCallback } from './deliver-callback.ts'

/** Due callbacks in their order, named after their organization and a number, such as `a-1`. */
function queueOf(...taskIds: string[]) {
  const due = [...taskIds]
  const claims: number[] = []
  const returned: string[] = []
  const callbacks: Pick<CallbackStore, 'claimDue' | 'giveBack' | 'bringForward'> = {
    bringForward: async () => 0,
    giveBack: async ({ callbackId }) => void returned.push(callbackId),
    async claimDue({ limit, share }) {
      claims.push(limit)
      const claimed: string[] = []
      const counts = { ...share?.inHand }
      for (const id of due) {
        const organization = organizationOf(id)
        const count = counts[organization] ?? 0
        if (claimed.length === limit || count >= (share?.perOrganizationMax ?? limit)) continue
        counts[organization] = count + 1
        claimed.push(id)
      }
      for (const id of claimed) due.splice(due.indexOf(id), 1)
      return { due: claimed.map(callbackOf), abandoned: [], more: undefined }
    },
  }
  return { callbacks, due, claims, returned }
}

const organizationOf = (taskId: string) => taskId.split('-')[0] ?? ''

function callbackOf(taskId: string): DueCallback {
  const organizationId = organizationOf(taskId)
  return {
    id: `msg_${taskId}`,
    taskId,
    organizationId,
    attempt: 1,
    attemptsLeft: 2,
    fence: 1,
    retryUntilMs: null,
  }
}

const numbered = (name: string, count: number) => Array.from({ length: count }, (_, at) => `${name}-${at}`)

/** Deliveries that last until the test ends them. */
function openDeliveries() {
  const open = new Map<string, PromiseWithResolvers<number | undefined>>()
  const deliver: DeliverCallback = ({ taskId }) => {
    const delivery = Promise.withResolvers<number | undefined>()
    open.set(taskId, delivery)
    return delivery.promise.finally(() => open.delete(taskId))
  }
  const countOf = (organization: string) =>
    [...open.keys()].filter((id) => organizationOf(id) === organization).length
  return { deliver, open, countOf }
}

function openCourier(
  queue: ReturnType<typeof queueOf>,
  deliver: DeliverCallback,
  limits: object = {},
): Courier {
  return createCourier({
    callbacks: queue.callbacks,
    deliver,
    clock: { nowMs: () => 0, monotonicMs: () => 0 },
    pause: async () => {},
    log: SILENT_LOG,
    ...limits,
  })
}

test('a customer whose receiver hangs has a share of the slots, and callbacks of other customers get through', async () => {
  const queue = queueOf(...numbered('slow', 100), ...numbered('quick', 40))
  const { deliver, open, countOf } = openDeliveries()
  const sent: string[] = []
  const courier = openCourier(
    queue,
    (callback, lease) => {
      sent.push(callback.taskId)
      return callback.organizationId === 'quick' ? Promise.resolve(undefined) : deliver(callback, lease)
    },
    { slots: 32, slotsEach: 4 },
  )
  await courier.pass()
  await expect.poll(() => sent.filter((id) => id.startsWith('quick')).length).toBe(40)
  expect(countOf('slow')).toBe(4)
  expect(queue.due.length).toBeGreaterThan(90)
  for (const delivery of open.values()) delivery.resolve(undefined)
})

test('further callbacks of a customer follow as soon as a slot is free, without another pass', async () => {
  const queue = queueOf(...numbered('a', 50))
  const { deliver, open } = openDeliveries()
  const courier = openCourier(queue, deliver, { slots: 8, slotsEach: 4 })
  await courier.pass()
  let served = 0
  while (served < 50) {
    await expect.poll(() => open.size).toBeGreaterThan(0)
    expect(open.size).toBeLessThanOrEqual(8)
    const [[id, delivery] = []] = open
    delivery?.resolve(undefined)
    await expect.poll(() => open.has(id ?? '')).toBe(false)
    served += 1
  }
  expect(queue.due).toEqual([])
})

test('a callback that is written during a pass is sent', async () => {
  const queue = queueOf()
  const sent: string[] = []
  const courier = openCourier(queue, async ({ taskId }) => void sent.push(taskId))
  const pass = courier.pass()
  queue.due.push('a-1')
  courier.wake()
  await pass
  await expect.poll(() => sent).toEqual(['a-1'])
})

test('a failed attempt is followed by another pass at its time', async () => {
  const queue = queueOf('a-1')
  const pauses: number[] = []
  const courier = createCourier({
    callbacks: queue.callbacks,
    deliver: async () => 1_000,
    clock: { nowMs: () => 0, monotonicMs: () => 0 },
    pause: async (ms) => void pauses.push(ms),
    log: SILENT_LOG,
  })
  await courier.pass()
  await courier.idle()
  await expect.poll(() => queue.claims.length).toBe(2)
  expect(pauses).toEqual([1_000])
})

test('a callback whose last attempt has no known outcome is logged', async () => {
  const log = recordingLog()
  const abandoned = { id: 'msg_a-1', taskId: 'a-1', organizationId: 'a' }
  const courier = createCourier({
    callbacks: {
      bringForward: async () => 0,
      giveBack: async () => {},
      claimDue: async () => ({ due: [], abandoned: [abandoned], more: undefined }),
    },
    deliver: async () => undefined,
    clock: { nowMs: () => 0, monotonicMs: () => 0 },
    pause: async () => {},
    log,
  })
  await courier.pass()
  expect(log.count('callback.given_up')).toBe(1)
})

test('after the stop nothing is claimed, and hanging deliveries are aborted', async () => {
  const queue = queueOf('a-1')
  let wasCut = false
  const courier = openCourier(queue, async (_callback, { signal }) => {
    await new Promise((resolve) => signal.addEventListener('abort', resolve))
    wasCut = true
    return undefined
  })
  await courier.pass()
  await courier.stop()
  expect(wasCut).toBe(true)
  queue.due.push('a-2')
  await courier.pass()
  courier.wake()
  expect(queue.due).toEqual(['a-2'])
})

test('callbacks that a claim returns after the stop are given back and not sent', async () => {
  const queue = queueOf('a-1')
  const { claimDue } = queue.callbacks
  const begun = Promise.withResolvers<void>()
  const answer = Promise.withResolvers<void>()
  queue.callbacks.claimDue = async (claim) => {
    begun.resolve()
    await answer.promise
    return claimDue(claim)
  }
  const sent: string[] = []
  const courier = openCourier(queue, async ({ taskId }) => void sent.push(taskId))
  void courier.pass()
  await begun.promise
  const stopped = courier.stop()
  answer.resolve()
  await stopped
  expect(sent).toEqual([])
  expect(queue.returned).toEqual(['msg_a-1'])
})
