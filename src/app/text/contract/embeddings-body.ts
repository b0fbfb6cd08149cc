import type { EmbeddingsFacts, HeavyJobs } from '@sluice/dialects/body/heavy-jobs'
import { countEmbeddings } from '@sluice/dialects/embeddings-request'
import type { JsonObject } from '@sluice/dialects/json/json-object'
import { replaceModel } from '@sluice/dialects/passthrough/replace-model'
import type { Threads } from '../../../ports/threads.ts'
import { type HeavyBytes, heavyRunner, type RunHeavy } from './heavy-runner.ts'
import type { SentBody } from './text-body.ts'

export interface EmbeddingsBody extends SentBody {
  readonly model: string
  readonly length: number
  countInput(): number
  withModel(model: string): Uint8Array | Promise<Uint8Array>
}

export class LightEmbeddings implements EmbeddingsBody {
  readonly bytes: Buffer
  readonly model: string
  readonly #value: JsonObject

  constructor(bytes: Buffer, value: JsonObject) {
    this.bytes = bytes
    this.model = String(value.model)
    this.#value = value
  }

  get length() {
    return this.bytes.length
  }

  fingerprint() {
    return this.bytes.toString('latin1')
  }

  countInput() {
    return countEmbeddings(this.#value.input)
  }

  withModel(model: string) {
    return replaceModel(this.bytes, model)
  }
}

/** A large body, which another thread reads and writes. */
export class HeavyEmbeddings implements EmbeddingsBody {
  readonly bytes = undefined
  readonly #facts: EmbeddingsFacts
  readonly #run: RunHeavy

  constructor(facts: EmbeddingsFacts, run: RunHeavy) {
    this.#facts = facts
    this.#run = run
  }

  get model() {
    return this.#facts.model
  }

  get length() {
    return this.#facts.length
  }

  fingerprint() {
    return this.#run('digest', {})
  }

  countInput() {
    return this.#facts.inputTokens
  }

  async withModel(model: string) {
    return (await this.#run('passEmbeddings', { model })).body
  }
}

/** Rejects with an `ApiError` for bytes that are not a request for embeddings. */
export type ReadHeavyEmbeddings = (bytes: HeavyBytes) => Promise<EmbeddingsBody>

export function readHeavyEmbeddings({ threads }: { threads: Threads<HeavyJobs> }): ReadHeavyEmbeddings {
  return async (bytes) => {
    const run = heavyRunner(threads, bytes)
    return new HeavyEmbeddings(await run('readEmbeddings', {}), run)
  }
}
