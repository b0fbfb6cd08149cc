import type { FastifyInstance, preParsingHookHandler } from 'fastify'
import { Refusal } from '../domain/errors.ts'
import { parseJson } from './parse-json.ts'
import { announcedBytes, announcesBody, inviteBody } from './request-body.ts'

const JSON_TYPE = /^application\/json\s*(?:;|$)/i
const CHARSET = /;\s*charset\s*=\s*"?([^";\s]*)/i
const UTF_8 = /^utf-?8$/i

/** The only way a body becomes a value. What it is sent as was checked by `expectJson` before. */
export function parseJsonBodies(server: FastifyInstance): void {
  server.removeAllContentTypeParsers()
  server.addContentTypeParser('*', { parseAs: 'buffer' }, (request, bytes: Buffer, done) => {
    const { nul = 'refuse', keepsBytes } = request.routeOptions.config
    let value: unknown
    try {
      value = parseJson(bytes, { nul })
      if (keepsBytes) request.bodyBytes = bytes
    } catch (refusal) {
      return done(refusal instanceof Error ? refusal : new Error('unknown', { cause: refusal }))
    }
    done(null, value)
  })
}

/** For operations with a body: refuses by the headers alone what need not be read. */
export const expectJson: preParsingHookHandler = (request, reply, payload, done) => {
  const { raw } = request
  if (!announcesBody(raw)) return done(new Refusal('invalid_json'))
  if (announcedBytes(raw) > request.routeOptions.bodyLimit) return done(new Refusal('body_too_large'))
  if (!isPlainJson(raw.headers['content-type'], raw.headers['content-encoding'])) {
    return done(new Refusal('unsupported_media_type'))
  }
  inviteBody(request, reply)
  done(null, payload)
}

/** A body without a type is taken for JSON: plain clients forget the header, and we read nothing else. */
function isPlainJson(type: string | undefined, encoding: string | undefined): boolean {
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') return false
  if (type === undefined) return true
  return JSON_TYPE.test(type) && UTF_8.test(CHARSET.exec(type)?.[1] ?? 'utf-8')
}
