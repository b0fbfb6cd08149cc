import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { MediaStore } from '../../../src/ports/media-store.ts'
import { hashOf, startS3 } from './s3-stand-in.ts'

const folder = mkdtempSync(join(tmpdir(), 'sluice-s3-'))
const path = join(folder, 'clip')
const BYTES = Buffer.from('a film of sixty-four bytes, or nearly so, for the S3 stand-in ..')
const sha256 = hashOf(BYTES)
const signal = new AbortController().signal
let server: Awaited<ReturnType<typeof startS3>>
let s3: MediaStore

beforeAll(async () => {
  writeFileSync(path, BYTES)
  server = await startS3()
  s3 = server.store
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
  expect(server.heads[0]).toMatchObject({
    'content-length': String(BYTES.length),
    'x-amz-content-sha256': sha256,
    'x-amz-date': '20300102T030405Z',
    authorization: expect.stringMatching(
      /^AWS4-HMAC-SHA256 Credential=AKIA\/20300102\/eu-1\/s3\/aws4_request, SignedHeaders=host;x-amz-content-sha256;x-amz-date, Signature=[\da-f]{64}$/,
    ),
  })
  expect([...server.objects.keys()][0]).toBe('kept/org_1/clip_1/1.mp4')
  expect(await read('org_1/clip_1/1.mp4')).toBe(BYTES.toString())
  expect(await read('org_1/clip_1/1.mp4', { from: 2, to: 5 })).toBe('film')
  expect(await read('org_1/clip_9/1.mp4')).toBeUndefined()
  expect(await keys()).toEqual(['org_1/clip_1/1.mp4', 'org_1/clip_1/2.mp4', 'org_1/clip_10/1.mp4'])
  await s3.remove('org_1/clip_1/')
  expect(await keys()).toEqual(['org_1/clip_10/1.mp4'])
})

test('calls reject with the status of a service that refuses them', async () => {
  server.state.status = 503
  await expect(put('org_1/clip_2/1.mp4')).rejects.toThrow('the S3 service answered PUT with 503')
  await expect(read('org_1/clip_10/1.mp4')).rejects.toThrow('answered GET with 503')
  await expect(s3.remove('org_1/')).rejects.toThrow('answered list with 503')
  server.state.status = 200
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
