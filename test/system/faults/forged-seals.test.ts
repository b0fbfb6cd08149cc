import { createServer, get } from 'node:http'
import { text as textOf } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { assetClientOf, visit } from '../../api/assets/call-assets.ts'
import { startTextApi, type TextApi } from '../../api/text/start-text-api.ts'
import { clientOf, TASKS_PATH, textBody } from '../../api/video/call-api.ts'
import { startVideoApi, type VideoApi } from '../../api/video/start-video-api.ts'
import { reportFigure, roundsOf } from '../../random/fault-run.ts'
import { seedOfRun } from '../../random/seed-of-run.ts'
import { type SeededRandom, seededRandom } from '../../random/seeded-random.ts'

/** A kind of token that the gateway issues and later accepts. */
interface TokenKind {
  /** Two real tokens, of different tenants if a token belongs to a tenant. */
  real: readonly [string, string]
  /** Status of a refusal, and the words in it. */
  refused: { status: number; words: string }
  send(presented: string): Promise<{ status: number; text: string }>
}

const FORGED = roundsOf({ slice: 2_000, whole: 10_000 })
const LANES = 6

/** Gateway for notices and keys. */
let gateway: TextApi
/** Gateway for returns, consents, quotes and cursors. */
let api: VideoApi
const reported: string[] = []
const vendorsNotices = createServer((request, response) => {
  reported.push(request.url ?? '')
  response.end('{}')
})
beforeAll(async () => {
  await new Promise<void>((resolve) => void vendorsNotices.listen(0, '127.0.0.1', resolve))
  const address = vendorsNotices.address()
  const port = address === null || typeof address === 'string' ? 0 : address.port
  const environment = {
    VIDEO_WEBHOOK_BASE_URL: `http://127.0.0.1:${port}`,
    VIDEO_SWEEP_INTERVAL_MS: '3600000',
  }
  ;[gateway, api] = await Promise.all([startTextApi({ environment }), startVideoApi()])
})
afterAll(async () => {
  await Promise.all([gateway.close(), api.close()])
  vendorsNotices.closeAllConnections()
  vendorsNotices.close()
})

test(`${FORGED} forged notices, returns, consents, quotes, cursors and keys: none is accepted`, {
  timeout: 900_000,
}, async () => {
  const random = seededRandom(seedOfRun())
  const { ids, tokens } = await openTasks()
  const kinds = { notice: noticeKind(tokens), ...(await otherKinds()) }
  const before = await wealth()
  const all = Object.values(kinds).flatMap(({ real }) => real)
  const counts: Record<string, number> = {}
  const surprises: string[] = []
  for (const [kind, { real, refused, send }] of Object.entries(kinds)) {
    const forged = Array.from({ length: Math.ceil(FORGED / Object.keys(kinds).length) }, () =>
      forge(real, all, random),
    )
    counts[kind] = forged.length
    const runLane = async () => {
      for (let one = forged.pop(); one !== undefined; one = forged.pop()) {
        const { status, text } = await send(one)
        if (status !== refused.status || !text.includes(refused.words))
          surprises.push(`${kind} ${one}: ${status} ${text.slice(0, 200)}`)
      }
    }
    await Promise.all(Array.from({ length: LANES }, runLane))
  }
  expect(surprises).toEqual([])
  for (const id of ids)
    expect(await gateway.store.tasks.findForOperator(id)).toMatchObject({ status: 'queued' })
  expect(await wealth()).toEqual(before)
  // A real token is accepted, so the refusals above prove something.
  await kinds.notice.send(tokens[0])
  await expect.poll(() => gateway.store.tasks.findForOperator(ids[0])).toMatchObject({ status: 'succeeded' })
  for (const { real, send, refused } of [kinds.consent, kinds.quote, kinds.cursor, kinds.key])
    expect((await send(real[0])).status).not.toBe(refused.status)
  reportFigure(`forged, none believed: ${JSON.stringify(counts)}`)
})

/** Two tasks that have ended at their vendor, whose notices went elsewhere: only a notice tells the gateway. */
async function openTasks(): Promise<{ ids: [string, string]; tokens: [string, string] }> {
  const body = textBody('[instant]', { callback_url: 'https://client.example/a' })
  const tokenOf = async (count: number) => {
    await expect.poll(() => new Set(reported).size).toBe(count)
    return /token=([\w-]+)$/.exec([...new Set(reported)].at(-1) ?? '')?.[1] ?? ''
  }
  const first = await clientOf(gateway, gateway.tenant).make(body)
  const firstToken = await tokenOf(1)
  const second = await clientOf(gateway, await gateway.openTenant()).make(body)
  return { ids: [first, second], tokens: [firstToken, await tokenOf(2)] }
}

function noticeKind(real: [string, string]): TokenKind {
  const body = JSON.stringify({
    id: 'cgt-1',
    status: 'succeeded',
    content: { video_url: 'https://evil.example/' },
  })
  const headers = { 'content-type': 'application/json' }
  return {
    real,
    // Real and forged notices get the same answer: the result is checked afterwards.
    refused: { status: 200, words: '{}' },
    send: (token) =>
      ask(`${gateway.url}/v1/video/result?token=${encodeURIComponent(token)}`, {
        method: 'POST',
        headers,
        body,
      }),
  }
}

