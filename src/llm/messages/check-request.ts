import { isJsonObject, type JsonObject } from '../../domain/json-object.ts'
import { Refusal } from '../../domain/refusal.ts'
import { isAbsent } from '../hub/is-absent.ts'
import { isModelName } from '../hub/is-model-name.ts'
import { misspelledName } from '../hub/misspelled-name.ts'
import { checkSettings } from './check-settings.ts'
import { checkToolChoice, checkTools } from './check-tools.ts'
import { checkSystem, checkTurns } from './check-turns.ts'
import { checkBoolean, checkPresent, checkString, invalid } from './place.ts'

/**
 * Refuses a body that the contract's table of a message request does not allow. What is merely new (kinds of tools,
 * of blocks, of thinking; unknown fields) passes: it is for the vendor, or for the conversion, to judge.
 */
export function checkMessagesRequest(value: unknown): void {
  const body = asBody(value)
  checkPresent(body, ['model', 'messages', 'max_tokens'], undefined)
  checkModel(body)
  checkTurns(body.messages)
  checkMaxTokens(body.max_tokens)
  checkRest(body)
}

/** A count has no reply, so it needs no bound for one. */
export function checkCountTokensRequest(value: unknown): void {
  const body = asBody(value)
  checkPresent(body, ['model', 'messages'], undefined)
  checkModel(body)
  checkTurns(body.messages)
  if (!isAbsent(body.max_tokens)) checkMaxTokens(body.max_tokens)
  checkRest(body)
}

function asBody(value: unknown): JsonObject {
  if (isJsonObject(value)) {
    const name = misspelledName(value, KNOWN_FIELDS)
    if (name === undefined) return value
    throw invalid(undefined, name, 'must be spelled in small letters, and given once')
  }
  throw new Refusal('invalid_parameter', { message: 'The body must be a JSON object.' })
}

/** Whatever a vendor of this dialect may act upon. */
const KNOWN_FIELDS: ReadonlySet<string> = new Set([
  ...[
    'model',
    'messages',
    'max_tokens',
    'system',
    'temperature',
    'top_p',
    'top_k',
    'stream',
    'stop_sequences',
  ],
  ...['tools', 'tool_choice', 'thinking', 'output_config', 'output_format', 'metadata', 'service_tier'],
  ...['inference_geo', 'cache_control', 'context_management', 'safeguards', 'mcp_servers', 'thread'],
  ...['container', 'diagnostics', 'compaction', 'fallbacks', 'fallback_credit_token', 'speed'],
])

function checkModel({ model }: JsonObject): void {
  if (typeof model !== 'string') throw invalid(undefined, 'model', 'must be a string')
  if (!isModelName(model)) {
    throw invalid(undefined, 'model', 'must have the shape <provider>/<model_name>')
  }
}

function checkMaxTokens(value: unknown): void {
  if (!Number.isSafeInteger(value) || Number(value) <= 0) {
    throw invalid(undefined, 'max_tokens', 'must be an integer above 0')
  }
}

function checkRest(body: JsonObject): void {
  checkSystem(body.system)
  checkFraction(body, 'temperature')
  checkFraction(body, 'top_p')
  if (!isAbsent(body.top_k) && !Number.isSafeInteger(body.top_k)) {
    throw invalid(undefined, 'top_k', 'must be an integer')
  }
  checkBoolean(body, 'stream', undefined)
  checkStopSequences(body.stop_sequences)
  checkTools(body.tools)
  checkToolChoice(body.tool_choice)
  checkSettings(body)
  checkString(body, 'service_tier', undefined)
  checkString(body, 'inference_geo', undefined)
}

function checkFraction(body: JsonObject, key: string): void {
  const value = body[key]
  if (isAbsent(value)) return
  if (typeof value !== 'number' || !(value >= 0 && value <= 1)) {
    throw invalid(undefined, key, 'must be a number from 0 to 1')
  }
}

function checkStopSequences(value: unknown): void {
  if (isAbsent(value)) return
  if (!Array.isArray(value)) throw invalid(undefined, 'stop_sequences', 'must be an array of strings')
  const at = { up: undefined, key: 'stop_sequences' }
  for (const [place, sequence] of value.entries()) {
    if (typeof sequence !== 'string') throw invalid(at, place, 'must be a string')
  }
}
