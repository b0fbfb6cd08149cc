import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import {
  completed,
  completedWith,
  created,
  createReplicas,
  delta,
  NAME,
  type Replica,
  type Replicas,
  readAll,
} from '../../../../test/kept-replies/replicas.ts'
import { awaitRow } from '../../billing/spent.ts'
import type { Recording } from './recording.ts'

const USAGE_ID = 'use_1'
const ITEMS = '{"role":"user","content":"hello"},{"type":"message","id":"msg_1"}'

let replicas: Replicas
let one: Replica
let other: Replica
beforeEach(() => {
  replicas = createReplicas()
  one = replicas.open()
  other = replicas.open()
})

/** A reply that its vendor has ended, and whose usage row waits to be written. */
async function openPrepared(
  end = completed,
): Promise<{ recording: Recording; row: ReturnType<typeof awaitRow> }> {
  const recording = await one.begin()
  recording.take(created + delta('words', 1) + end)
  const row = awaitRow(USAGE_ID)
  await recording.charging(row)
  return { recording, row }
}

/** The process dies, and after 30 seconds its lease is over. */
function loseLease(): void {
  for (const key of replicas.rows.keys()) if (key.endsWith(':lease')) replicas.rows.delete(key)
}

const typesOf = (events: readonly { type?: unknown }[]) => events.map(({ type }) => type)
const preparedKeys = () => [...replicas.rows.keys()].filter((key) => /:end(:|$)/.test(key))

test('getResponse 200: a reply counts as running until its usage row is written, on its own replica and on another', async () => {
  const { recording, row } = await openPrepared()
  const finished = recording.finish()
  for (const replica of [one, other]) {
    expect(await replica.getResponse(NAME)).toMatchObject({ status: 'queued' })
    expect(await replica.replies.findConversation(NAME)).toBeUndefined()
  }
  expect([...replicas.rows.keys()].filter((key) => key.includes(':events:'))).toEqual([])
  replicas.charged.add(USAGE_ID)
  row.ended(true)
  await finished
  for (const replica of [one, other]) {
    expect(await replica.getResponse(NAME)).toMatchObject({ status: 'completed' })
    expect(typesOf(await readAll(replica)).at(-1)).toBe('response.completed')
    expect(await replica.findItems(NAME)).toBe(ITEMS)
  }
  expect(preparedKeys()).toEqual([])
})

test('getResponse 200: a process that dies before the usage row leaves a reply that failed', async () => {
  await openPrepared()
  loseLease()
  expect(await other.getResponse(NAME)).toMatchObject({ status: 'failed', output: [] })
  expect(typesOf(await readAll(other))).toEqual(['error', 'response.failed'])
  expect(await other.replies.findConversation(NAME)).toBeUndefined()
})

test('getResponse 200: a process that dies after the usage row leaves a reply that is whole', async () => {
  const { row } = await openPrepared()
  replicas.charged.add(row.id)
  loseLease()
  for (let turn = 0; turn < 2; turn += 1) {
    expect(await other.getResponse(NAME)).toMatchObject({ id: NAME.id, status: 'completed' })
    expect(await readAll(other)).toMatchObject([
      { type: 'response.created' },
      { type: 'response.output_text.delta', delta: 'words' },
      { type: 'response.completed', response: { id: NAME.id, status: 'completed' } },
    ])
    expect(typesOf(await readAll(other, 1))).toEqual(['response.completed'])
    expect(await other.findItems(NAME)).toBe(ITEMS)
    expect(await other.cancelResponse(NAME)).toMatchObject({ status: 'completed' })
  }
  await other.deleteResponse(NAME)
  expect([...replicas.rows.keys()].filter((key) => !key.endsWith(':stop'))).toEqual([])
})

const LONG = [{ type: 'message', id: 'msg_1', content: 'x'.repeat(400_000) }]

test('getResponse 200: the end of a large reply is prepared in parts, and read whole after its usage row', async () => {
  const { row } = await openPrepared(completedWith(LONG))
  expect(preparedKeys()).toHaveLength(4)
  // A value that is encrypted and in base64 is a third longer than its text.
  for (const value of replicas.rows.values()) expect(value.length).toBeLessThan(600_000)
  loseLease()
  expect(await other.getResponse(NAME)).toMatchObject({ status: 'failed', output: [] })
  replicas.charged.add(row.id)
  expect(await other.getResponse(NAME)).toMatchObject({ status: 'completed', output: LONG })
  expect((await readAll(other)).at(-1)).toMatchObject({ response: { output: LONG } })
  expect(await other.findItems(NAME)).toContain(JSON.stringify(LONG[0]))
  await other.deleteResponse(NAME)
  expect([...replicas.rows.keys()].filter((key) => !key.endsWith(':stop'))).toEqual([])
})

