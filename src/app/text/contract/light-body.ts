import { convertRequest } from '@sluice/dialects/body/convert-request'
import { countPassthrough } from '@sluice/dialects/body/count-passthrough'
import type { BodyChanges, KnownItems } from '@sluice/dialects/body/heavy-jobs'
import { hostedCallsIn } from '@sluice/dialects/body/hosted-tools'
import { objectIn } from '@sluice/dialects/body/kept-jobs'
import { type PassingTarget, passRequest } from '@sluice/dialects/body/pass-request'
import { asksForLongCache } from '@sluice/dialects/count/cache-marks'
import { countBody, countRequest } from '@sluice/dialects/count/count-tokens'
import type { TextEndpoint } from '@sluice/dialects/dialect-facts'
import { CLIENT_DIALECTS } from '@sluice/dialects/dialects'
import type { JsonObject } from '@sluice/dialects/json/json-object'
import { LIGHT_BYTES_MAX } from '@sluice/dialects/json/parse-json'
import type { ValueRange } from '@sluice/dialects/passthrough/find-model'
import { keepNumbers } from '@sluice/dialects/values/keep-numbers'
import { serializeBody } from '@sluice/dialects/values/serialize-body'
import type { ConversionTarget, ConvertedText, PassedText, SummaryRequest, TextBody } from './text-body.ts'
import type { TextPlan } from './text-plan.ts'

export class LightBody implements TextBody {
  readonly endpoint: TextEndpoint
  readonly bytes: Buffer
  readonly value: JsonObject
  /** Range of the value of `model` in the bytes, if it was searched for. */
  readonly modelRange: ValueRange | undefined

  constructor(endpoint: TextEndpoint, bytes: Buffer, value: JsonObject, modelRange?: ValueRange) {
    this.endpoint = endpoint
    this.bytes = bytes
    this.value = value
    this.modelRange = modelRange
  }

  fingerprint() {
    return this.bytes.toString('latin1')
  }

  hostedCalls() {
    return hostedCallsIn(this.value, this.endpoint)
  }

  asksForLongCache() {
    return asksForLongCache(this.value)
  }

  namesOtherModels() {
    return CLIENT_DIALECTS[this.endpoint].namesOtherModels(this.value)
  }

  referencesVendorState() {
    return CLIENT_DIALECTS[this.endpoint].referencesVendorState(this.value)
  }

  itemIds() {
    return CLIENT_DIALECTS[this.endpoint].items?.idsIn(this.value) ?? []
  }

  compactions() {
    return CLIENT_DIALECTS[this.endpoint].compaction?.compactionsIn(this.value) ?? []
  }

  references() {
    return CLIENT_DIALECTS[this.endpoint].findReferences(this.value)
  }

  idsToCollect() {
    return CLIENT_DIALECTS[this.endpoint].passthrough.idsToCollect(this.value)
  }

  inputBound() {
    return countBody(this)
  }

  countInput(isPassthrough: boolean) {
    if (isPassthrough) return countPassthrough({ endpoint: this.endpoint, body: this })
    return countRequest(CLIENT_DIALECTS[this.endpoint].readRequest(this.value))
  }

  /** A request of a hundred bytes may refer to a megabyte, so a long result is read on another thread. */
  withItems(items: KnownItems, readHeavy: (bytes: Buffer) => Promise<TextBody>) {
    const exact = exactValue(this)
    const resolved = CLIENT_DIALECTS[this.endpoint].items?.resolve(exact, items) ?? exact
    const bytes = Buffer.from(JSON.stringify(resolved))
    return bytes.length <= LIGHT_BYTES_MAX ? new LightBody(this.endpoint, bytes, resolved) : readHeavy(bytes)
  }

  withoutIds({ dropped }: { dropped: ReadonlySet<string> }) {
    const { items } = CLIENT_DIALECTS[this.endpoint]
    return items === undefined ? this : withValue(this.endpoint, items.withoutIds(exactValue(this), dropped))
  }

  withChanges(changes: BodyChanges) {
    const json = JSON.stringify({ ...exactValue(this), ...changes })
    return new LightBody(this.endpoint, Buffer.from(json), objectIn(json))
  }

  /** Plans at once; a heavy body plans after the reservation. */
  plan(make: () => TextPlan | Promise<TextPlan>) {
    return make()
  }

  pass(target: PassingTarget): PassedText {
    const { body, losses } = passRequest(this.endpoint, this, target)
    return {
      body,
      losses,
      sentInputBound: () => countBody(this),
      countInput: () => countPassthrough({ endpoint: this.endpoint, body: this }),
    }
  }

  convert({ dialect, target }: ConversionTarget): ConvertedText {
    const { request, written } = convertRequest(this, { endpoint: this.endpoint, dialect, target })
    const { toolNames, unsentStops, losses } = written
    const body = serializeBody(written.body, this.bytes.length)
    return {
      body,
      request,
      toolNames,
      unsentStops,
      losses: [...request.losses, ...losses],
      // The sent body is counted, because it contains the items that the client only referred to.
      sentInputBound: () => countBody({ bytes: { length: Buffer.byteLength(body) }, value: written.body }),
      countInput: () => countRequest(request),
    }
  }

  askForSummary(): SummaryRequest {
    const { compaction } = CLIENT_DIALECTS[this.endpoint]
    const request = compaction?.askForSummary(exactValue(this)) ?? this.value
    return { body: withValue(this.endpoint, request), retained: compaction?.retained(this.value) ?? [] }
  }
}

/** The value with its numbers as the client spelled them. */
function exactValue({ value, bytes }: LightBody): JsonObject {
  return keepNumbers(value, bytes)
}

function withValue(endpoint: TextEndpoint, value: JsonObject): LightBody {
  return new LightBody(endpoint, Buffer.from(JSON.stringify(value)), value)
}
