import type { ReplyTokens, StreamError } from '../../canonical/reply-event.ts'
import { FAILURE_CODES } from '../../contract/error-envelope.ts'
import { failureOfError } from '../../errors/failure-of-error.ts'
import type { HidingOptions } from '../../errors/vendor-error.ts'
import { isJsonObject, type JsonObject } from '../../json/json-object.ts'
import { isEscaped } from '../../json/walk-members.ts'
import { beginsValue } from '../../passthrough/begins-value.ts'
import { deltaHeadOf } from '../../passthrough/read-frame.ts'
import type { IdCollector } from '../../passthrough/reply-ids.ts'
import type { FrameInfo, ListenerOptions, NamedEventListener } from '../../passthrough/stream-listener.ts'
import { readTokens } from '../read-usage.ts'
import { idsInResponse } from './reply-ids.ts'
import { hasEndedWell, outputTextOf, responseBytes } from './whole-reply.ts'

/** Inspects a stream of responses: its envelopes contain the model name, and the last one the usage and the end. */
export class ResponsesListener implements NamedEventListener {
  failing: StreamError | undefined
  reasoning: { proofCharacters: number } | undefined
  hostedCalls = 0
  vendorUsage: unknown
  deltaHead = deltaHeadOf('response.output_text.delta')
  readonly #model: string
  readonly #hiding: HidingOptions
  readonly #ids: IdCollector | undefined
  #tokens: ReplyTokens | undefined
  /** Whether the open item is reasoning. */
  #isReasoning = false
  #calls: HostedCalls | undefined
  #sequence = -1
  #id = 'resp_unknown'
  #createdAt = 0
  #valueAt = 0

  constructor(options: ListenerOptions) {
    this.#model = options.model
    this.#hiding = options
    this.#ids = options.ids
  }

  /** Before the end, the hosted calls so far: they are charged if the client hangs up. */
  get tokens(): ReplyTokens | undefined {
    return this.#tokens ?? this.#calls?.tokens
  }

  use(name: string): 'delta' | 'read' | undefined {
    const head = DELTA_HEADS.get(name)
    if (head === undefined) return this.#useOfOther(name)
    this.deltaHead = head
    return 'delta'
  }

  /** Every delta was written by the model, whatever its name: code, patches, input of tools. */
  #useOfOther(name: string): 'delta' | 'read' | undefined {
    if (READ.has(name) || isHostedCall(name) || this.#isProof(name)) return 'read'
    return name.endsWith('.delta') ? 'delta' : undefined
  }

  deltaBytes(text: string, start: number, end: number): number {
    // The text begins at the same offset in most events.
    if (!beginsValue(text, start + this.#valueAt)) {
      const found = text.slice(start, end).indexOf(DELTA)
      if (found === -1) return Math.max(0, end - start - FRAME_BYTES)
      this.#valueAt = found + DELTA.length
    }
    const value = start + this.#valueAt
    let quote = text.indexOf('"', value)
    while (quote !== -1 && isEscaped(text, quote)) quote = text.indexOf('"', quote + 1)
    return quote === -1 ? 0 : Math.max(0, Math.min(quote, end) - value)
  }

  read(name: string, event: JsonObject): FrameInfo | undefined {
    const { sequence_number: sequence, response } = event
    if (typeof sequence === 'number') this.#sequence = sequence
    if (name === 'error') {
      this.failing = failureOfError(event, this.#hiding)
      return {}
    }
    if (name === ITEM_ADDED || name === ITEM_DONE) return this.#readItem(name, event.item)
    if (isHostedCall(name)) {
      this.#calls ??= new HostedCalls()
      this.#calls.add(name, event.item_id)
      return {}
    }
    if (!isJsonObject(response)) return undefined
    if (typeof response.id === 'string') this.#id = response.id
    if (typeof response.created_at === 'number') this.#createdAt = response.created_at
    const outputText = outputTextOf(response)
    if (!ENDS.has(name)) return { envelope: 'response', outputText }
    this.#tokens = readTokens(response)
    this.vendorUsage = response.usage
    this.#ids?.keep(idsInResponse(response, this.#ids))
    const outputBytes = responseBytes(response)
    if (hasEndedWell(ENDS.get(name)))
      return { envelope: 'response', outputText, outputBytes, end: { kind: 'ended' } }
    const failure = this.failing ?? failureOfError(response, this.#hiding)
    return { envelope: 'response', outputText, outputBytes, end: { kind: 'failed', failure } }
  }

  /** Finished items are read only if they are reasoning: others may be long, and have nothing new. */
  #isProof(name: string): boolean {
    return name === ITEM_DONE && this.#isReasoning
  }

  #readItem(name: string, item: unknown): FrameInfo {
    const { type, encrypted_content: proof } = Object(item)
    this.#isReasoning = name === ITEM_ADDED && type === 'reasoning'
    if (name === ITEM_ADDED && HOSTED_ITEMS.has(type)) this.hostedCalls += 1
    if (type !== 'reasoning') return {}
    this.reasoning ??= { proofCharacters: 0 }
    if (name === ITEM_DONE && typeof proof === 'string') this.reasoning.proofCharacters += proof.length
    return {}
  }

  /** Remembers the last sequence number. A name in plain quotes cannot stand inside a string. */
  notice(text: string, end: number): void {
    const found = text.lastIndexOf(SEQUENCE, end)
    if (found === -1 || found >= end) return
    const digits = text.slice(found + SEQUENCE.length, found + SEQUENCE.length + 16)
    const sequence = Number.parseInt(digits, 10)
    if (Number.isSafeInteger(sequence)) this.#sequence = sequence
  }

  keepAlive(): string {
    return ': keep-alive\n\n'
  }

  /** An error that the vendor sent itself is not repeated. */
  failureEvents(failure: StreamError): string {
    const { message } = failure
    const { type, code } = FAILURE_CODES[failure.kind]
    const error = { type, code, message, param: null }
    const reported =
      this.failing === undefined ? this.#event('error', { code, message, param: null, error }) : ''
    return reported + this.#event('response.failed', { response: this.#failedResponse({ code, message }) })
  }

  #event(type: string, members: object): string {
    this.#sequence += 1
    return `event: ${type}\ndata: ${JSON.stringify({ type, sequence_number: this.#sequence, ...members })}\n\n`
  }