async function otherKinds() {
  const stranger = await api.openTenant()
  const { key } = api.tenant
  const authorization = `Bearer ${key}`
  const quoteOf = async (tenant: { key: string }) =>
    String((await clientOf(api, tenant).call('POST', '/v1/video/quotes', { body: textBody() })).body.quote_id)
  const cursorOf = async (tenant: { key: string }) => {
    const client = clientOf(api, tenant)
    await client.make(textBody())
    await client.make(textBody())
    return String((await client.call('GET', `${TASKS_PATH}?limit=1`)).body.next_cursor)
  }
  const consentOf = async (person: number) => {
    const { location } = await visit(await assetClientOf(api, stranger).scan({ person }))
    return lastPartOf(String(new URL(String(location)).searchParams.get('consent_url')))
  }
  const returnOf = async (person: number) =>
    lastPartOf((await assetClientOf(api, stranger).scan({ person })).replace(/\?.*/, ''))
  const sessions = `${api.url}/v1/video/assets/sessions`
  const notMade = { status: 404, words: '<' }
  return {
    return: {
      real: [await returnOf(1), await returnOf(2)],
      refused: notMade,
      send: (state) =>
        ask(`${sessions}/return/${encodeURIComponent(state)}?resultCode=10000`, {
          redirect: 'manual',
          headers: { accept: 'text/html' },
        }),
    },
    consent: {
      real: [await consentOf(3), await consentOf(4)],
      refused: notMade,
      send: (token) => askFromAnywhere(`${sessions}/consent/${encodeURIComponent(token)}`),
    },
    quote: {
      real: [await quoteOf(api.tenant), await quoteOf(stranger)],
      refused: { status: 400, words: 'quote_not_found' },
      send: (quote) =>
        ask(`${api.url}${TASKS_PATH}`, {
          method: 'POST',
          headers: { authorization, 'content-type': 'application/json' },
          body: JSON.stringify(textBody('', { quote_id: quote })),
        }),
    },
    cursor: {
      real: [await cursorOf(api.tenant), await cursorOf(stranger)],
      refused: { status: 400, words: 'invalid_cursor' },
      send: (cursor) =>
        ask(`${api.url}${TASKS_PATH}?cursor=${encodeURIComponent(cursor)}`, { headers: { authorization } }),
    },
    key: {
      real: [gateway.tenant.key, (await gateway.openTenant()).key],
      refused: { status: 401, words: 'invalid_api_key' },
      send: (forged) => ask(`${gateway.url}/v1/models`, { headers: { authorization: `Bearer ${forged}` } }),
    },
  } satisfies Record<string, TokenKind>
}

async function ask(url: string, init: RequestInit): Promise<{ status: number; text: string }> {
  const answer = await fetch(url, init)
  return { status: answer.status, text: await answer.text() }
}

let addresses = 0

/** Each time from another address of this machine: one address may guess only so often in a minute. */
function askFromAnywhere(url: string): Promise<{ status: number; text: string }> {
  addresses += 1
  const localAddress = `127.1.${addresses >> 8}.${addresses & 255}`
  return new Promise((resolve, reject) => {
    get(url, { agent: false, localAddress }, async (answer) =>
      resolve({ status: answer.statusCode ?? 0, text: await textOf(answer) }),
    ).on('error', reject)
  })
}

function lastPartOf(url: string): string {
  return url.slice(url.lastIndexOf('/') + 1)
}

async function wealth() {
  return [await gateway.moneyOf(gateway.tenant), await api.moneyOf(api.tenant)]
}

/** Changes, cuts, lengthens or mixes real tokens, or takes a token of another kind or tenant. */
function forge(real: readonly [string, string], all: readonly string[], random: SeededRandom): string {
  const [own, foreign] = real
  const at = random.integer(0, own.length - 1)
  const letter = () => LETTERS[random.integer(0, LETTERS.length - 1)] ?? 'A'
  const forgeries: readonly [() => string, ...(() => string)[]] = [
    () => own.slice(0, at) + letter() + own.slice(at + 1),
    () => own.slice(0, at) + letter() + letter() + own.slice(at + 2),
    () => own.slice(0, at),
    () => own + letter(),
    () => own.slice(0, at) + foreign.slice(at),
    () => own.replaceAll(/[\w-]/g, (old, place: number) => (place < 10 ? old : letter())),
    () => all[random.integer(0, all.length - 1)] ?? '',
    () => own.toUpperCase(),
    () =>
      `${own.slice(0, at)}${random.pick([' ', '%00', '\u00e9', '..', '/', '=', '+', '.'])}${own.slice(at)}`,
  ]
  const forged = random.pick(forgeries)()
  // Another spelling of the same bytes is no forgery, and an empty text is another address.
  const isReal = real.some((one) => bytesOf(one).equals(bytesOf(forged)))
  return forged.trim() === '' || isReal ? forge(real, all, random) : forged
}

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'

function bytesOf(token: string): Buffer {
  return Buffer.from(token, 'base64url')
}
