import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { afterEach, describe, expect, it } from 'vitest'

const WRITER = new URL('./fixtures/log-writer.ts', import.meta.url).pathname
const started: ChildProcess[] = []

afterEach(() => {
  for (const child of started.splice(0)) child.kill('SIGKILL')
})

function startWriter(ending: 'exit' | 'crash' | 'flush' | 'kill' | 'wait') {
  const child = spawn(process.execPath, [WRITER, ending], {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { ...process.env, UV_THREADPOOL_SIZE: '1' },
  })
  started.push(child)
  const output = { stdout: '', stderr: '' }
  child.stdout.on('data', (chunk) => {
    output.stdout += chunk
  })
  child.stderr.on('data', (chunk) => {
    output.stderr += chunk
  })
  return { child, output }
}

describe('a process that logs', () => {
  for (const ending of ['exit', 'crash', 'flush'] as const) {
    it(`has written every line when it ends by ${ending}`, async () => {
      const { child, output } = startWriter(ending)
      await once(child, 'close')
      const events = output.stderr
        .split('\n')
        .filter((line) => line.startsWith('{"level"'))
        .map((line): unknown => JSON.parse(line))
      expect(events).toMatchObject([{ event: 'redis.unreachable' }, { event: 'redis.reachable' }])
      expect(output.stdout).toBe('')
    })
  }

  it('has written a warning and all earlier lines when it is killed right after', async () => {
    const { child, output } = startWriter('kill')
    await once(child, 'close')
    expect(child.signalCode).toBe('SIGKILL')
    const events = output.stderr.trimEnd().split('\n')
    expect(events.map((line) => JSON.parse(line).event)).toEqual([
      'redis.unreachable',
      'redis.reachable',
      'callback.given_up',
    ])
  })

  it('writes its lines while it runs', async () => {
    const { child, output } = startWriter('wait')
    while (!output.stderr.includes('redis.reachable')) await once(child.stderr, 'data')
    expect(child.exitCode).toBeNull()
  })
})