  #failedResponse(error: { code: string; message: string }): object {
    return {
      id: this.#id,
      object: 'response',
      created_at: this.#createdAt,
      status: 'failed',
      model: this.#model,
      error,
      incomplete_details: null,
      output: [],
      output_text: '',
      usage: null,
      ...NOTHING_ELSE,
    }
  }
}

/** Members of every response: a client may read them, and they have no value here. */
const NOTHING_ELSE = {
  access_programs: null,
  instructions: null,
  metadata: {},
  parallel_tool_calls: true,
  temperature: null,
  tool_choice: 'auto',
  tools: [],
  top_p: null,
}

/** Statuses by the envelope events that end the stream. */
const ENDS = new Map([
  ['response.completed', 'completed'],
  ['response.incomplete', 'incomplete'],
  ['response.failed', 'failed'],
])

const ITEM_ADDED = 'response.output_item.added'
const ITEM_DONE = 'response.output_item.done'

/** Items of tools that the vendor runs itself. */
const HOSTED_ITEMS: ReadonlySet<unknown> = new Set([
  ...['web_search_call', 'file_search_call', 'code_interpreter_call', 'image_generation_call'],
  ...['mcp_call', 'mcp_list_tools', 'shell_call'],
])

const READ = new Set([
  ITEM_ADDED,
  'response.created',
  'response.queued',
  'response.in_progress',
  'response.completed',
  'response.incomplete',
  'response.failed',
  'error',
])

/** Beginning of an event by its name: separate strings, because a slice of the stream would keep all of it in memory. */
const DELTA_HEADS = new Map(
  [
    'response.output_text.delta',
    'response.refusal.delta',
    'response.function_call_arguments.delta',
    'response.custom_tool_call_input.delta',
    'response.reasoning_summary_text.delta',
    'response.reasoning_text.delta',
  ].map((name) => [name, deltaHeadOf(name)]),
)

const DELTA = '"delta":"'
const SEQUENCE = '"sequence_number":'

/** Bytes around the text of a delta with another spelling. */
const FRAME_BYTES = 220

const UNITS: ReadonlyMap<string, string> = new Map([
  ['response.web_search_call.completed', 'web_search_call'],
  ['response.file_search_call.completed', 'file_search_call'],
  ['response.image_generation_call.completed', 'image_generation_call'],
  ['response.code_interpreter_call.completed', 'code_session'],
])

/** Whether an event reports a call of a hosted tool that costs something. */
function isHostedCall(name: string): boolean {
  return UNITS.has(name)
}

/** Counts hosted calls in a stream whose usage has not come yet. */
class HostedCalls {
  readonly #items = new Set<unknown>()
  readonly #counts: Record<string, number> = {}

  add(name: string, itemId: unknown): void {
    const unit = UNITS.get(name)
    if (unit === undefined || this.#items.has(itemId)) return
    this.#items.add(itemId)
    // All calls may share one session.
    this.#counts[unit] = unit === 'code_session' ? 1 : (this.#counts[unit] ?? 0) + 1
  }

  /** Only the calls are counted so far. */
  get tokens(): ReplyTokens {
    const surcharges = { calls: this.#counts }
    return { input: 0, cachedInput: 0, cacheWrite: 0, output: 0, reasoning: 0, surcharges }
  }
}
