import { ApiError } from '../../../domain/api-error.ts'
import type { JsonObject } from '../../../domain/json-object.ts'
import type { BodyChanges } from '../../body/heavy-jobs.ts'
import { keepNumbers } from '../../values/keep-numbers.ts'
import { isNil } from '../../values/values.ts'

/** What makes a request of an event that asks for a response: a reply over a WebSocket is always a stream. */
export const EVENT_CHANGES: BodyChanges = { type: undefined, generate: undefined, stream: true }

/** The request in an event, as `POST /v1/responses` takes it. */
export interface CreateEvent {
  bytes: Buffer
  value: JsonObject
  isWarmUp: boolean
}

/** `bytes` are what `value` was parsed from. Throws an `ApiError` for any other event. */
export function readCreateEvent(bytes: Buffer, value: JsonObject): CreateEvent {
  const isWarmUp = isWarmUpEvent(value)
  const { type: _type, generate, ...asked } = value
  const hasOnlyType = generate === undefined && (asked.stream === undefined || asked.stream === true)
  const cut = hasOnlyType ? withoutType(bytes, asked.stream === true ? '{' : STREAMED) : undefined
  const request = cut ?? Buffer.from(JSON.stringify({ ...keepNumbers(value, bytes), ...EVENT_CHANGES }))
  return { bytes: request, value: { ...asked, stream: true }, isWarmUp }
}

/** Whether the event asks for no output. Throws an `ApiError` for an event that asks for no response. */
export function isWarmUpEvent({ type, generate, stream_id: lane }: JsonObject): boolean {
  if (isNil(type))
    throw new ApiError('missing_parameter', { param: 'type', message: 'type is required: response.create' })
  if (type !== 'response.create') throw bad('type', 'must be response.create')
  if (!isNil(lane)) throw bad('stream_id', 'is not supported: a connection runs one response at a time')
  if (!isNil(generate) && typeof generate !== 'boolean') throw bad('generate', 'must be true or false')
  return generate === false
}

function bad(param: string, problem: string): ApiError {
  return new ApiError('invalid_parameter', { param, message: `${param} ${problem}` })
}

const STREAMED = '{"stream":true,'
const NEAR_BYTES = 64
const TYPE_FIRST = /^\s*\{\s*"type"\s*:\s*"response\.create"\s*,/

/** Clients write the type first, and what follows are then the very bytes of the request. undefined: this one does not. */
function withoutType(bytes: Buffer, opening: string): Buffer | undefined {
  const found = TYPE_FIRST.exec(bytes.toString('latin1', 0, NEAR_BYTES))
  return found === null ? undefined : Buffer.concat([Buffer.from(opening), bytes.subarray(found[0].length)])
}
