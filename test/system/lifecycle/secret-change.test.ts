import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { request } from 'undici'
import { expect, onTestFinished, test, vi } from 'vitest'
import { signMessage } from '../../../src/adapters/callbacks/send-callback.ts'
import { openCallbackReceiver, type ReceivedCallback } from '../../engines/video-work/open-receiver.ts'
import { type GatewayProcess, startGateway } from '../faults/harness/gateway-process.ts'
import { NO_PROVIDERS } from '../faults/harness/no-providers.ts'
import { AUTHORITY_FILE } from '../faults/harness/tls-target.ts'
import { dataFolder } from './data-folder.ts'
import { runSluice } from './run-sluice.ts'
import { runToItsEnd } from './run-to-its-end.ts'
import { scaledEnvironment } from './scaled-environment.ts'
import { TEXT_REQUEST } from './steady-clients.ts'

/** Time for real processes on a slow machine. */
vi.setConfig({ testTimeout: 300_000 })

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))
const ADMIN_API_KEY = 'the-admin-key-of-the-test'
const OLD = { SLUICE_SECRET: 'the old secret of the test, long enough' }
const NEW = { SLUICE_SECRET: 'the new secret of the test, long enough' }
const BOTH = { ...NEW, SLUICE_SECRET_PREVIOUS: OLD.SLUICE_SECRET }
const CREDIT_MICROS = 25_000_000
/** Cost of the reply to the text request. */
const TEXT_MICROS = 84
/** Five seconds at 720p. */
const VIDEO_MICROS = 700_000

async function embedded(): Promise<Record<string, string>> {
  return { DATA_DIR: dataFolder() }
}

async function scaled(): Promise<Record<string, string>> {
  const { DATABASE_URL, REDIS_URL } = await scaledEnvironment()
  return { DATABASE_URL, REDIS_URL }
}

