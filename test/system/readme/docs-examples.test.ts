import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { startGateway } from '../faults/harness/gateway-process.ts'
import { dataFolder } from '../lifecycle/data-folder.ts'
import { scaledEnvironment } from '../lifecycle/scaled-environment.ts'
import { TEXT_REQUEST } from '../lifecycle/steady-clients.ts'

const ADMIN_API_KEY = 'admin-key-of-the-test'

const LANGUAGES = ['curl', 'typescript', 'python'] as const

type Language = (typeof LANGUAGES)[number]

interface PageExample {
  id: string
  texts: Record<Language, string>
}

/** Every example of a page, as a reader would copy it. */
function examplesOf(page: string): PageExample[] {
  const articles = [...page.matchAll(/<article id="(\w+)".*?<\/article>/gs)]
  return articles.map(([article, id = '']) => {
    const textIn = (language: Language) =>
      unescaped(
        new RegExp(`in-${language}"><pre tabindex="0"><code>(.*?)</code>`, 's').exec(article)?.[1] ?? '',
      )
    return { id, texts: { curl: textIn('curl'), typescript: textIn('typescript'), python: textIn('python') } }
  })
}

function unescaped(text: string): string {
  const marks: Record<string, string> = { lt: '<', gt: '>', quot: '"', '#39': "'", amp: '&' }
  return text.replaceAll(/&(lt|gt|quot|#39|amp);/g, (_all, name: string) => marks[name] ?? '')
}

/** Runs an example, and returns the status of its last call. */
async function statusOf(
  text: string,
  language: Language,
  environment: Record<string, string>,
): Promise<string> {
  const [program, ...words] = COMMANDS[language](text)
  const { stdout, stderr } = await promisify(execFile)(program, words, {
    env: { PATH: process.env.PATH, ...environment },
    timeout: 60_000,
  }).catch((error: { stdout: string; stderr: string }) => error)
  return /^\d{3}\b/.exec(stdout)?.[0] ?? /HTTP Error (\d{3})/.exec(stderr)?.[1] ?? `${stdout}${stderr}`
}

const COMMANDS: Record<Language, (text: string) => [program: string, ...words: string[]]> = {
  curl: (text) => {
    const at = text.lastIndexOf('curl ')
    return ['bash', '-uc', `${text.slice(0, at)}curl -s -o /dev/null -w '%{http_code}' ${text.slice(at + 5)}`]
  },
  typescript: (text) => [process.execPath, '--input-type=module-typescript', '-e', text],
  python: (text) => ['python3', '-c', text],
}

async function startDocumented(env: Record<string, string>) {
  const gateway = await startGateway({ env: { ...env, ADMIN_API_KEY } })
  onTestFinished(async () => void (await gateway.stop()))
  await expect.poll(() => gateway.output()).toMatch(/Reference: http/)
  const [key = ''] = gateway.output().match(/sk-sluice-[\w-]{48,}/) ?? []
  const list = await (await fetch(`${gateway.baseUrl}/llms.txt`)).text()
  const examples: PageExample[] = []
  for (const [, path = ''] of list.matchAll(/\((\/docs\/[\w-]+)\.md\)/g))
    examples.push(...examplesOf(await (await fetch(`${gateway.baseUrl}${path}`)).text()))
  return {
    baseUrl: gateway.baseUrl,
    key,
    examples,
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
  const forClients = examples.filter(({ texts }) => !/\/admin\/v1\//.test(texts.curl))
  expect(forClients.length).toBeGreaterThan(15)
  for (const language of LANGUAGES) {
    const answers: Record<string, string> = {}
    const own: Record<string, string> = { req_019a2b3c: requestId }
    for (const { id, texts } of forClients) {
      // Each example has its own video, because some examples delete it.
      if (/video_019a2b3c|cgt-019a2b3c/.test(texts[language])) {
        const made = await fetch(`${baseUrl}/v1/videos`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', ...asClient },
          body: JSON.stringify({ model: 'vendorA/gen-2.0', prompt: 'a boat' }),
        })
        const { id: video } = (await made.json()) as { id: string }
        own.video_019a2b3c = video
        own['cgt-019a2b3c'] = video.replace('video_', 'cgt-')
      }
      answers[id] = await statusOf(withOwn(texts[language], own), language, shell)
    }
    expect(answers, language).toEqual({
      ...Object.fromEntries(forClients.map(({ id }) => [id, '200'])),
      findProvenance: '404', // VERIFY_PAGE is off.
      getContent: '409', // The task has not ended.
      getProvenance: '409',
      getTaskReceipt: '409',
      getVideoContent: '409',
      openMediaLink: '404', // No file is kept.
      resendCallback: '404', // No task has a callback.
      remixVideo: '400', // No model here can do it.
    })
  }
})

function withOwn(text: string, own: Record<string, string>): string {
  return Object.entries(own).reduce((filled, [sample, id]) => filled.replaceAll(sample, id), text)
}

/** Examples that can do nothing in this store, and the status that they get. */
const NOTHING_TO_DO = {
  adminCancelTask: '400', // The task has ended.
  adminFillDemo: '400', // There are customers.
  adminRemoveDemo: '404', // There is no demo.
  adminErasePerson: '404', // The group is not of a person.
  adminGetSession: '401', // Only a browser has a session.
  adminResumeTask: '404', // The task was not set aside.
  adminListVendorModels: '502', // The sandbox lists none.
  adminShowRequestBody: '404', // Bodies are not recorded.
  adminTestEvent: '400', // EVENTS_URL is not set.
  adminResendEvent: '404', // No event has happened.
}

/** A stored provider takes the sandbox away, which the other examples need; `test/api/admin/providers.test.ts` runs them. */
const CHANGES_PROVIDERS = new Set(['adminAddProvider', 'adminUpdateProvider', 'adminRemoveProvider'])

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

  // The endless stream has its own test.
  const shown = examples.filter(
    ({ id, texts }) => /\/admin\/v1\/(?!live)/.test(texts.curl) && !CHANGES_PROVIDERS.has(id),
  )
  // An erased organization refuses changes, so the examples that erase come last.
  const forOperators = [
    ...shown.filter(({ id }) => !isErasing(id)),
    ...shown.filter(({ id }) => isErasing(id)),
  ]
  expect(forOperators.length).toBeGreaterThan(55)
  // A change is made once: the other languages run only what reads.
  const isReading = ({ id }: PageExample) => /^admin(Get|List)/.test(id)
  const rounds = [
    ...LANGUAGES.slice(1).map((language) => ({ language, examples: forOperators.filter(isReading) })),
    { language: 'curl' as const, examples: forOperators },
  ]
  for (const { language, examples: round } of rounds) {
    const answers: Record<string, string> = {}
    for (const { id, texts } of round) {
      const [, noun = ''] = /\/admin\/v1\/(\w+)/.exec(texts.curl) ?? []
      const withId = texts[language].replace(/^((?:const )?id ?= ?["']?)[\w-]+/im, `$1${ids[noun] ?? ''}`)
      const pasted = Object.entries(own).reduce((text, [from, to]) => text.replaceAll(from, to), withId)
      answers[id] = await statusOf(pasted, language, shell)
    }
    const expected = { ...Object.fromEntries(round.map(({ id }) => [id, '200'])), ...NOTHING_TO_DO }
    expect(answers, language).toEqual(
      Object.fromEntries(Object.entries(expected).filter(([id]) => id in answers)),
    )
  }
})

function isErasing(operation: string): boolean {
  return operation.startsWith('adminErase')
}
