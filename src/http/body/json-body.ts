import { isUtf8 } from 'node:buffer'
import { LIGHT_BYTES_MAX, LIGHT_VALUES_MAX, parseJson, parseWithin } from '@sluice/dialects/json/parse-json'
import type { BodyLog } from '../../app/requests/record-bodies.ts'
import { COSTLY_BYTES } from '../../app/waiting/body-turns.ts'
import type { Caller } from '../../domain/access/api-key.ts'
import { ApiError } from '../../domain/api-error.ts'
import type { BodyTurns } from '../../ports/body-turns.ts'
import type { EdgeReply } from '../edge-reply.ts'
import type { EdgeRequest } from '../edge-request.ts'
import type { Operation } from '../operation.ts'
import type { RawRequest } from '../raw.ts'
import { LOGGED } from '../server/refusals-of.ts'
import type { Step } from '../step.ts'
import type { BodyGauge } from './body-gauge.ts'
import type { BodyWatch } from './body-rate.ts'
import { isFormType, readForm } from './form-body.ts'
import { dropBody } from './ignore-body.ts'
import { announcedBytes, announcesBody, sendContinue, weightOf } from './request-body.ts'

const JSON_TYPE = /^application\/json\s*(?:;|$)/i
const CHARSET = /;\s*charset\s*=\s*"?([^";\s]*)/i
const UTF_8 = /^utf-?8$/i

/** Bodies up to this size are not counted as held: the limit of requests in flight bounds them. */
export const SMALL_BYTES = 16 * 1024

type ParsingRules = Pick<
  NonNullable<Operation['body']>,
  'nul' | 'keepsBytes' | 'passesOn' | 'takesTurns' | 'formBytesMax'
>

type BodyRules = ParsingRules & {
  limitBytes: number
  /** When it returns false, the body is dropped and the request refused. */
  isWanted?: (request: EdgeRequest) => boolean
}

interface BodyParts extends ParsingParts {
  watch: BodyWatch
  bodies: BodyGauge
}

interface ParsingParts {
  turns: BodyTurns
  /** Left out: no bodies are recorded. */
  bodyLog?: Pick<BodyLog, 'begin'> | undefined
}

/** Last step of operations with a body. Does not read a body that its headers or a limit forbid. */
export function takeJson({ limitBytes, isWanted, ...rules }: BodyRules, parts: BodyParts): Step {
  const parse = parseInTurn(rules, parts)

  return (request, reply, done) => {
    const { raw } = request
    const isForm = rules.formBytesMax !== undefined && isFormType(raw.headers['content-type'])
    const bytesMax = isForm ? (rules.formBytesMax ?? 0) : limitBytes
    const errorBefore = errorOfHead(raw, { bytesMax, isForm })
    if (errorBefore !== undefined) return done(errorBefore)
    if (isWanted?.(request) === false) {
      dropBody(request, reply, { watch: parts.watch, bytesMax }, (dropped) => {
        done(dropped === 'too-slow' ? new ApiError('request_timeout') : new ApiError('invalid_json'))
      })
      return
    }
    const apiError = holdBytes(request, reply, announcedBytes(raw))
    if (apiError !== undefined) return done(apiError)
    sendContinue(request, reply)
    readWhole(request, reply, bytesMax, (read) => {
      if (read instanceof ApiError) {
        if (read.code === 'request_timeout') reply.raw.shouldKeepAlive = false
        return done(read)
      }
      parse(read, request, reply, done)
    })
  }

  /** Counts bytes as held; `requestCounter` releases them when the response has ended. */
  function holdBytes(request: EdgeRequest, reply: EdgeReply, bytes: number): ApiError | undefined {
    const more = bytes - request.heldBytes
    if (bytes <= SMALL_BYTES || more <= 0) return undefined
    // The request was answered already, or its client has left: its bytes were released.
    if (reply.raw.destroyed) return new ApiError('malformed_request')
    const apiError = parts.bodies.take(holderOf(request), more)
    if (apiError === undefined) request.heldBytes += more
    return apiError
  }

  /** Reports the whole body or an error, once. Sending the error drops the rest of the body. */
  function readWhole(
    request: EdgeRequest,
    reply: EdgeReply,
    bytesMax: number,
    report: (read: Buffer | ApiError) => void,
  ): void {
    const { raw } = request
    const here = raw.takeWhole?.()
    if (here !== undefined) {
      report(
        here.length > bytesMax
          ? new ApiError('body_too_large')
          : (holdBytes(request, reply, weightOf(here)) ?? here),
      )
      return
    }
    const announced = announcedBytes(raw)
    let whole: Buffer | undefined
    let bytes = 0
    let weight = 0
    let isOver = false
    const end = (read: Buffer | ApiError) => {
      if (isOver) return
      isOver = true
      endWatch()
      report(read)
    }
    const endWatch = parts.watch.begin(
      () => bytes,
      () => end(new ApiError('request_timeout')),
    )
    raw.on('data', (chunk, tinyChunks) => {
      if (isOver) return
      parts.turns.book.begin(holderOf(request))
      const start = bytes
      bytes += chunk.length
      weight += weightOf(chunk, tinyChunks)
      if (bytes > bytesMax) return end(new ApiError('body_too_large'))
      const apiError = holdBytes(request, reply, weight)
      if (apiError !== undefined) return end(apiError)
      // Most bodies arrive in one chunk, which is used without a copy.
      if (start === 0 && chunk.length >= announced) {
        whole = chunk
        return
      }
      // Other chunks are copied: a chunk of one byte would keep its whole packet in memory.
      if (whole === undefined || whole.length < bytes)
        whole = enlarged(whole, start, Math.max(announced, 2 * bytes))
      chunk.copy(whole, start)
    })
    raw.on('end', () => {
      const read = whole?.length === bytes ? whole : Buffer.from(whole?.subarray(0, bytes) ?? '')
      // The listeners live as long as the request, and would keep the bytes in memory.
      whole = undefined
      end(read)
    })
    raw.on('error', (cause) => end(new ApiError('malformed_request', { cause })))
  }
}

