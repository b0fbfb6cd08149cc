import type { IncomingHttpHeaders } from 'node:http'
import type { TextShape } from '@sluice/dialects/body/read-facts'
import { CLIENT_DIALECTS } from '@sluice/dialects/dialects'
import { isJsonObject } from '@sluice/dialects/json/json-object'
import { findModel } from '@sluice/dialects/passthrough/find-model'
import { EVENT_CHANGES, isWarmUpEvent } from '@sluice/dialects/responses/socket/create-event'
import type { App } from '../../app/app.ts'
import { LightBody } from '../../app/text/contract/light-body.ts'
import type { TextBody } from '../../app/text/contract/text-body.ts'
import type { TextCommand } from '../../app/text/contract/text-command.ts'
import { ApiError, invalidParameter } from '../../domain/api-error.ts'
import { problemOfUrl } from '../../domain/parse-https-url.ts'
import type { EdgeReply } from '../edge-reply.ts'
import type { EdgeRequest } from '../edge-request.ts'
import { closedSignal } from '../server/closed-signal.ts'
import { readIdempotencyKey } from './read-idempotency-key.ts'

interface TextWords extends TextShape {
  version: string | undefined
  betas: string | string[] | undefined
}

/** Reads the parts that all text requests share. Returns a promise only for a body on another thread. */
export function readTextCommand(
  request: EdgeRequest,
  { endpoint, operation, version, betas }: TextWords,
  { app, reply }: { app: App; reply: EdgeReply },
): TextCommand | Promise<TextCommand> {
  const { body, bodyBytes: bytes, caller, headers } = request
  const command = {
    endpoint,
    ...(operation === 'compact' ? { operation } : {}),
    requestId: request.id,
    caller,
    version,
    betas: typeof betas === 'object' ? betas.join(',') : betas,
    isStrict: readSwitch(headers, STRICT_HEADER),
    wantsCost: readSwitch(headers, COST_SWITCH_HEADER),
    idempotencyKey: readIdempotencyKey(headers),
    ...request.event,
  }
  if (bytes === undefined) throw new ApiError('invalid_json')
  if (request.isHeavy) {
    const { organizationId } = caller
    const shape = { endpoint, operation }
    const heavy = app.readHeavyBody({ bytes, organizationId, closed: closedSignal(reply) }, shape)
    return heavy.then((read) =>
      request.event === undefined ? { ...command, body: read } : eventOf(command, read),
    )
  }
  CLIENT_DIALECTS[endpoint].check(body, operation, (url) => problemOfUrl(url, app.isAllowedUrl))
  if (!isJsonObject(body)) throw new ApiError('invalid_json')
  // The log of refused requests needs the model. Only the command holds the rest, and frees it while the vendor works.
  request.body = { model: body.model }
  return { ...command, body: new LightBody(endpoint, bytes, body, findModel(bytes)) }
}

/** Removes the event around a heavy request, on the thread that holds its bytes. */
function eventOf(command: Omit<TextCommand, 'body'>, body: TextBody): TextCommand {
  return { ...command, isWarmUp: isWarmUpEvent(body.value), body: body.withChanges(EVENT_CHANGES) }
}

export const STRICT_HEADER = 'x-sluice-strict'
export const COST_SWITCH_HEADER = 'x-sluice-cost'

/** An unknown value is an error: a client that requires strictness must not lose content unnoticed. */
function readSwitch(headers: IncomingHttpHeaders, name: string): boolean {
  const value = headers[name]
  if (value === undefined || value === 'false') return false
  if (value === 'true') return true
  throw invalidParameter(name, `The header ${name} must be true or false.`)
}
