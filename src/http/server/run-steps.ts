import type { EdgeReply } from '../edge-reply.ts'
import type { EdgeRequest } from '../edge-request.ts'
import type { AnswerError } from '../errors/answer-errors.ts'
import type { Handle, Step } from '../step.ts'

export type StepRunner = (request: EdgeRequest, reply: EdgeReply) => void

/** Runs the steps one after the other, and then the handler. It stops when the request was answered. */
export function stepRunner(steps: readonly Step[], handle: Handle, answerError: AnswerError): StepRunner {
  return (request, reply) => {
    let at = 0
    const next = (error?: Error): void => {
      if (reply.isSent) return
      const step = steps[at]
      at += 1
      try {
        if (error !== undefined) answerError(error, request, reply)
        else if (step !== undefined) step(request, reply, next)
        else sendResult(handle(request, reply), reply)?.catch((thrown) => fail(thrown, request, reply))
      } catch (thrown) {
        fail(thrown, request, reply)
      }
    }
    next()
  }

  function fail(thrown: unknown, request: EdgeRequest, reply: EdgeReply): void {
    if (!reply.isSent) answerError(thrown, request, reply)
  }
}

function sendResult(result: unknown, reply: EdgeReply): Promise<void> | undefined {
  if (result instanceof Promise) return result.then((value) => sendResult(value, reply))
  return result === undefined ? undefined : reply.send(result)
}
