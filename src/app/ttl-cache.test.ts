import { expect, test } from 'vitest'
import { createTtlCache } from './ttl-cache.ts'

function setup({ maxEntries = 10 } = {}) {
  let nowMs = 0
  let reads = 0
  let answer: () => Promise<string | undefined> = async () => 'first'
  const memory = createTtlCache<string | undefined>({
    clock: { nowMs: () => nowMs, monotonicMs: () => nowMs },
    freshMs: 2_000,
    trustMs: 4_500,
    graceMs: 60_000,
    maxEntries,
  })
  const read = () => {
    reads++
    return answer()
  }
  return {
    memory: {
      get: (key: string) => memory.get(key, read),
      forget: memory.forget,
      forgetWhere: memory.forgetWhere,
      holds: memory.holds,
    },
    reads: () => reads,
    at: (ms: number) => {
      nowMs = ms
    },
    setAnswer: (next: () => Promise<string | undefined>) => {
      answer = next
    },
  }
}

const nextTurn = () => new Promise((resolve) => setImmediate(resolve))

test('a fresh answer is returned without a read and without a promise', async () => {
  const { memory, reads, at } = setup()
  await memory.get('a')
  at(1_999)
  expect(memory.get('a')).toBe('first')
  expect(reads()).toBe(1)
})

test('an older answer is returned without a promise, and refreshed in the background', async () => {
  const { memory, reads, at, setAnswer } = setup()
  await memory.get('a')
  setAnswer(async () => 'second')
  at(2_000)
  expect(memory.get('a')).toBe('first')
  await nextTurn()
  expect(memory.get('a')).toBe('second')
  expect(reads()).toBe(2)
})

test('a caller waits for a read when the cached answer is too old', async () => {
  const { memory, at, setAnswer } = setup()
  await memory.get('a')
  setAnswer(async () => undefined)
  at(4_500)
  expect(await memory.get('a')).toBeUndefined()
})

test('while the store is unreachable an old answer serves until its grace is over', async () => {
  const { memory, at, setAnswer } = setup()
  await memory.get('a')
  setAnswer(async () => {
    throw new Error('away')
  })
  at(59_999)
  expect(await memory.get('a')).toBe('first')
  at(60_000)
  await expect(memory.get('a')).rejects.toThrow('away')
})

test('an unreachable store is read once a second, not once per request', async () => {
  const { memory, reads, at, setAnswer } = setup()
  await memory.get('a')
  setAnswer(async () => {
    throw new Error('away')
  })
  at(10_000)
  expect(await memory.get('a')).toBe('first')
  for (let call = 0; call < 100; call++) expect(memory.get('a')).toBe('first')
  expect(reads()).toBe(2)
  at(11_000)
  expect(await memory.get('a')).toBe('first')
  expect(reads()).toBe(3)
})

test('an answer that is dropped during a failing read does not come back', async () => {
  const { memory, at, setAnswer } = setup()
  await memory.get('a')
  const slow = Promise.withResolvers<string>()
  setAnswer(() => slow.promise)
  at(10_000)
  const waiting = memory.get('a')
  memory.forgetWhere((value) => value === 'first')
  slow.reject(new Error('away'))
  await expect(waiting).rejects.toThrow('away')
})

test('a missing value is read again as soon as it is not fresh', async () => {
  const { memory, at, setAnswer } = setup()
  setAnswer(async () => undefined)
  await memory.get('a')
  setAnswer(async () => 'created meanwhile')
  at(2_000)
  expect(await memory.get('a')).toBe('created meanwhile')
})

test('simultaneous callers share one read', async () => {
  const { memory, reads } = setup()
  await Promise.all([memory.get('a'), memory.get('a'), memory.get('a')])
  expect(reads()).toBe(1)
})

test('only matching values are dropped', async () => {
  const { memory, reads, setAnswer } = setup()
  await memory.get('a')
  setAnswer(async () => 'second')
  await memory.get('b')
  memory.forgetWhere((value) => value === 'first')
  expect(memory.get('b')).toBe('second')
  expect(await memory.get('a')).toBe('second')
  expect(reads()).toBe(3)
})

test('the result of a read that began before `forgetWhere` is not kept', async () => {
  const { memory, setAnswer } = setup()
  const slow = Promise.withResolvers<string>()
  setAnswer(() => slow.promise)
  const first = memory.get('a')
  memory.forgetWhere(() => false)
  setAnswer(async () => 'after the change')
  slow.resolve('before the change')
  await first
  expect(await memory.get('a')).toBe('after the change')
})

test('`forget` drops one key with its running read, and no other key', async () => {
  const { memory, setAnswer, reads } = setup()
  await memory.get('b')
  const slow = Promise.withResolvers<string>()
  setAnswer(() => slow.promise)
  const [first, other] = [memory.get('a'), memory.get('c')]
  memory.forget('a')
  memory.forget('never seen')
  setAnswer(async () => 'after the change')
  slow.resolve('before the change')
  await Promise.all([first, other])
  expect(await memory.get('a')).toBe('after the change')
  expect(memory.get('b')).toBe('first')
  expect(memory.get('c')).toBe('before the change')
  memory.forget('b')
  expect(memory.holds('b')).toBe(false)
  expect(reads()).toBe(4)
})

test('a value that was not used lately is evicted', async () => {
  const { memory, reads } = setup({ maxEntries: 3 })
  for (const key of ['a', 'b', 'c', 'd']) await memory.get(key)
  expect(reads()).toBe(4)
  memory.get('c')
  await memory.get('e')
  expect(memory.get('c')).toBe('first')
  expect(memory.get('d')).toBe('first')
  expect(reads()).toBe(5)
  await memory.get('b')
  expect(reads()).toBe(6)
})

test('a flood of new keys does not evict a key in use', async () => {
  const { memory, reads } = setup({ maxEntries: 5 })
  await memory.get('hot')
  for (let key = 0; key < 1_000; key++) {
    await memory.get(`flood ${key}`)
    memory.get('hot')
  }
  expect(reads()).toBe(1_001)
})

test('reports whether it has an answer', async () => {
  const { memory } = setup()
  expect(memory.holds('a')).toBe(false)
  await memory.get('a')
  expect(memory.holds('a')).toBe(true)
})

test('a failed read is not remembered', async () => {
  const { memory, setAnswer } = setup()
  setAnswer(async () => {
    throw new Error('away')
  })
  await expect(memory.get('a')).rejects.toThrow('away')
  setAnswer(async () => 'back')
  expect(await memory.get('a')).toBe('back')
})
