import type { BodyChanges, ConvertedBody, KnownItems } from '@sluice/dialects/body/heavy-jobs'
import type { hostedCallsIn } from '@sluice/dialects/body/hosted-tools'
import type { PassingTarget } from '@sluice/dialects/body/pass-request'
import type { RequestTarget } from '@sluice/dialects/canonical/codec'
import type { ReferencesFound } from '@sluice/dialects/canonical/references'
import type { OwnCompaction } from '@sluice/dialects/contract/dialect'
import type { InputCount } from '@sluice/dialects/count/count-body'
import type { Dialect } from '@sluice/dialects/dialect-facts'
import type { JsonObject } from '@sluice/dialects/json/json-object'
import type { IdsToCollect } from '@sluice/dialects/passthrough/reply-ids'
import type { LaterPlan, TextPlan } from './text-plan.ts'

export interface SentBody {
  /** The bytes that this thread holds; undefined: another thread has them. */
  readonly bytes: Buffer | undefined
  /** Text by which a repeated request is recognized. */
  fingerprint(): string | Promise<string>
}

export interface ConversionTarget {
  dialect: Dialect
  target: RequestTarget
}

/** A body for a vendor of the client's own dialect, with its part of the plan. */
export type PassedText = Pick<TextPlan, 'body' | 'losses' | 'sentInputBound' | 'countInput'>

/** A body in another dialect, with the data that reading and writing the reply needs. */
export type ConvertedText = PassedText & Pick<ConvertedBody, 'request' | 'toolNames' | 'unsentStops'>

/** A request for a summary of a conversation, and the messages that stay unchanged. */
export interface SummaryRequest {
  body: TextBody
  retained: readonly JsonObject[]
}

/**
 * The body of a text request whose shape was checked. A small body is parsed on the main thread and answers without a
 * promise. Another thread reads and converts a large body, which would block every other request.
 */
export interface TextBody extends SentBody {
  /** The parsed bytes; only the outline of a body on another thread, or of a released one. */
  readonly value: JsonObject
  /** Frees values that only a plan needs, because a vendor may work for minutes. Other methods may parse them again. */
  release(): void
  hostedCalls(): ReturnType<typeof hostedCallsIn>
  /** Whether the request asks the vendor to keep cache writes for longer than five minutes. */
  asksForLongCache(): boolean
  namesOtherModels(): boolean
  /** Whether the request names things only by their ids, which the vendor may not know. */
  referencesVendorState(): boolean
  /** Ids of earlier output that the request refers to. */
  itemIds(): readonly string[]
  compactions(): readonly OwnCompaction[]
  /** All ids that the request names. A resolved reference is no longer named, but the item in its place may name other ids. */
  references(): ReferencesFound
  idsToCollect(): IdsToCollect
  inputBound(): InputCount
  /** Estimated input tokens. `isPassthrough`: the vendor takes the request unchanged. */
  countInput(isPassthrough: boolean): number | Promise<number>
  /** Replaces references and compactions by these items. `readHeavy` reads a result that is too long for this thread. */
  withItems(items: KnownItems, readHeavy: (bytes: Buffer) => Promise<TextBody>): TextBody | Promise<TextBody>
  /** Drops ids that the request does not need: those in `dropped`, or all except the `known` ones. */
  withoutIds(ids: { dropped: ReadonlySet<string>; known: ReadonlySet<string> }): TextBody
  withChanges(changes: BodyChanges): TextBody
  /** Makes a plan immediately, or after the reservation if another thread has to make it. */
  plan(make: () => TextPlan | Promise<TextPlan>): TextPlan | LaterPlan | Promise<TextPlan>
  pass(target: PassingTarget): PassedText | Promise<PassedText>
  convert(target: ConversionTarget): ConvertedText | Promise<ConvertedText>
  askForSummary(): SummaryRequest | Promise<SummaryRequest>
}
