import type { SandboxClock } from '../clock.ts'
import { readFaultRule } from '../faults/read-rule.ts'
import type { FaultScript } from '../faults/script.ts'
import { matchPath } from '../match-route.ts'
import { jsonReply, type SandboxPart, type SandboxReply } from '../part.ts'
import type { RequestLog } from '../request-log.ts'
import { writeBill } from './write-bill.ts'

export interface Controlled {
  parts: readonly SandboxPart[]
  linkPort?: number | undefined
  script: FaultScript
  requestLog: RequestLog
  clock: SandboxClock
}

export interface ControlRequest {
  params: Readonly<Record<string, string>>
  body: Buffer
}

interface ControlRoute {
  method: 'GET' | 'POST' | 'DELETE'
  path: string
  summary: string
  handle(controlled: Controlled, request: ControlRequest): SandboxReply
}

/** The sandbox's own small API, for tests that watch how a program handles failures. */
export const CONTROL_ROUTES: readonly ControlRoute[] = [
  {
    method: 'GET',
    path: '/_sandbox/faults',
    summary: 'The fault rules, with how often each was seen and applied.',
    handle: ({ script }) => jsonReply(200, { data: script.list() }),
  },
  {
    method: 'POST',
    path: '/_sandbox/faults',
    summary: 'Adds one fault rule.',
    handle: addFault,
  },
  {
    method: 'DELETE',
    path: '/_sandbox/faults',
    summary: 'Removes all fault rules.',
    handle: ({ script }) => jsonReply(200, { deleted: script.clear() }),
  },
  {
    method: 'DELETE',
    path: '/_sandbox/faults/:id',
    summary: 'Removes one fault rule.',
    handle: ({ script }, { params }) => {
      const id = params.id ?? ''
      return script.remove(id) ? jsonReply(200, { deleted: 1 }) : problem(404, `There is no rule ${id}.`)
    },
  },
  {
    method: 'GET',
    path: '/_sandbox/clock',
    summary: 'How fast time runs here.',
    handle: ({ clock }) =>
      jsonReply(200, {
        now: new Date(clock.nowMs()).toISOString(),
        speed: clock.speed,
        one_minute_takes_ms: clock.realMs(60_000),
      }),
  },
  {
    method: 'GET',
    path: '/_sandbox/requests',
    summary: 'The last 200 requests to vendor parts or unknown paths, newest first.',
    handle: ({ requestLog }) => jsonReply(200, { data: requestLog.list() }),
  },
  {
    method: 'POST',
    path: '/_sandbox/bill',
    summary: 'The bill of the video vendors for some tasks at some prices, in CSV.',
    handle: (controlled, { body }) => {
      const bill = writeBill(body, controlled)
      if (bill === undefined)
        return problem(400, 'The body must be {"tasks": [{"id": "...", "usd": "0.05"}]}.', 'tasks')
      return { status: 200, headers: { 'content-type': 'text/csv; charset=utf-8' }, body: bill }
    },
  },
  {
    method: 'GET',
    path: '/_sandbox/text',
    summary: 'How many calls of the text vendor are open, came to their end, or lost their client.',
    handle: ({ parts }) => {
      const counts = parts.find(({ name }) => name === 'text')?.counts?.()
      return counts === undefined ? problem(404, 'There is no text vendor here.') : jsonReply(200, counts)
    },
  },
]

/** The answer of the control API, or undefined for a path that does not belong to it. */
export function answerControl(
  controlled: Controlled,
  request: { method: string; path: string; body: Buffer },
): SandboxReply | undefined {
  const methods: string[] = []
  for (const route of CONTROL_ROUTES) {
    const params = matchPath(route.path, request.path)
    if (params === undefined) continue
    if (route.method === request.method) return route.handle(controlled, { params, body: request.body })
    methods.push(route.method)
  }
  if (methods.length === 0) return undefined
  const allow = methods.join(', ')
  return {
    ...problem(405, `This path takes ${allow}.`),
    headers: { allow, 'content-type': 'application/json' },
  }
}

export function problem(status: number, message: string, param: string | null = null): SandboxReply {
  return jsonReply(status, { error: { message, param } })
}

function addFault({ script, parts }: Controlled, { body }: ControlRequest): SandboxReply {
  let input: unknown
  try {
    input = JSON.parse(body.toString())
  } catch {
    return problem(400, 'The body must be valid JSON.')
  }
  const read = readFaultRule(input, parts)
  if ('problem' in read) return problem(400, read.problem, read.param)
  const added = script.add(read.rule)
  if (added === 'id-taken') return problem(409, `There is a rule ${read.rule.id} already.`, 'id')
  if (added === 'full') return problem(409, 'There are 100 rules already. Remove some first.')
  return jsonReply(201, added)
}
