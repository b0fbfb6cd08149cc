import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import {
  completed,
  created,
  createReplicas,
  delta,
  NAME,
  type Replicas,
  readAll,
  secrets,
} from '../../../../test/kept-replies/replicas.ts'
import { systemClock } from '../../../adapters/system/clock.ts'
import { createBodyTurns } from '../../waiting/body-turns.ts'
import { NO_CLIENT } from '../contract/reply-sink.ts'
import { eraseReplies } from './reply-store.ts'

let replicas: Replicas
let rows: Map<string, string>
beforeEach(() => {
  replicas = createReplicas()
  rows = replicas.rows
})

const openReplica = () => replicas.open()

/** The process stops in the middle of its work, and after 30 seconds its lease is over. */
function loseLease(): void {
  for (const key of rows.keys()) if (key.endsWith(':lease')) rows.delete(key)
}

describe('a reply that another replica runs', () => {
  test('is read on this replica while it runs, with the id that its client knows', async () => {
    const [one, other] = [openReplica(), openReplica()]
    const recording = await one.begin()
    expect(await other.getResponse(NAME)).toMatchObject({ id: 'resp_1', status: 'queued' })
    const reading = readAll(other)
    recording.take(created)
    recording.take(delta('words', 1))
    recording.take(completed)
    await recording.finish()
    expect(await reading).toMatchObject([
      { type: 'response.created', response: { id: 'resp_1', background: true, store: true } },
      { type: 'response.output_text.delta', delta: 'words' },
      { type: 'response.completed', response: { id: 'resp_1', status: 'completed' } },
    ])
    expect((await readAll(other, 1)).map(({ type }) => type)).toEqual(['response.completed'])
    expect(await other.findItems(NAME)).toBe(
      '{"role":"user","content":"hello"},{"type":"message","id":"msg_1"}',
    )
  })

  test.each(['cancelResponse', 'deleteResponse'] as const)(
    'stops when its replica next looks: %s',
    async (act) => {
      const [one, other] = [openReplica(), openReplica()]
      const recording = await one.begin()
      let stops = 0
      recording.onStop(() => {
        stops += 1
        void recording.close()
      })
      recording.take(created + delta('words', 1))
      const asked = other[act](NAME)
      await expect.poll(() => [...rows.keys()].some((key) => key.endsWith(':stop'))).toBe(true)
      await one.running.renew()
      const prior = await asked
      expect(stops).toBe(1)
      recording.take(completed)
      await recording.finish()
      if (act === 'cancelResponse')
        expect([prior, await one.getResponse(NAME)]).toMatchObject([{ status: 'cancelled' }, prior])
      else await expect(one.getResponse(NAME)).rejects.toMatchObject({ code: 'not_found' })
    },
  )

  test('has failed once its process is gone, and its events end with an error', async () => {
    const [one, other] = [openReplica(), openReplica()]
    const recording = await one.begin()
    recording.take(created + delta('words', 1))
    await expect.poll(() => [...rows.keys()].some((key) => key.endsWith(':events:0'))).toBe(true)
    loseLease()
    const error = { code: 'server_error', message: expect.stringContaining('has stopped') }
    expect(await other.getResponse(NAME)).toMatchObject({ status: 'failed', error })
    expect(await other.cancelResponse(NAME)).toMatchObject({ status: 'failed', error })
    expect(await readAll(other, 0)).toMatchObject([
      { type: 'response.output_text.delta', sequence_number: 1 },
      { type: 'error', sequence_number: 2, ...error },
      { type: 'response.failed', sequence_number: 3, response: { id: 'resp_1', status: 'failed', error } },
    ])
  })

  test('with evicted events ends with an error', async () => {
    const one = openReplica()
    const recording = await one.begin()
    recording.take(created + completed)
    await recording.finish()
    rows.delete([...rows.keys()].find((key) => key.endsWith(':events:0')) ?? '')
    expect((await readAll(one)).map(({ type }) => type)).toEqual(['error', 'response.failed'])
  })
})

test('a reply that exceeds the size limit is ended with that reason', async () => {
  const one = openReplica()
  const recording = await one.begin()
  recording.take(created)
  recording.take(delta('x'.repeat(2 * 1024 * 1024), 1))
  await recording.finish()
  expect(await one.getResponse(NAME)).toMatchObject({
    status: 'failed',
    error: { message: expect.stringContaining('2 MiB') },
  })
  expect((await readAll(one)).map(({ type }) => type)).toEqual([
    ...['response.created', 'error', 'response.failed'],
  ])
})

test('a response is kept and read with all its characters', async () => {
  const one = openReplica()
  const recording = await one.begin()
  const odd =
    '{"id" : "vendors_own", "2":0.10, "1":12345678901234567890,"output":[ {"é":"\\u00e9"} ], "status":"completed"}'
  recording.take(`event: response.completed\ndata: {"response":${odd},"sequence_number":0}\n\n`)
  await recording.finish()
  const reported = odd.replace('vendors_own', 'resp_1').slice(0, -1)
  const added = '"previous_response_id":null,"background":true,"store":true'
  expect(await one.getText(NAME)).toBe(`${reported},${added}}`)
  expect(await one.findItems(NAME)).toContain('{"é":"\\u00e9"}')
})

test('a response that was kept with its members in another order is read', async () => {
  const one = openReplica()
  const place = 'sluice:{org:org_1}:response:resp_1:reply'
  const kept = { response: { id: 'resp_1', n: 1 }, isBackground: false, hasEvents: false, parts: 0 }
  rows.set(place, secrets.encrypt(JSON.stringify(kept), place))
  expect(await one.getText(NAME)).toBe('{"id":"resp_1","n":1}')
})