test('getResponse 200: the prepared parts of a large reply are deleted once its end is kept', async () => {
  const { recording, row } = await openPrepared(completedWith(LONG))
  row.ended(true)
  await recording.finish()
  expect(preparedKeys()).toEqual([])
  expect(await other.getResponse(NAME)).toMatchObject({ status: 'completed', output: LONG })
})

test.each(['reply', 'events'])(
  'getResponse 200: a prepared end whose %s is gone does not count',
  async (part) => {
    const { row } = await openPrepared(completedWith(LONG))
    replicas.charged.add(row.id)
    loseLease()
    for (const key of preparedKeys()) if (key.endsWith(`:end:${part}`)) replicas.rows.delete(key)
    expect(await other.getResponse(NAME)).toMatchObject({ status: 'failed', output: [] })
  },
)

test('getResponse 200: events that were written before the end are read before it', async () => {
  const recording = await one.begin()
  recording.take(created)
  recording.take(delta('words', 1))
  await expect.poll(() => [...replicas.rows.keys()].some((key) => key.endsWith(':events:0'))).toBe(true)
  recording.take(completed)
  await recording.charging(awaitRow(USAGE_ID))
  replicas.charged.add(USAGE_ID)
  loseLease()
  expect(typesOf(await readAll(other))).toEqual([
    ...['response.created', 'response.output_text.delta', 'response.completed'],
  ])
})

test('getResponse 200: a reply that never gets a usage row is not read whole', async () => {
  const { recording, row } = await openPrepared()
  row.ended(false)
  await recording.finish()
  loseLease()
  for (const replica of [one, other])
    expect(await replica.getResponse(NAME)).toMatchObject({ status: 'failed', output: [] })
})

test('getResponse 200: a free reply whose call ends with a fault is not read whole', async () => {
  const recording = await one.begin()
  recording.take(created + completed)
  await recording.fail(new Error('the catalog cannot be read'))
  loseLease()
  expect(await one.getResponse(NAME)).toMatchObject({ status: 'failed', output: [] })
})

test.each([
  ['all events together', created + delta('words', 1) + completed],
  ['only the last event', completed],
])(
  'getResponse 200: a foreground reply that brings %s has no output before its usage row',
  async (_what, events) => {
    const recording = one.beginForeground()
    const name = { ...NAME, id: 'vendors_own' }
    recording.take(events)
    const row = awaitRow(USAGE_ID)
    await recording.charging(row)
    expect(await other.getResponse(name)).toMatchObject({ id: name.id, output: [] })
    expect(await other.getText(name)).not.toContain('completed')
    row.ended(true)
    await recording.finish()
    expect(await other.getResponse(name)).toMatchObject({ status: 'completed', output: [{ id: 'msg_1' }] })
  },
)

test('deleteResponse 200: does not wait for the usage row, and leaves nothing', async () => {
  const { recording, row } = await openPrepared()
  const finished = recording.finish()
  await one.deleteResponse(NAME)
  replicas.charged.add(USAGE_ID)
  row.ended(true)
  await finished
  expect([...replicas.rows.keys()].filter((key) => !key.endsWith(':lease'))).toEqual([])
  await expect(other.getResponse(NAME)).rejects.toMatchObject({ code: 'not_found' })
})

test('getResponse 200: a reply that the gateway ended waits for no usage row', async () => {
  const recording = await one.begin()
  recording.take(created)
  await recording.charging(awaitRow(USAGE_ID))
  await recording.close('cancelled')
  expect(await other.getResponse(NAME)).toMatchObject({ status: 'cancelled' })
})

test('the charge of a reply waits for at most 2 s when nothing can be stored', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const recording = await one.begin()
  replicas.values.set = () => new Promise(() => {})
  recording.take(created + delta('words', 1) + completed)
  let isCharged = false
  const charging = recording.charging(awaitRow(USAGE_ID)).then(() => {
    isCharged = true
  })
  await vi.advanceTimersByTimeAsync(1_999)
  expect(isCharged).toBe(false)
  await vi.advanceTimersByTimeAsync(1)
  await charging
})
