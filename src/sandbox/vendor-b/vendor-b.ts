import { randomBytes } from 'node:crypto'
import { clipRoutes } from '../clips/clip-routes.ts'
import type { SandboxPart, SandboxReply, SandboxRequest, SandboxRoute } from '../part.ts'
import { pollAnswer } from './poll-answer.ts'
import { readSubmit } from './read-submit.ts'
import { reply } from './reply.ts'
import { scriptedRefusal } from './scripted-refusal.ts'
import { nameTask, readTaskId } from './task.ts'
import { WORKS } from './works.ts'

/** The stand-in for the vendor of family B. It keeps nothing at all: the ids carry their tasks. */
export function createVendorB(): SandboxPart {
  return { name: 'vendor-b', routes: [...Object.keys(WORKS).flatMap(routesOf), ...clipRoutes()] }
}

function routesOf(work: string): SandboxRoute[] {
  const path = `/api/v1/video/${work}`
  return [
    {
      operation: 'submit',
      method: 'POST',
      path: `${path}/submit`,
      handle: (request) => submit(work, request),
    },
    { operation: 'poll', method: 'GET', path: `${path}/task/:id`, handle: (request) => poll(work, request) },
  ]
}

function submit(work: string, { body, clock }: SandboxRequest): SandboxReply {
  const read = readSubmit(work, body)
  if ('refusal' in read) return read.refusal
  const refusal = scriptedRefusal(read.order.words)
  if (refusal !== undefined) return reply(refusal)
  const task = nameTask(read.order, {
    startMs: clock.nowMs(),
    nonce: randomBytes(16).toString('base64url'),
  })
  return reply({ code: 200, status: 'ok', msg: 'Task submitted', taskId: task.id })
}

/** No credential is asked for; who asks under another work than the task's own does not find it. */
function poll(work: string, { params, clock, url }: SandboxRequest): SandboxReply {
  const task = readTaskId(params.id ?? '')
  const answer = task?.work === work ? pollAnswer(task, { clock, url }) : undefined
  return reply(answer ?? { httpStatus: 404, code: 404, status: undefined, msg: 'Task not found' })
}
