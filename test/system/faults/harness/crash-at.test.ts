import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import { CRASH_AT_VARIABLE, crashAt } from './crash-at.ts'

const CRASH_AT_FILE = new URL('./crash-at.ts', import.meta.url)

describe('crash points', () => {
  it('kill the process at the n-th visit, before its next step', async () => {
    expect(await run('key.after-create#3')).toEqual({ signal: 'SIGKILL', output: '12' })
  })

  it('without a number mean the first visit', async () => {
    expect(await run('key.after-create')).toEqual({ signal: 'SIGKILL', output: '' })
  })

  it('do not end a process at another point or without a plan', async () => {
    expect(await run('serve.ready')).toEqual({ signal: null, output: '1234' })
    expect(await run('')).toEqual({ signal: null, output: '1234' })
  })

  it.each(['serve.ready#0', 'serve.ready#x', 'serve.ready#'])('refuse the plan %s', (plan) => {
    expect(() => crashAt(plan)).toThrow('after #')
  })
})

/** Passes one point four times and writes a digit after each. */
async function run(plan: string): Promise<{ signal: string | null; output: string }> {
  const script = `
    import { writeSync } from 'node:fs'
    import { crashAtFromEnvironment } from ${JSON.stringify(CRASH_AT_FILE.href)}
    const checkpoint = crashAtFromEnvironment()
    for (const digit of '1234') { checkpoint('key.after-create'); writeSync(1, digit) }`
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    env: { [CRASH_AT_VARIABLE]: plan },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [output, [, signal]] = await Promise.all([text(child.stdout), once(child, 'close')])
  return { signal, output }
}
