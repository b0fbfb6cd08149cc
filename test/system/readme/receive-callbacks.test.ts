import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Agent, request } from 'undici'
import { expect, test } from 'vitest'
import { signMessage } from '../../../src/adapters/callbacks/send-callback.ts'
import { freePort } from '../../servers/free-port.ts'
import { freshClone } from './clone.ts'
import { openTerminal } from './open-terminal.ts'
import { readWalk } from './read-walk.ts'

const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
const OTHER_SECRET = `whsec_${Buffer.alloc(32, 8).toString('base64')}`
const BODY = JSON.stringify({ id: 'task_1', status: 'failed', metadata: { name: 'Zoë' } })
const HOUR_MS = 3_600_000
/** The receiver makes its certificate first, which takes time. */
const PATIENCE = { timeout: 60_000 }

async function startReceiver(environment: Record<string, string>) {
  const folder = freshClone()
  const [makeCertificate = ''] = readWalk('Try it on your machine', 'docs/callbacks.md')
    .join('')
    .split(/^(?=OUTBOUND_ALLOW)/m)
  const port = await freePort()
  const receiver = openTerminal(`${makeCertificate} node examples/receive-callbacks.js`, {
    folder,
    environment: { RECEIVER_PORT: String(port), ...environment },
  })
  return { receiver, folder, url: `https://127.0.0.1:${port}/` }
}

test('the example accepts signed callbacks of the gateway, and refuses everything else', {
  timeout: 120_000,
}, async () => {
  const { receiver, folder, url } = await startReceiver({ WEBHOOK_SECRET: SECRET })
  await expect.poll(() => receiver.output(), PATIENCE).toContain('Waiting for callbacks')
  const dispatcher = new Agent({ connect: { ca: readFileSync(join(folder, 'callback-cert.pem')) } })
  const post = async (headers: Record<string, string>, body = BODY) => {
    const answer = await request(url, { method: 'POST', headers, body, dispatcher })
    await answer.body.dump()
    return answer.statusCode
  }
  const message = { id: 'msg_1', atMs: Date.now(), body: BODY, secrets: [SECRET] }
  const signed = signMessage(message)

  expect(await post(signed)).toBe(204)
  expect(await post(signMessage({ ...message, secrets: [OTHER_SECRET, SECRET] }))).toBe(204)

  expect(await post({})).toBe(401)
  expect(await post(signed, BODY.replace('failed', 'succeeded'))).toBe(401)
  expect(await post({ ...signed, 'webhook-id': 'msg_2' })).toBe(401)
  expect(await post(signMessage({ ...message, secrets: [OTHER_SECRET] }))).toBe(401)
  expect(await post(signMessage({ ...message, atMs: Date.now() - HOUR_MS }))).toBe(401)
  const count = (line: string) => receiver.output().split(line).length - 1
  await expect.poll(() => count('Refused a callback: its signature is not right.\n')).toBe(5)
  expect(count('Callback msg_1: task_1 has failed. The signature is right.')).toBe(2)
  expect(receiver.output()).toContain('Zoë')
  await dispatcher.close()
  await receiver.interrupt()
})

test('without a secret it prints how to find one', { timeout: 120_000 }, async () => {
  const { receiver } = await startReceiver({})
  expect(await receiver.done()).toBe(1)
  expect(receiver.output()).toContain('npx sluice org secret ORG_ID')
})
