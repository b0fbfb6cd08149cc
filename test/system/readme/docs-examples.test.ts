import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { startGateway } from '../faults/harness/gateway-process.ts'
import { dataFolder } from '../lifecycle/data-folder.ts'
import { scaledEnvironment } from '../lifecycle/scaled-environment.ts'
import { TEXT_REQUEST } from '../lifecycle/steady-clients.ts'

const ADMIN_API_KEY = 'admin-key-of-the-test'

/** Every example of the page, as a reader would copy it. */
function examplesOf(page: string): { id: string; lines: string }[] {
  const articles = page.matchAll(/<article id="(\w+)".*?<pre tabindex="0"><code>(.*?)<\/code><\/pre>/gs)
  return [...articles].map(([, id = '', code = '']) => ({ id, lines: unescaped(code) }))
}

function unescaped(text: string): string {
  const marks: Record<string, string> = { lt: '<', gt: '>', quot: '"', '#39': "'", amp: '&' }
  return text.replaceAll(/&(lt|gt|quot|#39|amp);/g, (_all, name: string) => marks[name] ?? '')
}

/** Runs an example in a shell; what its last call, which is the example itself, answered. */
async function statusOf(lines: string, environment: Record<string, string>): Promise<string> {
  const at = lines.lastIndexOf('curl ')
  const script = `${lines.slice(0, at)}curl -s -o /dev/null -w '%{http_code}' ${lines.slice(at + 5)}`
  const { stdout } = await promisify(execFile)('bash', ['-uc', script], {
    env: { PATH: process.env.PATH, ...environment },
    timeout: 60_000,
  })
  return stdout
}

async function startDocumented(env: Record<string, string>) {
  const gateway = await startGateway({ env: { ...env, ADMIN_API_KEY } })
  onTestFinished(async () => void (await gateway.stop()))
  await expect.poll(() => gateway.output()).toMatch(/Reference: http/)
  const [key = ''] = gateway.output().match(/sk-sluice-[\w-]{48,}/) ?? []
  const page = await (await fetch(`${gateway.baseUrl}/docs`)).text()
  return {
    baseUrl: gateway.baseUrl,
    key,
    examples: examplesOf(page),
    shell: { SLUICE_URL: gateway.baseUrl, SLUICE_API_KEY: key, SLUICE_ADMIN_KEY: ADMIN_API_KEY },
  }
}

test('every example of /docs for clients answers as pasted', { timeout: 180_000 }, async () => {
  // Slow vendors: the task that an example deletes must not have begun.
  const { baseUrl, key, examples, shell } = await startDocumented({
    ...{ DATA_DIR: dataFolder(), SANDBOX_SPEED: '1' },
  })
  const asClient = { authorization: `Bearer ${key}` }
  const { path, method, headers, body } = TEXT_REQUEST
  const asked = await fetch(`${baseUrl}${path}`, { method, headers: { ...headers, ...asClient }, body })
  const requestId = asked.headers.get('x-request-id') ?? ''
  const receipt = () => fetch(`${baseUrl}/v1/usage/${requestId}/receipt`, { headers: asClient })
  await expect.poll(async () => (await receipt()).status).toBe(200)
  // The sandbox has no model for embeddings.
  const forClients = examples.filter(({ lines }) => !/\/admin\/v1\/|\/v1\/embeddings/.test(lines))
  expect(forClients.length).toBeGreaterThan(15)
  const answers: Record<string, string> = {}
  for (const { id, lines } of forClients)
    answers[id] = await statusOf(lines.replaceAll('req_019a2b3c', requestId), shell)
  expect(answers).toEqual({
    ...Object.fromEntries(forClients.map(({ id }) => [id, '200'])),
    getTaskReceipt: '409', // It has not ended.
  })
})

/** Examples that these rows leave nothing to do for, and what they answer then. */
const NOTHING_TO_DO = {
  adminCancelTask: '400', // It has ended.
  adminErasePerson: '404', // The group is not of a person.
  adminGetSession: '401', // Only a browser has a session.
  adminResumeTask: '404', // It was not set aside.
}

test('every example of /docs for operators answers as pasted, with ids of their own rows', {
  timeout: 180_000,
}, async () => {
  const { examples, shell, baseUrl } = await startDocumented({
    ...(await scaledEnvironment()),
    ...{ SANDBOX: 'on', SANDBOX_SPEED: '100000' },
  })
  const call = async (path: string, sent?: object, headers: Record<string, string> = {}) => {
    const answer = await fetch(`${baseUrl}${path}`, {
      ...(sent !== undefined && { method: 'POST', body: JSON.stringify(sent) }),
      headers: { 'x-admin-key': ADMIN_API_KEY, 'content-type': 'application/json', ...headers },
    })
    const body = await answer.text()
    expect(answer.status, `${path} ${body}`).toBe(200)
    return JSON.parse(body)
  }
  const make = (noun: string, row: object) => call(`/admin/v1/${noun}`, row)
  const firstOf = async (noun: string) => (await call(`/admin/v1/${noun}`)).data[0].id

  const [spare, org] = [
    await make('organizations', { name: 'Spare', billing: 'prepaid' }),
    await make('organizations', { name: 'Acme', billing: 'prepaid' }),
  ]
  const owner = { organization_id: org.id }
  const [spareUser, user] = [await make('users', owner), await make('users', owner)]
  const [spareKey, { key }] = [
    await make('keys', { ...owner, user_id: user.id }),
    await make('keys', { ...owner, user_id: user.id }),
  ]
  await make('credit', { ...owner, amount_micros: 25_000_000 })
  const operator = await make('operators', { name: 'ana', role: 'viewer' })
  const asClient = { authorization: `Bearer ${key}` }
  const asset = { url: 'https://example.com/landscape.png', asset_type: 'Image' }
  const { id: assetId } = await call('/v1/video/assets', asset, asClient)
  await call('/v1/video/assets/sessions', { callback_url: 'https://example.com/verified' }, asClient)
  const order = {
    model: 'vendorB/gen-v4-std',
    content: [{ type: 'text', text: 'a boat' }],
    callback_url: 'https://client.example/hook',
  }
  const { id: taskId } = await call('/v1/video/generations', order, asClient)
  const read = async () => (await call(`/v1/video/generations/${taskId}`, undefined, asClient)).status
  await expect.poll(read).toBe('succeeded')
  const ids: Record<string, string> = {
    ...{ organizations: spare.id, credit: org.id, users: spareUser.id, keys: spareKey.id },
    ...{ tasks: taskId, callbacks: taskId, usage: taskId, assets: assetId, ledger: await firstOf('ledger') },
    ...{ groups: await firstOf('groups'), verifications: await firstOf('verifications') },
    ...{ providers: 'vendorC', operators: operator.id },
  }
  const own = {
    org_019a2b3c: org.id,
    usr_019a2b3c: user.id,
    task_019a2b3c: taskId,
    'op-sluice-...': ADMIN_API_KEY,
  }

  const answers: Record<string, string> = {}
  // The endless stream has its own test.
  const shown = examples.filter(({ lines }) => /\/admin\/v1\/(?!live)/.test(lines))
  // An erased organization refuses changes, so the examples that erase come last.
  const [forOperators, erasing] = [
    shown.filter(({ id }) => !isErasing(id)),
    shown.filter(({ id }) => isErasing(id)),
  ]
  forOperators.push(...erasing)
  expect(forOperators.length).toBeGreaterThan(55)
  for (const { id, lines } of forOperators) {
    const [, noun = ''] = /\/admin\/v1\/(\w+)/.exec(lines) ?? []
    const pasted = Object.entries(own).reduce((text, [from, to]) => text.replaceAll(from, to), lines)
    answers[id] = await statusOf(pasted, { ...shell, ID: ids[noun] ?? '' })
  }
  expect(answers).toEqual({
    ...Object.fromEntries(forOperators.map(({ id }) => [id, '200'])),
    ...NOTHING_TO_DO,
  })
})

function isErasing(operation: string): boolean {
  return operation.startsWith('adminErase')
}
