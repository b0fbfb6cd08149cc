import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { createS3Store } from '../../../src/adapters/media/s3-store.ts'
import { createGuardedClient } from '../../../src/adapters/outbound/guarded-client.ts'
import { SILENT_METRICS } from '../../silent-metrics.ts'

export const S3_FAULTS = {
  'refuses to list': 'LIST',
  'refuses a put': 'PUT',
  'cuts a put': 'PUT',
  'stores nothing': 'PUT',
  'stores a part': 'PUT',
  'stores other bytes': 'PUT',
  'answers a put late, with a false ETag': 'PUT',
  'refuses to read': 'GET',
  'reads a part of what it announces': 'GET',
  'announces too little': 'GET',
  'reads in drops': 'GET',
} as const
export type S3Fault = keyof typeof S3_FAULTS

const LATE_MS = 1_500
export const S3_ACCOUNT = {
  ...{ accessKey: 'AKIA', secretKey: 'secret', region: 'eu-1', bucket: 'films', prefix: 'kept/' },
}

/** Starts a server with the part of S3 that the store uses, and with pages of two keys. */
export async function startS3() {
  const objects = new Map<string, Buffer>()
  const heads: IncomingMessage['headers'][] = []
  const state: { status: number; fault: S3Fault | undefined } = { status: 200, fault: undefined }
  const server = createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://s3')
    const pieces: Buffer[] = []
    const isList = searchParams.has('list-type')
    const fault = takeFault(isList ? 'LIST' : request.method)
    if (fault === 'cuts a put') return request.socket.destroy()
    for await (const piece of request) pieces.push(piece)
    heads.push(request.headers)
    const key = decodeURIComponent(pathname.slice('/base/films/'.length))
    if (fault?.startsWith('refuses')) return response.writeHead(503).end()
    if (state.status !== 200) return response.writeHead(state.status).end()
    if (request.method === 'PUT') {
      const body = Buffer.concat(pieces)
      if (hashOf(body) !== request.headers['x-amz-content-sha256']) return response.writeHead(400).end()
      if (fault === 'stores a part') objects.set(key, body.subarray(0, body.length / 2))
      else if (fault === 'stores other bytes') objects.set(key, Buffer.from(body).fill(0, 9, 99))
      else if (fault !== 'stores nothing') objects.set(key, body)
      if (fault !== undefined) await delay(LATE_MS)
      return response.writeHead(200, { etag: '"false"' }).end()
    }
    if (request.method === 'DELETE') return response.writeHead(objects.delete(key) ? 204 : 404).end()
    if (isList) return response.writeHead(200).end(pageOf(searchParams))
    const body = objects.get(key)
    if (body === undefined) return response.writeHead(404).end()
    if (fault === 'reads in drops') {
      response.writeHead(200, { 'content-length': body.length })
      for (let at = 0; at < body.length; at += Math.ceil(body.length / 5)) {
        response.write(body.subarray(at, at + Math.ceil(body.length / 5)))
        await delay(LATE_MS / 5)
      }
      return response.end()
    }
    if (fault === 'announces too little') return response.writeHead(200).end(body.subarray(0, 999))
    if (fault !== undefined) {
      response.writeHead(200, { 'content-length': body.length })
      return response.write(body.subarray(0, 999), () => request.socket.destroy())
    }
    const [, start, end] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? []
    if (start === undefined) return response.writeHead(200).end(body)
    return response.writeHead(206).end(body.subarray(Number(start), Number(end) + 1))
  })

  function takeFault(call: string | undefined): S3Fault | undefined {
    const { fault } = state
    if (fault === undefined || S3_FAULTS[fault] !== call) return undefined
    state.fault = undefined
    return fault
  }

  function pageOf(query: URLSearchParams): string {
    const all = [...objects.keys()].filter((name) => name.startsWith(query.get('prefix') ?? '')).sort()
    const from = Number(query.get('continuation-token') ?? 0)
    const entries = all
      .slice(from, from + 2)
      .map((name) => `<Contents><Key>${name}</Key><Size>${objects.get(name)?.length}</Size></Contents>`)
    const next = from + 2 < all.length ? `<NextContinuationToken>${from + 2}</NextContinuationToken>` : ''
    return `<ListBucketResult>${entries.join('')}${next}</ListBucketResult>`
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}/base`
  const client = createGuardedClient({
    ...{ allow: [], connections: 8, queueLimit: 8, queueWaitMs: 1_000, connectTimeoutMs: 1_000 },
    metrics: SILENT_METRICS,
    trustOf: (origin) => (origin === new URL(endpoint).origin ? 'any' : undefined),
  })
  const nowMs = () => Date.UTC(2030, 0, 2, 3, 4, 5)
  const store = createS3Store({ ...S3_ACCOUNT, endpoint }, { client, nowMs })
  return { endpoint, objects, heads, state, store, close: () => server.close() }
}

export function hashOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}
