import { open } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import type { MediaStore, StoredFile } from '../../ports/media-store.ts'
import type { GuardedClient } from '../outbound/guarded-client.ts'
import {
  basicTime,
  canonicalQuery,
  encodeStrictly,
  type Signer,
  sha256Hex,
  signRequest,
} from '../outbound/sign-request.ts'
import type { StreamedAnswer } from '../outbound/streamed-answer.ts'

const SCHEME = { algorithm: 'AWS4-HMAC-SHA256', keyStart: 'AWS4', scopeEnd: 'aws4_request' }
/** Limit of one call, from the name look-up to the last byte. */
const TOTAL_MS = 10 * 60_000
/** Pause of a reader after which the transfer is cut. The reader can request the rest with a range. */
const PAUSE_MS_MAX = 30_000
const EMPTY_HASH = sha256Hex('')
/** Limit of a page of a list, which has at most 1,000 keys. */
const PAGE_BYTES_MAX = 4_000_000

interface S3Call {
  method: 'GET' | 'PUT' | 'DELETE'
  /** Left out: the bucket itself. */
  key?: string
  query?: Readonly<Record<string, string>>
  headers?: Record<string, string>
  body?: Readable
  bodyHash?: string
  signal?: AbortSignal
}

/** Keeps files in a bucket, with path-style addresses: the name of the bucket is in the path, not in the host. */
export function createS3Store(
  settings: Omit<Signer, 'service'> & { endpoint: string; bucket: string; prefix: string },
  { client, nowMs }: { client: Pick<GuardedClient, 'open'>; nowMs: () => number },
): MediaStore {
  const { endpoint, bucket, prefix } = settings
  const { host, pathname, origin } = new URL(endpoint)
  const base = `${pathname.replace(/\/+$/, '')}/${encodeStrictly(bucket)}`

  async function call({ method, key, query = {}, body, bodyHash = EMPTY_HASH, ...rest }: S3Call) {
    const names = key === undefined ? [] : (prefix + key).split('/').map(encodeStrictly)
    const path = [base, ...names].join('/')
    const moment = basicTime(nowMs())
    const headers = [
      ['host', host],
      ['x-amz-content-sha256', bodyHash],
      ['x-amz-date', moment],
    ] as const
    const signer = { ...settings, service: 's3' }
    const authorization = signRequest({ method, path, query, headers, bodyHash, moment }, signer, SCHEME)
    const search = canonicalQuery(query)
    return client.open({
      operation: 'media_store',
      // A key begins with its organization's id: slow readers of one organization must not hold every connection.
      holder: key?.split('/', 1)[0] ?? 'media_store',
      method,
      url: `${origin}${path}${search === '' ? '' : `?${search}`}`,
      headers: { ...rest.headers, ...Object.fromEntries(headers), authorization },
      ...(body !== undefined && { body }),
      ...(rest.signal !== undefined && { signal: rest.signal }),
      totalTimeoutMs: TOTAL_MS,
      pauseMsMax: PAUSE_MS_MAX,
    })
  }

  /** Sends a call, and discards the content of its answer. */
  async function send(request: S3Call): Promise<void> {
    const answer = await call(request)
    answer.body.destroy()
    // To delete a file that does not exist is not a failure.
    if (answer.status >= 300 && !(request.method === 'DELETE' && answer.status === 404))
      throw failureOf(request.method, answer)
  }

  async function* listFrom(start: string): AsyncGenerator<StoredFile> {
    let token: string | undefined
    do {
      const query = {
        'list-type': '2',
        prefix: prefix + start,
        ...(token !== undefined && { 'continuation-token': token }),
      }
      const answer = await call({ method: 'GET', query })
      if (answer.status !== 200) throw dropped(answer, 'list')
      const xml = await textOf(answer.body)
      for (const [, entry = ''] of xml.matchAll(/<Contents>(.*?)<\/Contents>/gs)) {
        const key = elementOf(entry, 'Key') ?? ''
        if (key.startsWith(prefix))
          yield { key: key.slice(prefix.length), bytes: Number(elementOf(entry, 'Size')) }
      }
      token = elementOf(xml, 'NextContinuationToken')
    } while (token !== undefined && token !== '')
  }

  return {
    async put({ key, path, bytes, sha256, mediaType, signal }) {
      // A stream that opens the file itself could fail after the call, with no listener left for its error.
      await using file = await open(path)
      await send({
        method: 'PUT',
        key,
        headers: { 'content-length': String(bytes), 'content-type': mediaType },
        body: file.createReadStream(),
        bodyHash: sha256,
        signal,
      })
    },
    async open({ key, range, signal }) {
      const headers: Record<string, string> =
        range === undefined ? {} : { range: `bytes=${range.from}-${range.to}` }
      const answer = await call({ method: 'GET', key, headers, signal })
      if (answer.status === (range === undefined ? 200 : 206)) return answer.body
      const failure = dropped(answer, 'GET')
      if (answer.status === 404) return undefined
      throw failure
    },
    async remove(start) {
      for await (const { key } of listFrom(start)) await send({ method: 'DELETE', key })
    },
    list: () => listFrom(''),
  }
}

function dropped(answer: StreamedAnswer, action: string): Error {
  answer.body.destroy()
  return failureOf(action, answer)
}

function failureOf(action: string, { status }: StreamedAnswer): Error {
  return new Error(`the S3 service answered ${action} with ${status}`)
}

async function textOf(body: Readable): Promise<string> {
  const pieces: Buffer[] = []
  let bytes = 0
  for await (const piece of body) {
    bytes += piece.length
    if (bytes > PAGE_BYTES_MAX) throw new Error('the S3 service sent a list that is too long')
    pieces.push(piece)
  }
  return Buffer.concat(pieces).toString()
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

function elementOf(xml: string, name: string): string | undefined {
  const text = new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml)?.[1]
  return text?.replace(/&(\w+);/g, (whole, entity: string) => ENTITIES[entity] ?? whole)
}
