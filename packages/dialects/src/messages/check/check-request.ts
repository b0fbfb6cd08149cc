import { refuseMisspelled, refuseRouting } from '../../canonical/check-fields.ts'
import { innerLinkIn } from '../../canonical/media-source.ts'
import type { FindUrlProblem } from '../../canonical/problem.ts'
import { isJsonObject, type JsonObject } from '../../json/json-object.ts'
import { RequestError } from '../../request-error.ts'
import { isModel } from '../../values/names.ts'
import { isNil } from '../../values/values.ts'
import { type BodyPath, checkBoolean, checkPresent, checkString, invalid } from '../body-path.ts'
import { ImageTally } from '../read-media.ts'
import { checkBlocks } from './check-blocks.ts'

/**
 * Refuses a message request that breaks the contract. New kinds of tools, blocks and thinking, and unknown fields pass:
 * the vendor or the conversion decides about them.
 */
export function checkMessagesRequest(value: unknown, problemOfUrl: FindUrlProblem): void {
  const body = asBody(value)
  checkPresent(body, ['model', 'messages', 'max_tokens'], undefined)
  checkModel(body)
  checkTurns(body.messages, problemOfUrl)
  checkServers(body.mcp_servers, problemOfUrl)
  checkMaxTokens(body.max_tokens)
  checkRest(body)
}

/** Checks a request for a token count, in which `max_tokens` may be missing. */
export function checkCountTokensRequest(value: unknown, problemOfUrl: FindUrlProblem): void {
  const body = asBody(value)
  checkPresent(body, ['model', 'messages'], undefined)
  checkModel(body)
  checkTurns(body.messages, problemOfUrl)
  checkServers(body.mcp_servers, problemOfUrl)
  if (!isNil(body.max_tokens)) checkMaxTokens(body.max_tokens)
  checkRest(body)
}

function asBody(value: unknown): JsonObject {
  if (!isJsonObject(value))
    throw new RequestError('invalid_parameter', { message: 'The body must be a JSON object.' })
  refuseMisspelled(value, KNOWN_FIELDS)
  refuseRouting(value, KNOWN_FIELDS)
  return value
}

/** Fields that a vendor of this dialect may act upon. */
const KNOWN_FIELDS: ReadonlySet<string> = new Set([
  ...['model', 'messages', 'max_tokens', 'system', 'temperature', 'top_p', 'top_k', 'stream'],
  ...['stop_sequences'],
  ...['tools', 'tool_choice', 'thinking', 'output_config', 'output_format', 'metadata', 'service_tier'],
  ...['inference_geo', 'cache_control', 'context_management', 'safeguards', 'mcp_servers', 'thread'],
  ...['container', 'diagnostics', 'compaction', 'fallbacks', 'fallback_credit_token', 'speed'],
])

