import { isUtf8 } from 'node:buffer'
import type { IncomingMessage } from 'node:http'
import type { FastifyRequest, onRequestHookHandler } from 'fastify'
import { LIGHT_BYTES_MAX, LIGHT_VALUES_MAX } from '../domain/json/body-bounds.ts'
import { parseJson, parseWithin } from '../domain/json/parse-json.ts'
import { Refusal } from '../domain/refusal.ts'
import type { Operation } from './operation.ts'
import { announcedBytes, announcesBody, inviteBody } from './request-body.ts'

const JSON_TYPE = /^application\/json\s*(?:;|$)/i
const CHARSET = /;\s*charset\s*=\s*"?([^";\s]*)/i
const UTF_8 = /^utf-?8$/i

type BodyRules = Pick<NonNullable<Operation['body']>, 'limitBytes' | 'nul' | 'keepsBytes'>

/**
 * The last hook of operations with a body, and the only way that one becomes a value. What its headers say against it is
 * refused before it is read. Ours and not the framework's, which asks itself anew each time who may parse what.
 */
export function takeJson({ limitBytes, nul = 'refuse', keepsBytes }: BodyRules): onRequestHookHandler {
  return (request, reply, done) => {
    const { raw } = request
    const refusal = refusalOfHead(raw, limitBytes)
    if (refusal !== undefined) return done(refusal)
    inviteBody(request, reply)
    readWhole(raw, limitBytes, (read) => {
      if (read instanceof Refusal) return done(read)
      try {
        takeBody(request, read)
        done()
      } catch (thrown) {
        done(thrown instanceof Error ? thrown : new Error('unknown', { cause: thrown }))
      }
    })
  }

  /** Where the handler wants the bytes, a body that would take long is left to it as they are. */
  function takeBody(request: FastifyRequest, read: Buffer): void {
    if (keepsBytes) request.bodyBytes = read
    request.isHeavy = keepsBytes === true && read.length > LIGHT_BYTES_MAX
    if (request.isHeavy) return
    if (!isUtf8(read)) throw new Refusal('invalid_json')
    const rules = { nul, valuesMax: LIGHT_VALUES_MAX, membersOnce: keepsBytes === true }
    if (!keepsBytes) {
      request.body = parseJson(read, rules)
      return
    }
    const parsed = parseWithin(read, rules)
    if (parsed === undefined) request.isHeavy = true
    else request.body = parsed.value
  }
}

function refusalOfHead(raw: IncomingMessage, limitBytes: number): Refusal | undefined {
  if (!announcesBody(raw)) return new Refusal('invalid_json')
  if (announcedBytes(raw) > limitBytes) return new Refusal('body_too_large')
  if (isPlainJson(raw.headers['content-type'], raw.headers['content-encoding'])) return undefined
  return new Refusal('unsupported_media_type')
}

/** A body without a type is taken for JSON: plain clients forget the header, and we read nothing else. */
function isPlainJson(type: string | undefined, encoding: string | undefined): boolean {
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') return false
  if (type === undefined || type === 'application/json') return true
  return JSON_TYPE.test(type) && UTF_8.test(CHARSET.exec(type)?.[1] ?? 'utf-8')
}

/** Tells once: all of it, or why not. What comes after a refusal is for whoever answers it. */
function readWhole(raw: IncomingMessage, limitBytes: number, tell: (read: Buffer | Refusal) => void): void {
  const chunks: Buffer[] = []
  let bytes = 0
  let isOver = false
  const end = (read: Buffer | Refusal) => {
    if (isOver) return
    isOver = true
    tell(read)
  }
  raw.on('data', (chunk: Buffer) => {
    if (isOver) return
    bytes += chunk.length
    if (bytes > limitBytes) end(new Refusal('body_too_large'))
    else chunks.push(chunk)
  })
  // Most bodies come in one piece, which is then taken as it is.
  raw.on('end', () => end(chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks)))
  // The client hung up half-way through its body: nobody will read the answer.
  raw.on('error', (cause) => end(new Refusal('malformed_request', { cause })))
}
