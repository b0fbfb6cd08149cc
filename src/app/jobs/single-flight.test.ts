import { expect, test } from 'vitest'
import { SingleFlight } from './single-flight.ts'

function openWork() {
  const begun: PromiseWithResolvers<string>[] = []
  const begin = () => {
    const work = Promise.withResolvers<string>()
    begun.push(work)
    return work.promise
  }
  return { begun, begin }
}

test('calls with one key share one run of the work, and the next call begins another run', async () => {
  const { begun, begin } = openWork()
  const flights = new SingleFlight<string>()
  const calls = [flights.run('a', begin), flights.run('a', begin)]
  expect(begun).toHaveLength(1)
  begun[0]?.resolve('one')
  expect(await Promise.all(calls)).toEqual(['one', 'one'])
  void flights.run('a', begin)
  expect(begun).toHaveLength(2)
})

test('each key has its own run', () => {
  const { begun, begin } = openWork()
  const flights = new SingleFlight<string>()
  void flights.run('a', begin)
  void flights.run('b', begin)
  expect(begun).toHaveLength(2)
})

test('a failure reaches all callers, and the next call begins anew', async () => {
  const { begun, begin } = openWork()
  const flights = new SingleFlight<string>()
  const calls = [flights.run('a', begin), flights.run('a', begin)]
  begun[0]?.reject(new Error('failed'))
  for (const call of calls) await expect(call).rejects.toThrow('failed')
  void flights.run('a', begin)
  expect(begun).toHaveLength(2)
})

test('after the time limit callers get undefined, even callers that come while the work still runs', async () => {
  const { begun, begin } = openWork()
  const flights = new SingleFlight<string>()
  expect(await flights.runWithin('a', 1, begin)).toBeUndefined()
  expect(await flights.runWithin('a', 60_000, begin)).toBeUndefined()
  expect(begun).toHaveLength(1)
  begun[0]?.resolve('late')
  await begun[0]?.promise
  await Promise.resolve()
  const next = flights.runWithin('a', 60_000, begin)
  begun[1]?.resolve('in time')
  expect(await next).toBe('in time')
})
