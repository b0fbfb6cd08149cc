import type { EdgeReply } from './edge-reply.ts'
import type { EdgeRequest } from './edge-request.ts'

/** Step of a request before its handler; an error that is passed to `done` is its response. */
export type Step = (request: EdgeRequest, reply: EdgeReply, done: (error?: Error) => void) => void

/**
 * Answers with `reply`, or returns the content: a text, or a value that becomes JSON. Undefined: `reply` has sent the
 * answer, or will send it. A promise may reject with an error for the client.
 */
export type Handle = (request: EdgeRequest, reply: EdgeReply) => unknown
