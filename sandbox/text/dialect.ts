import type { IncomingHttpHeaders } from 'node:http'
import type { Answer } from './answer.ts'
import type { Asked } from './asked.ts'
import type { Field } from './field.ts'
import type { TextProblem } from './problem.ts'

/** One of the wires that this vendor speaks. */
export interface TextDialect {
  /** Throws a `TextProblem` for headers that the wire asks for. */
  checkHeaders?(headers: IncomingHttpHeaders): void
  /** Throws a `TextProblem` for what a vendor would not take. */
  read(body: Field): Asked
  problem(problem: TextProblem, requestId: string): object
  requestIdHeader: string
  whole(answer: Answer, envelope: Envelope): object
  stream(answer: Answer, envelope: Envelope): StreamWriter
}

/** What the writers have to know beside the answer. */
export interface Envelope {
  asked: Asked
  body: Readonly<Record<string, unknown>>
  createdAtSeconds: number
  newId(prefix: string): string
  showsUsage: boolean
  /** Parallel calls are sent bit by bit in turn. */
  interleaves: boolean
  /** A wire that has a place for it signs the first of its calls. */
  signsCalls: boolean
}

/** Writes whole SSE events. `frames` comes first and to its end, then either of the others. */
export interface StreamWriter {
  frames(): Iterable<string>
  terminal(): readonly string[]
  /** The vendor failed in the middle. */
  failed(message: string): readonly string[]
}
