import { isJsonObject, type JsonObject } from '@sluice/dialects/json/json-object'
import { EdgeReply } from '../edge-reply.ts'
import { EdgeRequest } from '../edge-request.ts'
import { readThrown } from '../errors/answer-errors.ts'
import type { HandlerParts, Operation } from '../operation.ts'

/** Runs an operation for the caller of another request. Returns its reply, or throws its `ApiError`. */
export type OperationCall = (
  operation: Operation,
  sent: { params?: object; query?: object; body?: object },
) => Promise<JsonObject>

export function callOperations(outer: EdgeRequest, reply: EdgeReply, parts: HandlerParts): OperationCall {
  return async (operation, { params = {}, query = {}, body }) => {
    const { id, raw, caller } = outer
    const { path, area } = operation
    const inner = new EdgeRequest({ id, raw, route: { path, area }, params, query, headers: {} })
    inner.caller = caller
    inner.operationId = operation.id
    if (body !== undefined) {
      inner.bodyBytes = Buffer.from(JSON.stringify(body))
      inner.body = JSON.parse(inner.bodyBytes.toString())
    }
    try {
      const result = await operation.handle(parts)(inner, new EdgeReply(inner, reply.raw))
      const value: unknown = typeof result === 'string' ? JSON.parse(result) : result
      if (!isJsonObject(value)) throw new TypeError(`${operation.id} does not answer with a JSON object`)
      return value
    } catch (error) {
      throw readThrown(error, inner, parts.log)
    }
  }
}
