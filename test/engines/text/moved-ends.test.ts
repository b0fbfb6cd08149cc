import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { systemClock } from '../../../src/adapters/system/clock.ts'
import { awaitRow } from '../../../src/app/billing/spent.ts'
import { storedValues } from '../../../src/compose/engines.ts'
import type { KeptValues } from '../../../src/ports/kept-values.ts'
import {
  completedWith,
  created,
  delta,
  NAME,
  openReplica,
  type Replica,
  readAll,
} from '../../kept-replies/replicas.ts'
import { lendSqlite } from '../store/lend-store.ts'

const USAGE_ID = 'use_1'
const SMALL = [{ type: 'message', id: 'msg_1' }]
/** Output so large that its parts are prepared one by one. */
const LARGE = [{ type: 'message', id: 'msg_1', content: 'x'.repeat(400_000) }]
const PLACE = `sluice:{org:${NAME.organizationId}}:response:${NAME.id}`

let values: KeptValues
let isCharged: boolean
let own: Replica
beforeEach(async () => {
  const lent = await lendSqlite()
  onTestFinished(() => lent.giveBack())
  values = storedValues({ keptValues: lent.store.keptValues, clock: systemClock })
  isCharged = false
  own = open(values)
})

function open(kept: KeptValues): Replica {
  return openReplica(kept, async () => isCharged)
}

/** Begins a reply whose usage row is written and whose end is not stored yet; `move` stores the end. */
async function openPaid(output: readonly object[]): Promise<{ move(): Promise<void> }> {
  const recording = await own.begin()
  recording.take(created + delta('words', 1) + completedWith(output))
  const row = awaitRow(USAGE_ID)
  await recording.charging(row)
  isCharged = true
  return {
    async move() {
      row.ended(true)
      await recording.finish()
    },
  }
}

/** Opens another replica. The end is moved just before that replica reads this value for the `time`-th time. */
function openBehind(move: () => Promise<void>, { what, time }: { what: string; time: number }) {
  const state = { isMoved: false }
  let reads = 0
  const get: KeptValues['get'] = async (key) => {
    if (key === `${PLACE}:${what}`) reads += 1
    if (reads === time && !state.isMoved) {
      state.isMoved = true
      await move()
    }
    return values.get(key)
  }
  return { state, other: open({ ...values, get }) }
}

const loseLease = () => values.delete(`${PLACE}:lease`)

test.each([
  ['its prepared end', 'end', SMALL],
  ['the response of its prepared end', 'end:reply', LARGE],
  ['the events of its prepared end', 'end:events', LARGE],
])(
  'getResponse 200: a charged reply whose end is moved before %s is read is whole',
  async (_what, what, output) => {
    const { move } = await openPaid(output)
    await loseLease()
    const { state, other } = openBehind(move, { what, time: 1 })
    expect(await other.getResponse(NAME)).toMatchObject({ status: 'completed', output })
    expect(state.isMoved).toBe(true)
  },
)

test.each([
  ['its prepared end', 'end', SMALL],
  ['the conversation of its prepared end', 'end:conversation', LARGE],
])(
  'createResponse 200: the conversation of a charged reply whose end is moved before %s is read is found',
  async (_what, what, output) => {
    const { move } = await openPaid(output)
    const { state, other } = openBehind(move, { what, time: 1 })
    expect(await other.findItems(NAME)).toContain(JSON.stringify(output[0]))
    expect(state.isMoved).toBe(true)
  },
)

test('getResponse 200: events that are written between the two reads are sent', async () => {
  const { move } = await openPaid(SMALL)
  const { state, other } = openBehind(move, { what: 'reply', time: 2 })
  expect((await readAll(other)).map(({ type }) => type)).toEqual([
    ...['response.created', 'response.output_text.delta', 'response.completed'],
  ])
  expect(state.isMoved).toBe(true)
})

test('getResponse 404: a reply that is deleted before its prepared end is read', async () => {
  await openPaid(SMALL)
  await loseLease()
  const { other } = openBehind(() => own.replies.remove(NAME), { what: 'end', time: 1 })
  await expect(other.getResponse(NAME)).rejects.toMatchObject({ code: 'not_found' })
})

test('getResponse 200: a reply that was not charged, and whose process is gone, has failed', async () => {
  await openPaid(SMALL)
  isCharged = false
  await loseLease()
  expect(await open(values).getResponse(NAME)).toMatchObject({ status: 'failed', output: [] })
})