test.each([
  ['SQLite', embedded, 1],
  ['PostgreSQL and Redis, replica by replica', scaled, 2],
] as const)(
  'the secret is changed on %s: all earlier data is served, and charged once',
  async (_name, environment, count) => {
    const receiver = await openCallbackReceiver()
    onTestFinished(() => receiver.close())
    // The vendors are slow, so that the task ends after the change: its last gateways have quick ones.
    const env = {
      ...(await environment()),
      ...{ ADMIN_API_KEY, OUTBOUND_ALLOW: '127.0.0.0/8', LOG_LEVEL: 'warn', SANDBOX_SPEED: '1' },
      ...{ NODE_EXTRA_CA_CERTS: fileURLToPath(AUTHORITY_FILE), SHUTDOWN_NOT_READY_MS: '0' },
    }
    const first = await startGateway({ env: { ...env, ...OLD } })
    const replicas = [first]
    onTestFinished(async () => void (await Promise.all(replicas.map((replica) => replica.stop()))))
    while (replicas.length < count) replicas.push(await startGateway({ env: { ...env, ...OLD } }))
    const restart = async (replica: GatewayProcess, changes: Record<string, string>) => {
      await replica.kill('SIGTERM')
      await replica.restart({ env: { ...env, ...changes } })
    }
    const run = <T>(words: string, secrets: Record<string, string>) =>
      runSluice<T>(words.split(' '), { ...env, ...secrets })

    const call = async (baseUrl: string, path: string, headers: object, sent?: string) => {
      const { statusCode, body, ...answer } = await request(`${baseUrl}${path}`, {
        method: sent === undefined ? 'GET' : 'POST',
        ...{ reset: true, headers: { ...headers, 'content-type': 'application/json' }, body: sent ?? null },
      })
      return { status: statusCode, headers: answer.headers, body: await body.text() }
    }
    const admin = async (path: string, sent: object) => {
      const made = await call(
        first.baseUrl,
        `/admin/v1${path}`,
        { 'x-admin-key': ADMIN_API_KEY },
        JSON.stringify(sent),
      )
      expect(made.status, made.body).toBe(200)
      return JSON.parse(made.body)
    }
    const { id: org, webhook_secret: webhookSecret } = await admin('/organizations', {
      ...{ name: 'Acme', billing: 'prepaid' },
    })
    const owner = { organization_id: org }
    const { id: user } = await admin('/users', owner)
    await admin('/credit', { ...owner, amount_micros: CREDIT_MICROS })
    const makeKey = () => admin('/keys', { ...owner, user_id: user })
    const [used, idle] = [await makeKey(), await makeKey()]
    const { token } = await admin('/operators', { name: 'ana', role: 'viewer' })
    const asClient = ({ key } = used) => ({ authorization: `Bearer ${key}` })

    const ask = (baseUrl: string, key = used) =>
      call(
        baseUrl,
        TEXT_REQUEST.path,
        { ...TEXT_REQUEST.headers, ...asClient(key), 'idempotency-key': 'order 66' },
        TEXT_REQUEST.body,
      )
    const reply = await ask(first.baseUrl)
    expect(reply).toMatchObject({ status: 200, headers: { 'x-sluice-cost-usd': '0.000084' } })
    const created = await call(
      ...([first.baseUrl, '/v1/video/generations', asClient()] as const),
      JSON.stringify({
        model: 'vendorB/gen-v4-std',
        content: [{ type: 'text', text: 'a boat' }],
        callback_url: receiver.urlOf('/done'),
      }),
    )
    expect(created.status, created.body).toBe(200)
    const { id: taskId } = JSON.parse(created.body)
    const task = `/v1/video/generations/${taskId}`

    /** Expects that earlier keys of a customer and an operator work on every replica. */
    const expectServed = async (step: string) => {
      for (const { baseUrl } of replicas) {
        expect((await call(baseUrl, '/v1/models', asClient())).status, step).toBe(200)
        const again = await ask(baseUrl)
        // A cache in the process ends with it. The reply is then gone, and the repeated request is still not charged.
        if (again.status === 200 || count > 1)
          expect(again, step).toMatchObject({ status: 200, body: reply.body })
        else expect(again.body, step).toContain('It is not charged again.')
        expect((await call(baseUrl, task, asClient())).status, step).toBe(200)
        const shown = await call(baseUrl, `/admin/v1/organizations/${org}`, { 'x-admin-key': token })
        expect(shown.status, step).toBe(200)
        expect((await call(baseUrl, '/readyz', {})).status, step).toBe(200)
      }
    }
    await expectServed('before')
    for (const [number, replica] of replicas.entries()) {
      await restart(replica, BOTH)
      await expectServed(`${number + 1} of ${count} replicas have both secrets`)
    }

    const killed = spawn(process.execPath, ['bin/sluice.js', 'secret', 'rotate'], {
      cwd: ROOT,
      env: { PATH: process.env.PATH, SLUICE_CONFIG: NO_PROVIDERS, ...env, ...BOTH },
      stdio: 'ignore',
    })
    const gone = once(killed, 'exit')
    const secretCheck = async (): Promise<string> => {
      const { checks } = await admin('/doctor', {})
      return checks.find(({ name }: { name: string }) => name === 'secret').detail
    }
    await expect.poll(secretCheck, { timeout: 60_000 }).toMatch(/SLUICE_SECRET_PREVIOUS is still needed by/)
    killed.kill('SIGKILL')
    await gone
    await expectServed('the command was killed after the switch')
    expect(await run('secret rotate', BOTH)).toMatchObject({ switched: false, ended: false })
    const fresh = await makeKey()
    for (const { baseUrl } of replicas) expect((await ask(baseUrl, fresh)).status).toBe(200)
    // A key that a process has in memory moves when it is read again.
    const useAndCheck = async () => {
      await expectServed('after the switch')
      return secretCheck()
    }
    await expect.poll(useAndCheck, { timeout: 60_000 }).not.toContain(used.id)
    expect(await secretCheck()).toContain(idle.id)
    await Promise.all(replicas.map((replica) => replica.kill('SIGTERM')))
    const early = await runToItsEnd(['serve'], { ...env, ...NEW })
    expect(early).toMatchObject({
      code: 1,
      output: expect.stringContaining('SLUICE_SECRET_PREVIOUS is missing'),
    })

    expect(await run('secret rotate --forget-previous', BOTH)).toMatchObject({ ended: true })
    expect(receiver.received).toEqual([])
    // The vendor ends the task now; its end needs values that are encrypted under the old secret.
    const last = { ...NEW, SLUICE_SECRET_PREVIOUS: '', SANDBOX_SPEED: '100000' }
    await Promise.all(replicas.map((replica) => replica.restart({ env: { ...env, ...last } })))
    await expect.poll(() => receiver.received.length, { timeout: 60_000 }).toBe(1)
    const { headers = {}, body = '' }: Partial<ReceivedCallback> = receiver.received[0] ?? {}
    const atMs = Number(headers['webhook-timestamp']) * 1_000
    const signed = signMessage({ id: headers['webhook-id'] ?? '', atMs, body, secrets: [webhookSecret] })
    expect(headers['webhook-signature']).toBe(signed['webhook-signature'])
    for (const { baseUrl } of replicas) {
      expect((await call(baseUrl, '/v1/models', asClient())).status).toBe(200)
      expect((await call(baseUrl, '/v1/models', asClient(idle))).status).toBe(401)
      const done = await call(baseUrl, task, asClient())
      expect(JSON.parse(done.body)).toMatchObject({
        ...{ status: 'succeeded', content: { video_url: expect.stringMatching(/^http/) } },
      })
    }
    await Promise.all(replicas.map((replica) => replica.kill('SIGTERM')))
    expect(receiver.received).toHaveLength(1)
    expect(await run(`usage show ${taskId}`, NEW)).toMatchObject({ cost_micros: VIDEO_MICROS })
    // The repeated requests cost nothing; the key that was made later has its own.
    expect(await run(`credit show --org ${org}`, NEW)).toMatchObject({
      balance_micros: CREDIT_MICROS - 2 * TEXT_MICROS - VIDEO_MICROS,
      held_micros: 0,
    })
    expect(await run('ledger check', NEW)).toMatchObject({ ok: true })
  },
)
