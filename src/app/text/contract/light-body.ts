import { convertRequest } from '@sluice/dialects/body/convert-request'
import { countPassthrough } from '@sluice/dialects/body/count-passthrough'
import { type BodyChanges, type KnownItems, repeatedTurns } from '@sluice/dialects/body/heavy-jobs'
import { hostedCallsIn } from '@sluice/dialects/body/hosted-tools'
import { objectIn } from '@sluice/dialects/body/kept-jobs'
import { type PassingTarget, passRequest } from '@sluice/dialects/body/pass-request'
import { outlineOf } from '@sluice/dialects/body/read-facts'
import type { TextRequest } from '@sluice/dialects/canonical/request'
import { asksForLongCache } from '@sluice/dialects/count/cache-marks'
import type { InputCount } from '@sluice/dialects/count/count-body'
import { countBody, countRequest } from '@sluice/dialects/count/count-tokens'
import type { TextEndpoint } from '@sluice/dialects/dialect-facts'
import { CLIENT_DIALECTS } from '@sluice/dialects/dialects'
import type { JsonObject } from '@sluice/dialects/json/json-object'
import { LIGHT_BYTES_MAX, parseAgain } from '@sluice/dialects/json/parse-json'
import type { ValueRange } from '@sluice/dialects/passthrough/find-model'
import { keepNumbers } from '@sluice/dialects/values/keep-numbers'
import { serializeBody } from '@sluice/dialects/values/serialize-body'
import { COSTLY_BYTES } from '../../waiting/body-turns.ts'
import type { ConversionTarget, ConvertedText, PassedText, SummaryRequest, TextBody } from './text-body.ts'
import type { TextPlan } from './text-plan.ts'

export class LightBody implements TextBody {
  readonly endpoint: TextEndpoint
  readonly bytes: Buffer
  value: JsonObject
  /** Range of the value of `model` in the bytes, if it was searched for. */
  readonly modelRange: ValueRange | undefined
  #isReleased = false
  #bound: InputCount | undefined

  constructor(endpoint: TextEndpoint, bytes: Buffer, value: JsonObject, modelRange?: ValueRange) {
    this.endpoint = endpoint
    this.bytes = bytes
    this.value = value
    this.modelRange = modelRange
  }

  /**
   * The values of a costly body take several times the memory of its bytes, for as long as the vendor works. Few calls
   * parse the bytes again: those with a fallback, and those whose vendor reports no usage.
   */
  release() {
    if (this.#isReleased || this.bytes.length <= COSTLY_BYTES) return
    this.#isReleased = true
    this.value = outlineOf(this.value)
  }

  get #whole(): JsonObject {
    return this.#isReleased ? (parseAgain(this.bytes) as JsonObject) : this.value
  }

  fingerprint() {
    return this.bytes.toString('latin1')
  }

  hostedCalls() {
    return hostedCallsIn(this.#whole, this.endpoint)
  }

  asksForLongCache() {
    return asksForLongCache(this.#whole)
  }

  namesOtherModels() {
    return CLIENT_DIALECTS[this.endpoint].namesOtherModels(this.#whole)
  }

  referencesVendorState() {
    return CLIENT_DIALECTS[this.endpoint].referencesVendorState(this.#whole)
  }

  itemIds() {
    return CLIENT_DIALECTS[this.endpoint].items?.idsIn(this.#whole) ?? []
  }

  compactions() {
    return CLIENT_DIALECTS[this.endpoint].compaction?.compactionsIn(this.#whole) ?? []
  }

  references() {
    return CLIENT_DIALECTS[this.endpoint].findReferences(this.#whole)
  }

  idsToCollect() {
    return CLIENT_DIALECTS[this.endpoint].passthrough.idsToCollect(this.#whole)
  }

  inputBound() {
    this.#bound ??= countBody(this.#plain)
    return this.#bound
  }

  countInput(isPassthrough: boolean) {
    const body = this.#plain
    if (isPassthrough) return countPassthrough({ endpoint: this.endpoint, body })
    return countRequest(CLIENT_DIALECTS[this.endpoint].readRequest(body.value))
  }

  /** A request of a hundred bytes may refer to a megabyte, so a long result is read on another thread. */
  withItems(items: KnownItems, readHeavy: (bytes: Buffer) => Promise<TextBody>) {
    const exact = this.#exact
    const resolved = CLIENT_DIALECTS[this.endpoint].items?.resolve(exact, items) ?? exact
    const bytes = Buffer.from(JSON.stringify(resolved))
    return bytes.length <= LIGHT_BYTES_MAX ? new LightBody(this.endpoint, bytes, resolved) : readHeavy(bytes)
  }

  withoutIds({ dropped }: { dropped: ReadonlySet<string> }) {
    const { items } = CLIENT_DIALECTS[this.endpoint]
    return items === undefined ? this : withValue(this.endpoint, items.withoutIds(this.#exact, dropped))
  }

  withChanges(changes: BodyChanges) {
    const json = JSON.stringify({ ...this.#exact, ...changes })
    return new LightBody(this.endpoint, Buffer.from(json), objectIn(json))
  }

  /** Plans immediately; a heavy body plans after the reservation. */
  plan(make: () => TextPlan | Promise<TextPlan>) {
    return make()
  }

  pass(target: PassingTarget): PassedText {
    const request = { ...this.#plain, modelRange: this.modelRange }
    const { body, losses } = passRequest(this.endpoint, request, target)
    return { body, losses, sentInputBound: () => this.inputBound(), countInput: () => this.countInput(true) }
  }

  convert({ dialect, target }: ConversionTarget): ConvertedText {
    const { request, written } = convertRequest(this.#plain, { endpoint: this.endpoint, dialect, target })
    const { toolNames, unsentStops, losses } = written
    const body = serializeBody(written.body, this.bytes.length)
    // The sent body is counted, because it contains the items that the client only referred to.
    const bound = countBody({ bytes: { length: Buffer.byteLength(body) }, value: written.body })
    return {
      body,
      request: { ...request, turns: repeatedTurns(request) },
      toolNames,
      unsentStops,
      losses: [...request.losses, ...losses],
      sentInputBound: () => bound,
      countInput: this.#counterOf(request),
    }
  }

  askForSummary(): SummaryRequest {
    const { compaction } = CLIENT_DIALECTS[this.endpoint]
    const whole = this.#whole
    const request = compaction?.askForSummary(keepNumbers(whole, this.bytes)) ?? whole
    return { body: withValue(this.endpoint, request), retained: compaction?.retained(whole) ?? [] }
  }

  get #plain(): { bytes: Buffer; value: JsonObject } {
    return { bytes: this.bytes, value: this.#whole }
  }

  /** The value with its numbers as the client spelled them. */
  get #exact(): JsonObject {
    return keepNumbers(this.#whole, this.bytes)
  }

  /** A stream reports the count when it begins. A whole reply needs it only when the vendor reports none. */
  #counterOf(request: TextRequest): () => number {
    let held = this.value.stream === true || this.bytes.length <= COSTLY_BYTES ? request : undefined
    let tokens: number | undefined
    return () => {
      tokens ??= countRequest(held ?? CLIENT_DIALECTS[this.endpoint].readRequest(this.#exact))
      held = undefined
      return tokens
    }
  }
}

function withValue(endpoint: TextEndpoint, value: JsonObject): LightBody {
  return new LightBody(endpoint, Buffer.from(JSON.stringify(value)), value)
}
