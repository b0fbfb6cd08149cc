import { expect, onTestFinished, test, vi } from 'vitest'
import { completed, created, createReplicas, readAll } from '../../../../test/kept-replies/replicas.ts'

test('a reply of another replica is read whole at one look in eight, and at the first after its end', async () => {
  const replicas = createReplicas()
  const reads: string[] = []
  const { get } = replicas.values
  replicas.values.get = (key) => {
    reads.push(key)
    return get(key)
  }
  const looksOf = (what: string) => reads.filter((key) => key.endsWith(what)).length
  const [one, other] = [replicas.open(), replicas.open()]
  const recording = await one.begin()
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const reading = readAll(other)
  await vi.advanceTimersByTimeAsync(250 * 15)
  expect([looksOf(':events:0'), looksOf(':reply')]).toEqual([16, 1 + 2])
  recording.take(created + completed)
  await recording.finish()
  await vi.advanceTimersByTimeAsync(250)
  expect(await reading).toHaveLength(2)
})

test('a reader in the same process does not wait once the end is known', async () => {
  const one = createReplicas().open()
  const { replies, running } = one
  const recording = await one.begin()
  recording.take(created + completed)
  const [looking, gone] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const { findPart, isErased } = replies
  const { wait, remove } = running
  let waitsForNothing = 0
  running.wait = (name, ms) => {
    if (running.find(name) === undefined) waitsForNothing += 1
    return wait(name, ms)
  }
  running.remove = (name) => {
    remove(name)
    gone.resolve()
  }
  // The process lets go of the reply while its reader looks for a second part.
  replies.isErased = (organizationId) => looking.promise.then(() => isErased(organizationId))
  replies.findPart = async (name, part) => {
    const found = await findPart(name, part)
    if (part === 0) return found
    looking.resolve()
    await gone.promise
    return found
  }
  const reading = readAll(one)
  await recording.finish()
  expect(await reading).toHaveLength(2)
  expect(waitsForNothing).toBe(0)
})
