import type { IncomingHttpHeaders } from 'node:http'
import type { ModelReply } from './answer.ts'
import type { Field } from './field.ts'
import type { ModelRequest } from './model-request.ts'
import type { TextProblem } from './problem.ts'

/** One dialect of this vendor. */
export interface TextDialect {
  /** Throws a `TextProblem` for missing headers. */
  checkHeaders?(headers: IncomingHttpHeaders): void
  /** Throws a `TextProblem` for a body that a vendor would refuse. */
  read(body: Field): ModelRequest
  problem(problem: TextProblem, requestId: string): object
  requestIdHeader: string
  whole(answer: ModelReply, envelope: Envelope): object
  stream(answer: ModelReply, envelope: Envelope): FrameWriter
}

/** Data for the writers beside the answer. */
export interface Envelope {
  modelRequest: ModelRequest
  body: Readonly<Record<string, unknown>>
  createdAtSeconds: number
  newId(prefix: string): string
  showsUsage: boolean
  /** Parallel calls are sent piece by piece in turn. */
  interleaves: boolean
  /** A dialect that has a field for signatures signs the first of its calls. */
  signsCalls: boolean
}

/** Writes whole SSE events. `terminal` is called after the end of `frames`; `failed` may be called before it. */
export interface FrameWriter {
  frames(): Iterable<string>
  terminal(): readonly string[]
  /** Events for a failure in the middle. */
  failed(message: string): readonly string[]
}