function checkModel({ model }: JsonObject): void {
  if (typeof model !== 'string') throw invalid(undefined, 'model', 'must be a string')
  if (!isModel(model)) {
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
  if (!isNil(body.top_k) && !Number.isSafeInteger(body.top_k)) {
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
  if (isNil(value)) return
  if (typeof value !== 'number' || !(value >= 0 && value <= 1)) {
    throw invalid(undefined, key, 'must be a number from 0 to 1')
  }
}

function checkStopSequences(value: unknown): void {
  if (isNil(value)) return
  if (!Array.isArray(value)) throw invalid(undefined, 'stop_sequences', 'must be an array of strings')
  const at = { up: undefined, key: 'stop_sequences' }
  for (const [place, sequence] of value.entries()) {
    if (typeof sequence !== 'string') throw invalid(at, place, 'must be a string')
  }
}

function checkTools(tools: unknown): void {
  if (isNil(tools)) return
  if (!Array.isArray(tools)) throw invalid(undefined, 'tools', 'must be an array of tools')
  const up = { up: undefined, key: 'tools' }
  for (let place = 0; place < tools.length; place += 1) {
    const tool: unknown = tools[place]
    if (!isJsonObject(tool)) throw invalid(up, place, 'must be an object')
    checkTool(tool, { up, key: place })
  }
}

/** A tool of another type belongs to the vendor, and only the vendor knows its fields. */
function checkTool(tool: JsonObject, at: BodyPath): void {
  checkString(tool, 'type', at)
  if (!isNil(tool.type) && tool.type !== 'custom') return
  checkPresent(tool, ['name', 'input_schema'], at)
  checkString(tool, 'name', at)
  if (tool.name === '') throw invalid(at, 'name', 'must not be empty')
  checkString(tool, 'description', at)
  if (!isJsonObject(tool.input_schema)) throw invalid(at, 'input_schema', 'must be a JSON schema object')
}

function checkToolChoice(choice: unknown): void {
  if (isNil(choice)) return
  if (!isJsonObject(choice)) throw invalid(undefined, 'tool_choice', 'must be an object')
  const at = { up: undefined, key: 'tool_choice' }
  checkPresent(choice, choice.type === 'tool' ? ['type', 'name'] : ['type'], at)
  if (typeof choice.type !== 'string' || !CHOICES.includes(choice.type)) {
    throw invalid(at, 'type', `must be one of ${CHOICES.join(', ')}`)
  }
  if (choice.type === 'tool') checkString(choice, 'name', at)
  checkBoolean(choice, 'disable_parallel_tool_use', at)
}

const CHOICES: readonly string[] = ['auto', 'any', 'tool', 'none']

/** Checks MCP servers, which the vendor connects to. */
function checkServers(servers: unknown, problemOfUrl: FindUrlProblem): void {
  if (!Array.isArray(servers)) return
  const up = { up: undefined, key: 'mcp_servers' }
  for (const [place, server] of servers.entries()) {
    const found = innerLinkIn(server, ['url'], problemOfUrl)
    if (found?.problem !== undefined) throw invalid({ up, key: place }, found.path, found.problem)
  }
}

function checkTurns(messages: unknown, problemOfUrl: FindUrlProblem): void {
  if (!Array.isArray(messages)) throw invalid(undefined, 'messages', 'must be an array of messages')
  if (messages.length === 0) throw invalid(undefined, 'messages', 'must have at least one message')
  const up = { up: undefined, key: 'messages' }
  const images = new ImageTally(problemOfUrl)
  for (let place = 0; place < messages.length; place += 1) {
    const message: unknown = messages[place]
    if (!isJsonObject(message)) throw invalid(up, place, 'must be an object')
    const at = { up, key: place }
    checkPresent(message, ['role', 'content'], at)
    if (message.role !== 'user' && message.role !== 'assistant' && message.role !== 'system') {
      throw invalid(at, 'role', 'must be user, assistant or system')
    }
    if (typeof message.content === 'string') continue
    if (!Array.isArray(message.content)) {
      throw invalid(at, 'content', 'must be a string or an array of content blocks')
    }
    checkBlocks(message.content, { up: at, key: 'content' }, images)
  }
}

function checkSystem(system: unknown): void {
  if (isNil(system) || typeof system === 'string') return
  if (!Array.isArray(system)) {
    throw invalid(undefined, 'system', 'must be a string or an array of text blocks')
  }
  const up = { up: undefined, key: 'system' }
  for (const [place, block] of system.entries()) {
    if (!isJsonObject(block)) throw invalid(up, place, 'must be an object')
    const at = { up, key: place }
    checkPresent(block, ['type', 'text'], at)
    if (block.type !== 'text') throw invalid(at, 'type', 'must be text')
    if (typeof block.text !== 'string') throw invalid(at, 'text', 'must be a string')
  }
}

function checkSettings(body: JsonObject): void {
  checkThinking(body.thinking)
  checkOutputConfig(body.output_config)
  checkFormat(body, 'output_format', undefined)
  checkMetadata(body.metadata)
}

/** Kinds that are newer than `enabled` and `disabled` pass. */
function checkThinking(thinking: unknown): void {
  if (isNil(thinking)) return
  if (!isJsonObject(thinking)) throw invalid(undefined, 'thinking', 'must be an object')
  const at = { up: undefined, key: 'thinking' }
  checkPresent(thinking, thinking.type === 'enabled' ? ['type', 'budget_tokens'] : ['type'], at)
  if (typeof thinking.type !== 'string') throw invalid(at, 'type', 'must be a string')
  const { budget_tokens: budget } = thinking
  if (!isNil(budget) && (!Number.isSafeInteger(budget) || Number(budget) <= 0)) {
    throw invalid(at, 'budget_tokens', 'must be an integer above 0')
  }
}

function checkOutputConfig(config: unknown): void {
  if (isNil(config)) return
  if (!isJsonObject(config)) throw invalid(undefined, 'output_config', 'must be an object')
  const at = { up: undefined, key: 'output_config' }
  checkString(config, 'effort', at)
  checkFormat(config, 'format', at)
}

/** Checks a format in `output_config`, or under the name it had before it moved there. */
function checkFormat(holder: JsonObject, key: string, at: BodyPath): void {
  const format = holder[key]
  if (isNil(format)) return
  if (!isJsonObject(format)) throw invalid(at, key, 'must be an object')
  const formatAt = { up: at, key }
  checkPresent(format, ['type', 'schema'], formatAt)
  if (format.type !== 'json_schema') throw invalid(formatAt, 'type', 'must be json_schema')
  checkString(format, 'name', formatAt)
  if (!isJsonObject(format.schema)) throw invalid(formatAt, 'schema', 'must be a JSON schema object')
}

function checkMetadata(metadata: unknown): void {
  if (isNil(metadata)) return
  if (!isJsonObject(metadata)) throw invalid(undefined, 'metadata', 'must be an object')
  checkString(metadata, 'user_id', { up: undefined, key: 'metadata' })
}
