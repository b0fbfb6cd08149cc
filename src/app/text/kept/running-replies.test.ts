import { expect, test } from 'vitest'
import { completed, created, createReplicas, delta, NAME } from '../../../../test/kept-replies/replicas.ts'
import { awaitRow } from '../../billing/spent.ts'

const OTHERS = { organizationId: 'org_2', id: 'resp_2' }

test('leases of other organizations are renewed while a deletion waits for the writes of its organization', async () => {
  const { rows, values, open } = createReplicas()
  const one = open()
  const recording = await one.begin()
  const unblocked = Promise.withResolvers<void>()
  const { set } = values
  values.set = async (key, value, life) => {
    if (key.includes(':events:')) await unblocked.promise
    return set(key, value, life)
  }
  recording.take(created + delta('words', 1))
  one.running.add(OTHERS, { ended: Promise.resolve(), cancel: () => {}, drop: () => Promise.resolve() })
  await one.replies.requestStop(NAME, 'delete')
  for (let pass = 0; pass < 3; pass += 1) {
    rows.clear()
    await one.replies.requestStop(NAME, 'delete')
    await one.running.renew()
    expect(await one.replies.isRunning(OTHERS)).toBe(true)
  }
  expect(one.running.find(NAME)).toBe(recording)
  unblocked.resolve()
  await recording.ended
  expect(one.running.find(NAME)).toBeUndefined()
  await expect(one.getResponse(NAME)).rejects.toMatchObject({ code: 'not_found' })
})

test('a deletion removes many parts of the events at the same time', async () => {
  const { rows, values, open } = createReplicas()
  const one = open()
  const reply = { response: '{}', isBackground: true, hasEvents: true, parts: undefined }
  for (const parts of [100, undefined]) {
    for (let part = 0; part < 100; part += 1) await one.replies.keepPart(NAME, part, 'events')
    await one.replies.keep(NAME, { ...reply, parts })
    let [calls, turns] = [0, 0]
    const { delete: remove } = values
    values.delete = async (key) => {
      calls += 1
      await new Promise(setImmediate)
      return remove(key)
    }
    const count = () => {
      turns += 1
      if (rows.size > 0) setImmediate(count)
    }
    setImmediate(count)
    await one.replies.remove(NAME)
    values.delete = remove
    expect([...rows.keys()]).toEqual([])
    expect(calls).toBeGreaterThanOrEqual(100)
    expect(turns).toBeLessThan(30)
  }
})

function openTwo() {
  const { rows, charged, open } = createReplicas()
  /** The process cannot reach the engine for 30 seconds, and its lease is over. */
  const loseLease = () => {
    for (const key of rows.keys()) if (key.endsWith(':lease')) rows.delete(key)
  }
  return { rows, charged, one: open(), other: open(), loseLease }
}

test.each([true, false])(
  'a reply that is deleted while its process cannot renew the lease stays deleted; it was charged before: %s',
  async (isPaid) => {
    const { rows, charged, one, other, loseLease } = openTwo()
    const recording = await one.begin()
    recording.take(created + delta('words', 1))
    await expect.poll(() => [...rows.keys()].some((key) => key.endsWith(':events:0'))).toBe(true)
    const row = awaitRow('use_1')
    if (isPaid) {
      recording.take(completed)
      await recording.charging(row)
      charged.add(row.id)
    }
    loseLease()
    await other.deleteResponse(NAME)
    row.ended(true)
    recording.take(completed)
    await recording.finish()
    for (const replica of [one, other])
      await expect(replica.getResponse(NAME)).rejects.toMatchObject({ code: 'not_found' })
    expect([...rows.keys()].filter((key) => !/:(lease|stop)$/.test(key))).toEqual([])
  },
)

test('a reply that is cancelled while its process cannot renew the lease is stopped by the next renewal', async () => {
  const { one, other, loseLease } = openTwo()
  const recording = await one.begin()
  let stops = 0
  recording.onStop(() => {
    stops += 1
  })
  loseLease()
  expect(await other.cancelResponse(NAME)).toMatchObject({ status: 'failed' })
  await one.running.renew()
  expect(stops).toBe(1)
})
