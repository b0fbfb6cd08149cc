import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createS3Store } from '../../../src/adapters/media/s3-store.ts'
import { createGuardedClient } from '../../../src/adapters/outbound/guarded-client.ts'
import type { MediaStore } from '../../../src/ports/media-store.ts'
import { SILENT_METRICS } from '../../silent-metrics.ts'

const folder = mkdtempSync(join(tmpdir(), 'sluice-s3-'))
const path = join(folder, 'clip')
const BYTES = Buffer.from('a film of sixty-four bytes, or nearly so, for the S3 stand-in ..')
const sha256 = createHash('sha256').update(BYTES).digest('hex')
const objects = new Map<string, Buffer>()
const heads: IncomingMessage['headers'][] = []
const signal = new AbortController().signal
let status = 200
let s3: MediaStore

/** Speaks as much of S3 as the store uses, with pages of two keys. */
const server = createServer(async (request, response) => {
  const { pathname, searchParams } = new URL(request.url ?? '', 'http://s3')
  const pieces: Buffer[] = []
  for await (const piece of request) pieces.push(piece)
  heads.push(request.headers)
  const key = decodeURIComponent(pathname.slice('/base/films/'.length))
  if (status !== 200) return response.writeHead(status).end()
  if (request.method === 'PUT') {
    const body = Buffer.concat(pieces)
    const hash = createHash('sha256').update(body).digest('hex')
    if (hash !== request.headers['x-amz-content-sha256']) return response.writeHead(400).end()
    objects.set(key, body)
    return response.writeHead(200).end()
  }
  if (request.method === 'DELETE') return response.writeHead(objects.delete(key) ? 204 : 404).end()
  if (searchParams.has('list-type')) {
    const all = [...objects.keys()].filter((name) => name.startsWith(searchParams.get('prefix') ?? '')).sort()
    const from = Number(searchParams.get('continuation-token') ?? 0)
    const entries = all
      .slice(from, from + 2)
      .map((name) => `<Contents><Key>${name}</Key><Size>${objects.get(name)?.length}</Size></Contents>`)
    const next = from + 2 < all.length ? `<NextContinuationToken>${from + 2}</NextContinuationToken>` : ''
    return response.writeHead(200).end(`<ListBucketResult>${entries.join('')}${next}</ListBucketResult>`)
  }
  const body = objects.get(key)
  if (body === undefined) return response.writeHead(404).end()
  const [, start, end] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? []
  if (start === undefined) return response.writeHead(200).end(body)
  return response.writeHead(206).end(body.subarray(Number(start), Number(end) + 1))
})

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const endpoint = `http://127.0.0.1:${port}/base`
  writeFileSync(path, BYTES)
  const client = createGuardedClient({
    ...{ allow: [], connections: 8, queueLimit: 8, queueWaitMs: 1_000, connectTimeoutMs: 1_000 },
    metrics: SILENT_METRICS,
    trustOf: (origin) => (origin === new URL(endpoint).origin ? 'any' : undefined),
  })
  const account = { accessKey: 'AKIA', secretKey: 'secret', region: 'eu-1', bucket: 'films', prefix: 'kept/' }
  s3 = createS3Store({ ...account, endpoint }, { client, nowMs: () => Date.UTC(2030, 0, 2, 3, 4, 5) })
})
afterAll(() => {
  server.close()
  rmSync(folder, { recursive: true, force: true })
})

const put = (key: string) =>
  s3.put({ key, path, sha256, bytes: BYTES.length, mediaType: 'video/mp4', signal })

async function read(key: string, range?: { from: number; to: number }): Promise<string | undefined> {
  const body = await s3.open({ key, range, signal })
  if (body === undefined) return undefined
  const pieces: Uint8Array[] = []
  for await (const piece of body) pieces.push(piece)
  return Buffer.concat(pieces).toString()
}

async function keys(): Promise<string[]> {
  const found: string[] = []
  for await (const { key } of s3.list()) found.push(key)
  return found
}

test('a file is put with its hash and a signature, read whole and in ranges, listed in pages and removed', async () => {
  for (const key of ['org_1/clip_1/1.mp4', 'org_1/clip_1/2.mp4', 'org_1/clip_10/1.mp4']) await put(key)
  expect(heads[0]).toMatchObject({
    'content-length': String(BYTES.length),
    'x-amz-content-sha256': sha256,
    'x-amz-date': '20300102T030405Z',
    authorization: expect.stringMatching(
      /^AWS4-HMAC-SHA256 Credential=AKIA\/20300102\/eu-1\/s3\/aws4_request, SignedHeaders=host;x-amz-content-sha256;x-amz-date, Signature=[\da-f]{64}$/,
    ),
  })
  expect([...objects.keys()][0]).toBe('kept/org_1/clip_1/1.mp4')
  expect(await read('org_1/clip_1/1.mp4')).toBe(BYTES.toString())
  expect(await read('org_1/clip_1/1.mp4', { from: 2, to: 5 })).toBe('film')
  expect(await read('org_1/clip_9/1.mp4')).toBeUndefined()
  expect(await keys()).toEqual(['org_1/clip_1/1.mp4', 'org_1/clip_1/2.mp4', 'org_1/clip_10/1.mp4'])
  await s3.remove('org_1/clip_1/')
  expect(await keys()).toEqual(['org_1/clip_10/1.mp4'])
})

test('a service that refuses rejects every call, and the message has no secret', async () => {
  status = 503
  await expect(put('org_1/clip_2/1.mp4')).rejects.toThrow('the S3 service answered PUT with 503')
  await expect(read('org_1/clip_10/1.mp4')).rejects.toThrow('answered GET with 503')
  await expect(s3.remove('org_1/')).rejects.toThrow('answered list with 503')
  status = 200
})

test('one organization that reads nothing leaves connections to the others', async () => {
  const keyOf = (organization: string) => `${organization}/clip_3/1.mp4`
  await put(keyOf('org_1'))
  await put(keyOf('org_2'))
  const ends = new AbortController()
  const stay = { key: keyOf('org_1'), range: undefined, signal: ends.signal }
  const held = [await s3.open(stay), await s3.open(stay)]
  await expect(s3.open(stay)).rejects.toThrow()
  expect(await read(keyOf('org_2'))).toBe(BYTES.toString())
  expect(held).not.toContain(undefined)
  ends.abort()
})
