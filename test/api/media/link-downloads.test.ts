import { once } from 'node:events'
import { type ClientRequest, get, type IncomingMessage, request } from 'node:http'
import { Readable } from 'node:stream'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createSecrets } from '../../../src/adapters/system/secrets.ts'
import { makeMediaToken } from '../../../src/app/media/own-links.ts'
import { findContent } from '../../../src/app/video/find-content.ts'
import { memoryApp } from '../http-edge/memory-app.ts'
import { type Edge, startEdge } from '../http-edge/start-edge.ts'

const SECRETS = createSecrets('a secret of the tests, long enough to be one')
const NOW_MS = 1_700_000_000_000
const BYTES = 4
const FACTS = { bytes: BYTES, mediaType: 'video/mp4', sha256: 'a' }
const OWNERS = { ['a'.repeat(32)]: 'org_many', ['b'.repeat(32)]: 'org_other' }

/** Files that are open. */
const files = new Set<Readable>()

/** The first byte of a file; the test sends the rest. */
function slowFile(): Readable {
  const file = new Readable({ read() {} })
  file.push('1')
  files.add(file.on('close', () => files.delete(file)))
  return file
}

let edge: Edge
beforeAll(async () => {
  const found = findContent({
    ...{ secrets: SECRETS, clock: { nowMs: () => NOW_MS, monotonicMs: () => 0 } },
    clips: {
      find: async (id: string) => {
        const organizationId = OWNERS[id.slice('clip_'.length)]
        return { organizationId, state: 'kept', keptUntilMs: NOW_MS * 2, storeKey: 'key', facts: FACTS }
      },
    },
    media: { open: async () => slowFile() },
  } as never)
  edge = await startEdge({ app: memoryApp({ findContent: found }) })
})
afterAll(() => edge.close())

const linkOf = (name: string) =>
  `${edge.url}/v1/media/${makeMediaToken({ id: `clip_${name.repeat(32)}`, untilMs: NOW_MS + 60_000 }, SECRETS)}`

/** An answer whose body is not read. */
async function open(
  name: string,
  { method = 'GET', headers = {} }: { method?: string; headers?: Record<string, string> } = {},
): Promise<{ status: number; asked: ClientRequest; answer: IncomingMessage }> {
  const asked = (method === 'GET' ? get : request)(linkOf(name), { agent: false, method, headers }).end()
  asked.on('error', () => {})
  const [answer]: [IncomingMessage] = Object(await once(asked, 'response'))
  answer.on('error', () => {})
  return { status: answer.statusCode ?? 0, asked, answer }
}

async function statusNow(name: string, headers: Record<string, string> = {}): Promise<number> {
  const { status, asked } = await open(name, { headers })
  asked.destroy()
  return status
}

test('429: the 129th open download by links to the files of one organization', async () => {
  const range = { range: 'bytes=0-3' }
  const downloads = await Promise.all(
    Array.from({ length: 128 }, (_, at) => open('a', { headers: at % 2 === 0 ? range : {} })),
  )
  expect(downloads.map(({ status }) => status)).toEqual(downloads.map((_, at) => (at % 2 === 0 ? 206 : 200)))
  expect(files.size).toBe(128)
  const refused = await open('a')
  const body = JSON.parse(String(await refused.answer.toArray().then((chunks) => Buffer.concat(chunks))))
  expect(refused.answer).toMatchObject({ statusCode: 429, headers: { 'retry-after': '1' } })
  expect(body.error).toMatchObject({
    code: 'rate_limit_exceeded',
    message: expect.stringMatching(/downloads/),
  })
  expect(await statusNow('a', range)).toBe(429)
  expect(files.size).toBe(128)

  // Neither opens a file.
  expect((await open('a', { method: 'HEAD' })).status).toBe(200)
  expect(await statusNow('a', { 'if-none-match': '"a"' })).toBe(304)
  expect(await statusNow('b')).toBe(200)

  downloads[0]?.asked.destroy()
  downloads[1]?.asked.destroy()
  await expect.poll(() => files.size).toBe(126)
  const [third, fourth] = [await open('a'), await open('a', { headers: range })]
  expect([third.status, fourth.status, await statusNow('a')]).toEqual([200, 206, 429])

  const rest = [...downloads.slice(2), third, fourth]
  const wholes = rest.map(({ answer }) => answer.toArray())
  for (const file of files) {
    file.push('234')
    file.push(null)
  }
  for (const chunks of await Promise.all(wholes)) expect(Buffer.concat(chunks).toString()).toBe('1234')
  await expect.poll(() => files.size).toBe(0)
  const again = await Promise.all(Array.from({ length: 128 }, () => open('a')))
  expect(new Set(again.map(({ status }) => status))).toEqual(new Set([200]))
  expect(await statusNow('a')).toBe(429)
  for (const { asked } of again) asked.destroy()
  await expect.poll(() => files.size).toBe(0)
})

test('a range outside the file frees its slot with its answer', async () => {
  for (let at = 0; at < 130; at += 1) expect(await statusNow('b', { range: 'bytes=9-' })).toBe(416)
})
