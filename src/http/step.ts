import type { EdgeReply } from './edge-reply.ts'
import type { EdgeRequest } from './edge-request.ts'

/** One thing that is done with a request before its handler; an error that is handed to `done` is its answer. */
export type Step = (request: EdgeRequest, reply: EdgeReply, done: (error?: Error) => void) => void

/**
 * Answers by `reply`, or returns what to send: a text, or a value that becomes JSON. undefined: it was answered, or will be.
 * A promise may reject with what to answer instead.
 */
export type Handle = (request: EdgeRequest, reply: EdgeReply) => unknown