function enlarged(whole: Buffer | undefined, bytes: number, size: number): Buffer {
  const larger = Buffer.allocUnsafeSlow(size)
  whole?.copy(larger, 0, 0, bytes)
  return larger
}

/** Parses a whole body. A costly one waits for a turn of its organization, unless another thread parses it. */
export function parseInTurn(
  {
    passesOn: isText,
    nul = isText ? 'pass' : 'refuse',
    keepsBytes = isText,
    takesTurns,
    formBytesMax,
  }: ParsingRules,
  { turns, bodyLog }: ParsingParts,
): (read: Buffer, ...step: Parameters<Step>) => void {
  return (read, request, reply, done) => {
    const isCostly = takesTurns === true || read.length > COSTLY_BYTES
    if (isHeavy(read) || !isCostly) takeBody(request, read, done)
    else
      turns.take(holderOf(request), () => {
        if (reply.raw.destroyed) done(new ApiError('malformed_request'))
        else takeBody(request, read, done)
        return true
      })
  }

  function takeBody(request: EdgeRequest, read: Buffer, done: Parameters<Step>[2]): void {
    try {
      parseBody(request, read)
    } catch (thrown) {
      done(thrown instanceof Error ? thrown : new Error('unknown', { cause: thrown }))
      return
    }
    done()
  }

  function isHeavy(read: Buffer): boolean {
    return isText === true && read.length > LIGHT_BYTES_MAX
  }

  /** A text body with too many bytes or values is not parsed here: another thread parses its bytes. */
  function parseBody(request: EdgeRequest, sent: Buffer): void {
    const type = formBytesMax === undefined ? undefined : request.raw.headers['content-type']
    const form = isFormType(type) ? readForm(sent, type) : undefined
    const read = form?.json ?? sent
    request.formFiles = form?.files
    if (keepsBytes) request.bodyBytes = read
    const { id: requestId, caller, operationId = '' } = request
    if (caller?.recordBodies !== undefined && LOGGED[operationId] !== undefined)
      request.recording = bodyLog?.begin({ requestId, caller, body: read })
    request.isHeavy = isHeavy(read)
    if (request.isHeavy) return
    if (!isUtf8(read)) throw new ApiError('invalid_json')
    const rules = { nul, valuesMax: LIGHT_VALUES_MAX, membersOnce: isText === true }
    if (!isText) {
      request.body = parseJson(read, rules)
      return
    }
    const parsed = parseWithin(read, rules)
    if (parsed === undefined) request.isHeavy = true
    else request.body = parsed.value
  }
}

function errorOfHead(
  raw: RawRequest,
  { bytesMax, isForm }: { bytesMax: number; isForm: boolean },
): ApiError | undefined {
  if (!announcesBody(raw)) return new ApiError('invalid_json')
  if (announcedBytes(raw) > bytesMax) return new ApiError('body_too_large')
  const { 'content-type': type, 'content-encoding': encoding = 'identity' } = raw.headers
  const isKnown = isForm || isPlainJson(type)
  return isKnown && encoding.toLowerCase() === 'identity' ? undefined : new ApiError('unsupported_media_type')
}

/** A body without a type counts as JSON: simple clients forget the header. */
function isPlainJson(type: string | undefined): boolean {
  if (type === undefined || type === 'application/json') return true
  return JSON_TYPE.test(type) && UTF_8.test(CHARSET.exec(type)?.[1] ?? 'utf-8')
}

/** Bodies without an organization share one limit. */
export function holderOf(request: EdgeRequest): string {
  const caller: Caller | undefined = request.caller
  return caller?.organizationId ?? ''
}
