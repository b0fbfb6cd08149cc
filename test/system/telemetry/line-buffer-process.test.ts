import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { afterEach, describe, expect, it } from 'vitest'

const FLOOD = new URL('./fixtures/line-flood.ts', import.meta.url).pathname
const started: ChildProcess[] = []

afterEach(() => {
  for (const child of started.splice(0)) child.kill('SIGKILL')
})

function startFlood(manner: 'steadily' | 'until-exit' | 'twice', count: number) {
  const child = spawn(process.execPath, [FLOOD, manner, String(count)], { stdio: ['pipe', 'pipe', 'pipe'] })
  started.push(child)
  return child
}

/** Fails on a broken line, which is not JSON. */
function readLines(output: string) {
  const numbers: number[] = []
  let dropped = 0
  for (const line of output.trimEnd().split('\n')) {
    const { number, count } = JSON.parse(line)
    if (count === undefined) numbers.push(number)
    else dropped += count
  }
  return { numbers, dropped, isInOrder: numbers.every((number, at) => number > (numbers[at - 1] ?? -1)) }
}

describe('lines to a pipe', () => {
  it('all arrive when a program reads', async () => {
    const { numbers, dropped, isInOrder } = readLines(await text(startFlood('steadily', 20_000).stderr))
    expect({ lines: numbers.length, dropped, isInOrder }).toEqual({
      lines: 20_000,
      dropped: 0,
      isInOrder: true,
    })
  })

  it('are dropped whole and counted while no program reads, then flow again', async () => {
    const child = startFlood('twice', 50_000)
    await once(child.stdout, 'data')
    const output = text(child.stderr)
    child.stdin.write('go on')
    const { numbers, dropped, isInOrder } = readLines(await output)
    expect(dropped).toBeGreaterThan(0)
    expect(numbers.length + dropped).toBe(51_000)
    expect(isInOrder).toBe(true)
    expect(numbers.slice(-1_000)).toEqual(Array.from({ length: 1_000 }, (_, at) => 50_000 + at))
  })

  it('are whole and counted when the process ends with a full buffer', async () => {
    const { numbers, dropped, isInOrder } = readLines(await text(startFlood('until-exit', 10_000).stderr))
    expect(dropped).toBeGreaterThan(0)
    expect(numbers.length + dropped).toBe(10_000)
    expect(isInOrder).toBe(true)
  })
})
