import type { BodyChanges, BodyEdits, HeavyJobs, KnownItems } from '@sluice/dialects/body/heavy-jobs'
import type { PassingTarget } from '@sluice/dialects/body/pass-request'
import type { BodyFacts, TextShape } from '@sluice/dialects/body/read-facts'
import { REFERENCES_MAX, type ReferencesFound } from '@sluice/dialects/canonical/references'
import type { TextEndpoint } from '@sluice/dialects/dialect-facts'
import { CLIENT_DIALECTS } from '@sluice/dialects/dialects'
import type { JsonObject } from '@sluice/dialects/json/json-object'
import type { Threads } from '../../../ports/threads.ts'
import { type HeavyBytes, heavyRunner, type RunHeavy } from './heavy-runner.ts'
import type { ConversionTarget, ConvertedText, PassedText, SummaryRequest, TextBody } from './text-body.ts'
import type { LaterPlan } from './text-plan.ts'

interface ReadBody {
  endpoint: TextEndpoint
  facts: BodyFacts
  run: RunHeavy
}

/** Changes that the other thread makes each time it passes or converts the body. */
type HeavyEdits = Omit<BodyEdits, 'endpoint'> & {
  /** Ids that items of a passed body keep. An item sent with its content loses every other id. undefined: all stay. */
  ownIds: ReadonlySet<string> | undefined
}

const NO_EDITS: HeavyEdits = { items: new Map(), ownIds: undefined }

/** A large body. Another thread reads and converts its bytes, and the main thread gets only facts about it. */
export class HeavyBody implements TextBody {
  readonly bytes = undefined
  readonly value: JsonObject
  readonly #read: ReadBody
  readonly #edits: HeavyEdits

  constructor(read: ReadBody, edits = NO_EDITS, value = read.facts.outline) {
    this.value = value
    this.#read = read
    this.#edits = edits
  }

  get #facts(): BodyFacts {
    return this.#read.facts
  }

  /** This thread holds only facts. */
  release() {}

  fingerprint() {
    return this.#read.run('digest', {})
  }

  hostedCalls() {
    return this.#facts.hostedCalls
  }

  asksForLongCache() {
    return this.#facts.asksForLongCache
  }

  namesOtherModels() {
    return this.#facts.namesOthers
  }

  referencesVendorState() {
    return this.#facts.refersOutside
  }

  itemIds() {
    return this.#facts.itemReferences
  }

  compactions() {
    return this.#facts.compactions
  }

  references(): ReferencesFound {
    const { references } = this.#facts
    const { items } = this.#edits
    const { findReferences, items: stored } = CLIENT_DIALECTS[this.#read.endpoint]
    // A request with more than `REFERENCES_MAX` references is refused anyway, so stored items need no search.
    const isAllFound = items.size === 0 || references.named.length > REFERENCES_MAX
    if (isAllFound || stored === undefined) return references
    const inItems = findReferences(stored.asBody([...items.values()]))
    return {
      named: [...references.named.filter(({ id }) => !items.has(id)), ...inItems.named],
      dispensable: [...references.dispensable, ...inItems.dispensable],
    }
  }

  idsToCollect() {
    return this.#facts.idsToCollect
  }

  inputBound() {
    return this.#facts.inputBound
  }

  countInput(isPassthrough: boolean) {
    return this.#read.run('count', { endpoint: this.#read.endpoint, isPassthrough })
  }

  withItems(items: KnownItems) {
    return this.#with({ items })
  }

  withoutIds({ known }: { known: ReadonlySet<string> }) {
    return this.#with({ ownIds: known })
  }

  withChanges(changes: BodyChanges) {
    return this.#with({ changes: { ...this.#edits.changes, ...changes } }, changes)
  }

  plan(make: LaterPlan['make']): LaterPlan {
    return { sentInputBound: () => this.#facts.inputBound, make }
  }

  async pass(target: PassingTarget): Promise<PassedText> {
    const { endpoint, facts, run } = this.#read
    const { inputTokens, ...passed } = await run('pass', { endpoint, ...target, ...this.#edits })
    return { ...passed, sentInputBound: () => facts.inputBound, countInput: () => inputTokens }
  }

  async convert(target: ConversionTarget): Promise<ConvertedText> {
    const { endpoint, facts, run } = this.#read
    const { ownIds: _passedOnly, ...edits } = this.#edits
    const { inputTokens, ...converted } = await run('convert', { endpoint, ...target, ...edits })
    return { ...converted, sentInputBound: () => facts.inputBound, countInput: () => inputTokens }
  }

  async askForSummary(): Promise<SummaryRequest> {
    const { endpoint, run } = this.#read
    const { items, changes } = this.#edits
    const retained = await run('retain', { endpoint, items, changes })
    return { body: this.#with({ asksForSummary: true }, { store: false }), retained }
  }

  #with(edits: Partial<HeavyEdits>, members?: JsonObject): HeavyBody {
    return new HeavyBody(this.#read, { ...this.#edits, ...edits }, { ...this.value, ...members })
  }
}

/** Rejects with an `ApiError` for bytes that are not JSON, or not a request of this shape. */
export type ReadHeavyBody = (bytes: HeavyBytes, shape: TextShape) => Promise<TextBody>

export function readHeavyBody(tools: {
  threads: Threads<HeavyJobs>
  /** Private address ranges that URLs in a body may use. */
  allowedRanges: readonly string[]
}): ReadHeavyBody {
  const { threads, allowedRanges } = tools
  return async (bytes, shape) => {
    const run = heavyRunner(threads, bytes)
    const facts = await run('read', { ...shape, allowedRanges })
    return new HeavyBody({ endpoint: shape.endpoint, facts, run })
  }
}
