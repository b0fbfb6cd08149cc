import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { request } from 'undici'
import { expect, onTestFinished, test } from 'vitest'
import { freePort } from '../../servers/free-port.ts'
import { startGateway } from '../faults/harness/gateway-process.ts'
import { NO_PROVIDERS } from '../faults/harness/no-providers.ts'
import { dataFolder } from '../lifecycle/data-folder.ts'
import { withoutStoreLine } from './run.ts'
import { runProgram } from './run-program.ts'

/** Limit of waits for another process. */
const PATIENCE_MS = 240_000
const PROGRAM = fileURLToPath(new URL('../../../bin/sluice.js', import.meta.url))

/** Short intervals, and a receiver on this machine. */
const QUICK = { VIDEO_SWEEP_INTERVAL_MS: '200', OUTBOUND_ALLOW: '127.0.0.0/8' }

/** A gateway with its demo, and the command line beside it. */
async function start() {
  const environment = { DATA_DIR: dataFolder(), SLUICE_CONFIG: NO_PROVIDERS }
  const gateway = await startGateway({ env: { ...environment, ...QUICK } })
  onTestFinished(async () => void (await gateway.stop()))
  await expect.poll(() => gateway.output()).toMatch(/Reference: http/)
  const [key = ''] = gateway.output().match(/sk-sluice-[\w-]{48}/) ?? []
  const [organizationId = ''] = gateway.output().match(/org_\w+/) ?? []
  return {
    organizationId,
    environment,
    async create(task: object): Promise<string> {
      const { statusCode, body } = await request(`${gateway.baseUrl}/v1/video/generations`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify(task),
      })
      const answer = JSON.parse(await body.text())
      expect({ statusCode, answer }).toMatchObject({ statusCode: 200, answer: { id: expect.any(String) } })
      return answer.id
    },
    run: (...words: string[]) => runProgram(words, environment, environment.DATA_DIR),
  }
}

function text(prompt: string) {
  return { content: [{ type: 'text', text: prompt }] }
}

test('a task is followed to its end beside a running server, with its money', {
  timeout: PATIENCE_MS,
}, async () => {
  const { create, run, organizationId } = await start()
  const id = await create({ model: 'vendorA/gen-2.0', ...text('A barge') })
  const watched = await run('task', 'show', id, '--watch')
  expect(watched).toMatchObject({ exitCode: 0 })
  expect(watched.notice).toMatch(/^((queued|running): [a-z ]+, \d+ s of at most 2 d {2}task_\w+\n)*$/)
  expect(watched.result).toMatch(/^Task +task_\w+\nStatus +succeeded\n/)

  const listed = await run('task', 'list', '--org', organizationId, '--json')
  const [row, ...more] = JSON.parse(listed.result)
  expect(more).toEqual([])
  expect(row).toMatchObject({
    id,
    organization_id: organizationId,
    status: 'succeeded',
    upstream_id: expect.stringMatching(/^cgt-/),
    held_micros: 0,
    callback: 'none',
    error: null,
  })
  expect([row.charged_micros, row.estimate_micros]).toEqual([762_300, 762_300])
  const shown = await run('task', 'show', id, '--watch', '--json')
  const { vendor_attempts, ...same } = JSON.parse(shown.result)
  expect(same).toEqual(row)
  expect(vendor_attempts).toMatchObject([{ attempt: 1, model: 'vendorA/gen-2.0', state: 'succeeded' }])
  const credit = JSON.parse((await run('credit', 'show', '--org', organizationId, '--json')).result)
  expect(credit.balance_micros).toBe(25_000_000 - 762_300)
})

test('an undelivered callback shows its attempts, and is resent on request', {
  timeout: PATIENCE_MS,
}, async () => {
  const { create, run } = await start()
  const callbackUrl = `https://127.0.0.1:${await freePort()}/no-listener`
  const id = await create({ model: 'vendorB/gen-v4-std', ...text('A heron'), callback_url: callbackUrl })
  expect((await run('callback', 'resend', 'task_9')).notice).toContain('There is no callback of task_9')
  const attempts = async () => JSON.parse((await run('callback', 'list', '--task', id, '--json')).result)
  const state = async () => JSON.parse((await run('task', 'show', id, '--json')).result).callback
  const slow = { timeout: 60_000, interval: 500 }
  await expect.poll(state, slow).toBe('given-up')
  const first = await attempts()
  expect(first).toEqual(
    first.map((_: unknown, index: number) => ({
      task_id: id,
      attempt: index + 1,
      at: expect.stringMatching(/Z$/),
      status: null,
      error: expect.stringMatching(/^[a-z-]+$/),
    })),
  )
  expect(first).toHaveLength(3)

  expect(JSON.parse((await run('callback', 'resend', id, '--json')).result)).toEqual({
    task_id: id,
    callback: 'pending',
  })
  await expect.poll(async () => (await attempts()).length, slow).toBe(6)
})

test('Ctrl-C ends a watch immediately, with exit code 130', { timeout: PATIENCE_MS }, async () => {
  const { create, environment } = await start()
  const id = await create({ model: 'vendorA/gen-2.0', ...text('A barge [stuck]') })
  const child = spawn(process.execPath, [PROGRAM, 'task', 'show', id, '--watch'], {
    env: environment,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  let result = ''
  let notice = ''
  child.stdout.setEncoding('utf8').on('data', (part: string) => (result += part))
  child.stderr.setEncoding('utf8').on('data', (part: string) => (notice += part))
  await expect.poll(() => notice).toContain(id)
  child.kill('SIGINT')
  const code = await new Promise((resolve) => child.once('close', resolve))
  expect({ code, result }).toEqual({ code: 130, result: '' })
  expect(withoutStoreLine(notice)).toMatch(/^((queued|running): .* {2}task_\w+\n)+$/)
})
