import { describe, expect, it } from 'vitest'
import { createLineBuffer, type FileWriting } from './line-buffer.ts'

type Answer = number | 'all' | 'EAGAIN' | 'EPIPE'

/** A fake file: each call waits for `answer`; synchronous calls take their results from `lastAnswers`. */
function openBuffer({ lastAnswers = [] }: { lastAnswers?: Answer[] } = {}) {
  const calls: ((answer: Answer) => void)[] = []
  let text = ''
  const take = (bytes: Buffer, offset: number, length: number, answer: Answer): number => {
    if (answer === 'EAGAIN' || answer === 'EPIPE') throw Object.assign(new Error(answer), { code: answer })
    const taken = answer === 'all' ? length : Math.min(answer, length)
    text += bytes.toString('latin1', offset, offset + taken)
    return taken
  }
  const files: FileWriting = {
    write(_fileDescriptor, bytes, offset, length, _position, callback) {
      calls.push((answer) => {
        if (answer === 'EAGAIN' || answer === 'EPIPE')
          callback(Object.assign(new Error(answer), { code: answer }), 0)
        else callback(null, take(bytes, offset, length, answer))
      })
    },
    writeSync: (_fileDescriptor, bytes, offset, length) =>
      take(bytes, offset, length, lastAnswers.shift() ?? 'all'),
  }
  return {
    buffer: createLineBuffer(2, files),
    calls,
    /** Answers the call that waits longest. */
    answer: (answer: Answer) => calls.shift()?.(answer),
    lines: () => text.split('\n').slice(0, -1),
    text: () => text,
  }
}

const LINE = `{"filler":"${'x'.repeat(1_000)}"}\n`
const NUMBERED = (count: number) => Array.from({ length: count }, (_, index) => `{"line":${index}}\n`)
const note = (count: number) => `{"level":"warn","event":"log lines were dropped","count":${count}}`

function writeTimes(buffer: { write(line: string): void }, count: number): void {
  for (let written = 0; written < count; written++) buffer.write(LINE)
}

describe('createLineBuffer', () => {
  it('hands over many lines in one call', () => {
    const { buffer, calls } = openBuffer()
    writeTimes(buffer, 60)
    expect(calls).toHaveLength(0)
    writeTimes(buffer, 10)
    expect(calls).toHaveLength(1)
  })

  it('hands over lines that arrived during a call when the call ends', () => {
    const { buffer, calls, answer, lines } = openBuffer()
    writeTimes(buffer, 200)
    expect(calls).toHaveLength(1)
    answer('all')
    expect(calls).toHaveLength(1)
    answer('all')
    expect(lines()).toHaveLength(200)
    expect(calls).toHaveLength(0)
  })

  it('drops and counts lines without room, then continues', () => {
    const { buffer, answer, lines } = openBuffer()
    writeTimes(buffer, 1_000)
    answer('all')
    writeTimes(buffer, 50)
    answer('all')
    buffer.handOver()
    answer('all')
    const noteAt = lines().findIndex((line) => line.includes('dropped'))
    const dropped: unknown = JSON.parse(lines()[noteAt] ?? 'null')
    expect(dropped).toMatchObject({ level: 'warn', count: 1_000 - noteAt })
    expect(noteAt).toBeGreaterThan(250)
    expect(lines()).toHaveLength(noteAt + 1 + 50)
    expect(new Set(lines())).toEqual(new Set([LINE.trimEnd(), lines()[noteAt]]))
  })

  it('has room for the line with the count in a full buffer', () => {
    const { buffer, answer, lines } = openBuffer()
    const longest = `${'€'.repeat(5_460)}\n`
    for (let written = 0; written < 100; written++) buffer.write(longest)
    answer('all')
    answer('all')
    expect(lines().at(-1)).toBe(note(100 - (lines().length - 1)))
  })

  it('counts a line that is too long, also when there is no other', () => {
    const { buffer, answer, lines } = openBuffer()
    buffer.write('x'.repeat(6_000))
    buffer.handOver()
    answer('all')
    expect(lines()).toEqual([note(1)])
  })

  it('continues where a pipe stopped', async () => {
    const { buffer, calls, answer, text } = openBuffer()
    const expected = NUMBERED(100)
    for (const line of expected) buffer.write(line)
    buffer.handOver()
    answer(10)
    answer('EAGAIN')
    await expect.poll(() => calls.length).toBe(1)
    answer(7)
    answer('all')
    expect(text()).toBe(expected.join(''))
  })

  it('continues after its reader is gone', () => {
    const { buffer, answer, lines } = openBuffer()
    buffer.write('{"line":"lost"}\n')
    buffer.handOver()
    answer('EPIPE')
    buffer.write('{"line":"kept"}\n')
    buffer.handOver()
    answer('all')
    expect(lines()).toEqual(['{"line":"kept"}'])
  })

  it('keeps the request for a hand-over until the running call ends', () => {
    const { buffer, calls, answer, lines } = openBuffer()
    buffer.write('{"line":1}\n')
    buffer.handOver()
    buffer.write('{"line":2}\n')
    buffer.handOver()
    expect(calls).toHaveLength(1)
    answer('all')
    answer('all')
    expect(lines()).toEqual(['{"line":1}', '{"line":2}'])
  })

  it('flushes everything, with the count of what it dropped', async () => {
    const { buffer, calls, answer, lines } = openBuffer()
    writeTimes(buffer, 1_000)
    let isFlushed = false
    const flushed = buffer.flush().then(() => {
      isFlushed = true
    })
    const answerAll = () => {
      while (calls.length > 0) answer('all')
      return isFlushed
    }
    await expect.poll(answerAll).toBe(true)
    await flushed
    expect(lines().at(-1)).toBe(note(1_000 - (lines().length - 1)))
  })
})

describe('the last write', () => {
  it('takes as many calls as the pipe needs', () => {
    const { buffer, text } = openBuffer({ lastAnswers: [5, 'EAGAIN', 'EAGAIN', 300, 'EAGAIN'] })
    const expected = NUMBERED(100)
    for (const line of expected) buffer.write(line)
    buffer.writeLast()
    expect(text()).toBe(expected.join(''))
  })

  it('completes a line that a full pipe took in part, and reports dropped lines', () => {
    const { buffer, answer, lines } = openBuffer()
    writeTimes(buffer, 1_000)
    answer(10)
    answer('EAGAIN')
    buffer.writeLast()
    expect(lines().at(-1)).toBe(note(1_000 - (lines().length - 1)))
    expect(new Set(lines().slice(0, -1))).toEqual(new Set([LINE.trimEnd()]))
  })

  it('writes nothing twice', () => {
    const { buffer, lines } = openBuffer()
    buffer.write('{"line":1}\n')
    buffer.writeLast()
    buffer.writeLast()
    expect(lines()).toEqual(['{"line":1}'])
  })

  it('gives up when the pipe stays full or the reader is gone', () => {
    for (const lastAnswers of [Array<Answer>(1_000).fill('EAGAIN'), ['EPIPE'] satisfies Answer[]]) {
      const { buffer, text } = openBuffer({ lastAnswers })
      buffer.write('{"line":1}\n')
      buffer.writeLast()
      expect(text()).toBe('')
    }
  })
})
