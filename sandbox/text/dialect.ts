import type { IncomingHttpHeaders } from 'node:http'
import type { Answer } from './answer.ts'
import type { Asked } from './asked.ts'
import type { Field } from './field.ts'
import type { TextProblem } from './problem.ts'

/** One wire of this vendor. */
export interface TextDialect {
  /** Throws a `TextProblem` for missing headers. */
  checkHeaders?(headers: IncomingHttpHeaders): void
  /** Throws a `TextProblem` for a body that a vendor would refuse. */
  read(body: Field): Asked
  problem(problem: TextProblem, requestId: string): object
  requestIdHeader: string
  whole(answer: Answer, envelope: Envelope): object
  stream(answer: Answer, envelope: Envelope): StreamWriter
}

/** Data for the writers beside the answer. */
export interface Envelope {
  asked: Asked
  body: Readonly<Record<string, unknown>>
  createdAtSeconds: number
  newId(prefix: string): string
  showsUsage: boolean
  /** Parallel calls are sent piece by piece in turn. */
  interleaves: boolean
  /** A wire with a place for signatures signs the first of its calls. */
  signsCalls: boolean
}

/** Writes whole SSE events. `frames` is called first and to its end, then one of the others. */
export interface StreamWriter {
  frames(): Iterable<string>
  terminal(): readonly string[]
  /** Events for a failure in the middle. */
  failed(message: string): readonly string[]
}