test('a stored reply contains no readable part', async () => {
  const one = openReplica()
  const recording = await one.begin()
  recording.take(created + delta('a canary sings', 1) + completed)
  await recording.finish()
  const stored = JSON.stringify([...rows])
  for (const word of ['canary', 'hello', 'msg_1', 'vendors_own', 'vendorC'])
    expect(stored).not.toContain(word)
})

test('a reply that is cancelled between two vendors stops the second vendor immediately', async () => {
  const one = openReplica()
  const recording = await one.begin()
  let stops = 0
  const first = Promise.withResolvers<void>()
  recording.onStop(first.resolve)
  const cancelled = one.cancelResponse(NAME)
  await first.promise
  recording.onStop(() => {
    stops += 1
  })
  await recording.fail(new Error('the client is gone'))
  expect([stops, await cancelled]).toMatchObject([1, { status: 'cancelled' }])
})

test('a reply that its vendor ends well while a cancel waits for the count is kept whole', async () => {
  const one = openReplica()
  const recording = await one.begin()
  recording.onStop(() => {
    recording.take(delta('words', 1) + completed)
    void recording.close()
  })
  recording.take(created)
  expect(await one.cancelResponse(NAME)).toMatchObject({ status: 'completed' })
  expect((await readAll(one)).map(({ type }) => type)).toEqual([
    ...['response.created', 'response.output_text.delta', 'response.completed'],
  ])
})

test('a reply whose process is gone is deleted with its events', async () => {
  const [one, other] = [openReplica(), openReplica()]
  const recording = await one.begin()
  recording.take(created + delta('words', 1))
  await expect.poll(() => [...rows.keys()].some((key) => key.endsWith(':events:0'))).toBe(true)
  loseLease()
  await other.deleteResponse(NAME)
  expect([...rows.keys()].filter((key) => !key.endsWith(':stop'))).toEqual([])
})

test('a reply that ends after its organization was erased is not kept', async () => {
  const one = openReplica()
  const recording = await one.begin()
  recording.take(created + delta('words', 1))
  await eraseReplies('org_1', replicas.values)
  recording.take(completed)
  await recording.finish()
  expect([...rows.keys()].filter((key) => !key.endsWith(':erased') && !key.endsWith(':lease'))).toEqual([])
})

test('429: an organization reads at most 128 streams at a time, and other organizations are not refused', async () => {
  const one = openReplica()
  const recording = await one.begin()
  const readers = Array.from({ length: 128 }, () => readAll(one))
  await expect(readAll(one)).rejects.toMatchObject({ code: 'rate_limit_exceeded' })
  const foreign = one.readResponse({ name: { ...NAME, organizationId: 'org_2' }, after: -1 }, NO_CLIENT)
  await expect(foreign).rejects.toMatchObject({ code: 'not_found' })
  recording.take(created + completed)
  await recording.finish()
  await Promise.all(readers)
  expect(await readAll(one)).toHaveLength(2)
})

test('a reader of a reply in this process does not load the reply at each look', async () => {
  const reads: string[] = []
  const { get } = replicas.values
  replicas.values.get = (key) => {
    reads.push(key)
    return get(key)
  }
  const one = openReplica()
  const recording = await one.begin()
  const reading = readAll(one)
  for (let look = 0; look < 20; look += 1) {
    await new Promise(setImmediate)
    one.running.wake(NAME)
  }
  recording.take(created + completed)
  await recording.finish()
  expect(await reading).toHaveLength(2)
  expect(reads.filter((key) => key.endsWith(':events:0')).length).toBeGreaterThan(10)
  expect(reads.filter((key) => key.endsWith(':reply')).length).toBeLessThan(4)
})

/** Counts the turns of the event loop from now on. */
function countTurns(): () => number {
  let turn = 0
  const countTurn = () => {
    turn += 1
    if (turn < 1_000) setImmediate(countTurn)
  }
  setImmediate(countTurn)
  return () => turn
}

test('each long value is serialized and encrypted in its own turn of the event loop', async () => {
  const { replies } = replicas.open(createBodyTurns(systemClock))
  const turnNow = countTurns()
  const serialized: number[] = []
  const encrypted: number[] = []
  const encrypt = vi.spyOn(secrets, 'encrypt').mockImplementation((text) => {
    if (text.length > 100_000) encrypted.push(turnNow())
    return text
  })
  onTestFinished(() => encrypt.mockRestore())
  const items = 'a'.repeat(200_000)
  const conversation = {
    provider: 'vendorC',
    get items() {
      return items
    },
    toJSON() {
      serialized.push(turnNow())
      return { items }
    },
  }
  const reply = { response: '{}', isBackground: true, hasEvents: true, parts: 0 }
  const names = ['resp_1', 'resp_2', 'resp_3'].map((id) => ({ ...NAME, id }))
  await Promise.all(names.map((name) => replies.keepEnd(name, { reply, events: '', conversation })))
  expect(new Set(serialized).size).toBe(3)
  expect(encrypted).toEqual(serialized)
})

test('each reply is read in its own turn of the event loop', async () => {
  const one = replicas.open(createBodyTurns(systemClock))
  const recording = await one.begin()
  recording.take(created + completed)
  await recording.finish()
  const { get } = replicas.values
  const turns: number[] = []
  const turnNow = countTurns()
  replicas.values.get = (key) => {
    turns.push(turnNow())
    return get(key)
  }
  await Promise.all(Array.from({ length: 20 }, () => one.getText(NAME)))
  expect(new Set(turns).size).toBe(20)
})
