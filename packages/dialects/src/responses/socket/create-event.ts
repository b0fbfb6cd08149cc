import type { JsonObject } from '../../json/json-object.ts'
import { RequestError } from '../../request-error.ts'
import { keepNumbers } from '../../values/keep-numbers.ts'
import { isNil } from '../../values/values.ts'

/** Changes that turn a `response.create` event into a request: a reply over a WebSocket is always a stream. */
export const EVENT_CHANGES: JsonObject = { type: undefined, generate: undefined, stream: true }

/** The request in an event, in the form of `POST /v1/responses`. */
export interface CreateEvent {
  bytes: Buffer
  value: JsonObject
  isWarmUp: boolean
}

/** Reads a `response.create` event; `bytes` are the JSON of `value`. Throws a `RequestError` for any other event. */
export function readCreateEvent(bytes: Buffer, value: JsonObject): CreateEvent {
  const isWarmUp = isWarmUpEvent(value)
  const { type: _type, generate, ...request } = value
  const hasOnlyType = generate === undefined && (request.stream === undefined || request.stream === true)
  const cut = hasOnlyType ? withoutType(bytes, request.stream === true ? '{' : STREAMED) : undefined
  const json = cut ?? Buffer.from(JSON.stringify({ ...keepNumbers(value, bytes), ...EVENT_CHANGES }))
  return { bytes: json, value: { ...request, stream: true }, isWarmUp }
}

/** Whether the event asks for no output. Throws a `RequestError` for an event that is not a `response.create`. */
export function isWarmUpEvent({ type, generate, stream_id: lane }: JsonObject): boolean {
  if (isNil(type))
    throw new RequestError('missing_parameter', {
      param: 'type',
      message: 'type is required: response.create',
    })
  if (type !== 'response.create') throw bad('type', 'must be response.create')
  if (!isNil(lane)) throw bad('stream_id', 'is not supported: a connection runs one response at a time')
  if (!isNil(generate) && typeof generate !== 'boolean') throw bad('generate', 'must be true or false')
  return generate === false
}

function bad(param: string, problem: string): RequestError {
  return new RequestError('invalid_parameter', { param, message: `${param} ${problem}` })
}

const STREAMED = '{"stream":true,'
const NEAR_BYTES = 64
const TYPE_FIRST = /^\s*\{\s*"type"\s*:\s*"response\.create"\s*,/

/** Most clients write the type first: the bytes behind it are those of the request. undefined: this one does not. */
function withoutType(bytes: Buffer, opening: string): Buffer | undefined {
  const found = TYPE_FIRST.exec(bytes.toString('latin1', 0, NEAR_BYTES))
  return found === null ? undefined : Buffer.concat([Buffer.from(opening), bytes.subarray(found[0].length)])
}
