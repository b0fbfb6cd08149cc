import { randomBytes } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { clipRoutes } from '../clips/clip-routes.ts'
import type { SandboxClock } from '../clock.ts'
import { jsonReply, type SandboxPart, type SandboxReply, type SandboxRequest } from '../part.ts'
import { lifeOf, stepAt, type TaskStep } from '../tasks/life.ts'
import type { ScriptWord } from '../tasks/script-words.ts'
import { errorReply, invalidParameter, type VendorAError } from './error-reply.ts'
import { createNotices, type Notices } from './notices.ts'
import { readCreate } from './read-create.ts'
import { createRemembered, type Remembered } from './remembered.ts'
import { nameTask, readTaskId, type VendorATask } from './task.ts'
import { statusOf, taskObject, usageOf } from './task-object.ts'

/** Simulates the vendor of family A: it sends notices about tasks, and clients can list and delete tasks. */
export function createVendorA(): SandboxPart {
  const state = createTaskState(createNotices())
  const path = '/api/v3/contents/generations/tasks'
  const guarded = (answer: (state: TaskState, request: SandboxRequest) => SandboxReply) => ({
    handle(request: SandboxRequest) {
      const refusal = authorise(request.headers)
      return refusal === undefined ? answer(state, request) : errorReply(refusal)
    },
  })
  return {
    name: 'vendor-a',
    routes: [
      { operation: 'create', method: 'POST', path, ...guarded(createTask) },
      { operation: 'list', method: 'GET', path, ...guarded(listTasks) },
      { operation: 'get', method: 'GET', path: `${path}/:id`, ...guarded(getTask) },
      { operation: 'delete', method: 'DELETE', path: `${path}/:id`, ...guarded(deleteTask) },
      ...clipRoutes(),
    ],
    measure(id, clock) {
      const found = state.find(id, clock)
      if (found?.step.stage !== 'succeeded' || found.task.words.includes('no-usage')) return undefined
      return { unit: 'token', quantity: usageOf(found.task).completion_tokens }
    },
    close: () => state.notices.close(),
  }
}

function createTask(state: TaskState, { body, clock, url }: SandboxRequest): SandboxReply {
  const read = readCreate(body)
  if ('error' in read) return errorReply(read.error)
  const { order, callbackUrl } = read
  const refusal = scriptedRefusal(order.words)
  if (refusal !== undefined) return errorReply(refusal)

  const task = nameTask(order, { startMs: clock.nowMs(), nonce: randomBytes(6).toString('base64url') })
  const show = (step: TaskStep) => taskObject(task, { step, clock, url })
  state.created.set(task.id, true)
  if (callbackUrl !== undefined) {
    state.notices.watch(task.id, {
      callbackUrl,
      steps: lifeOf(task, clock),
      words: task.words,
      clock,
      write: (step) => JSON.stringify(show(step)),
    })
  }
  const step = state.find(task.id, clock)?.step
  const isRich = order.words.includes('rich') && step !== undefined
  return jsonReply(200, isRich ? show(step) : { id: task.id })
}

function getTask(state: TaskState, { params, clock, url }: SandboxRequest): SandboxReply {
  const found = state.find(params.id ?? '', clock)
  if (found === undefined) return errorReply(state.notFound(params.id ?? ''))
  return jsonReply(200, taskObject(found.task, { step: found.step, clock, url }))
}

const REFUSED_KEY = 'bad-key'

function authorise({ authorization = '' }: IncomingHttpHeaders): VendorAError | undefined {
  const key = /^Bearer (\S+)$/.exec(authorization)?.[1]
  if (key !== undefined && key !== REFUSED_KEY) return undefined
  return {
    status: 401,
    code: 'AuthenticationError',
    message: 'The API key or AK/SK in the request is missing or invalid.',
  }
}

/** Cancels a waiting task and forgets an ended one; a running or cancelled task stays unchanged. */
function deleteTask(state: TaskState, { params, clock }: SandboxRequest): SandboxReply {
  const id = params.id ?? ''
  const found = state.find(id, clock)
  if (found === undefined) return errorReply(state.notFound(id))
  switch (found.step.stage) {
    case 'queued': {
      const step: TaskStep = { stage: 'cancelled', atMs: clock.nowMs() }
      state.cancelled.set(id, step)
      state.notices.interrupt(id, step)
      break
    }
    case 'running':
      return refuse('RunningTaskDeletion', 'The task is running and cannot be deleted.')
    case 'cancelled':
      return refuse('CancelledTaskDeletion', 'The task has been cancelled and cannot be deleted.')
    default:
      state.deleted.set(id, true)
      state.notices.interrupt(id, undefined)
  }
  return jsonReply(200, {})
}

function refuse(what: string, message: string): SandboxReply {
  return errorReply({ status: 400, code: `InvalidAction.${what}`, message, param: 'id' })
}

const PAGE_SIZE_MAX = 500

/** The tasks named in the query, else those made since the start, newest first. */
function listTasks(state: TaskState, { query, clock, url }: SandboxRequest): SandboxReply {
  const pageNumber = readCount(query.get('page_num'), { otherwise: 1, max: PAGE_SIZE_MAX })
  const pageSize = readCount(query.get('page_size'), { otherwise: 10, max: PAGE_SIZE_MAX })
  if (pageNumber === undefined) return errorReply(invalidParameter('page_num', OUT_OF_BOUNDS))
  if (pageSize === undefined) return errorReply(invalidParameter('page_size', OUT_OF_BOUNDS))

  const named = query.getAll('filter.task_ids')
  const status = query.get('filter.status')
  const found = (named.length > 0 ? named : state.created.ids())
    .map((id) => state.find(id, clock))
    .filter((entry) => entry !== undefined)
    .filter(({ task, step }) => status === null || statusOf(task, step.stage) === status)
    .toSorted((one, other) => other.task.startMs - one.task.startMs)
  const page = found.slice((pageNumber - 1) * pageSize, pageNumber * pageSize)
  return jsonReply(200, {
    total: found.length,
    items: page.map(({ task, step }) => taskObject(task, { step, clock, url })),
  })
}

const OUT_OF_BOUNDS = `The value must be a number from 1 to ${PAGE_SIZE_MAX}.`

function readCount(
  text: string | null,
  { otherwise, max }: { otherwise: number; max: number },
): number | undefined {
  if (text === null) return otherwise
  const count = /^\d{1,6}$/.test(text) ? Number(text) : 0
  return count >= 1 && count <= max ? count : undefined
}

/** Returns the refusal that a word of the prompt asks for; undefined: no word asks for one. */
function scriptedRefusal(words: readonly ScriptWord[]): VendorAError | undefined {
  return REFUSALS.find(([word]) => words.includes(word))?.[1]
}

const REFUSALS: readonly (readonly [ScriptWord, VendorAError])[] = [
  [
    'moderate',
    {
      status: 400,
      code: 'InputTextSensitiveContentDetected',
      message: 'The request failed because the input text may contain sensitive information.',
    },
  ],
  [
    'busy',
    {
      status: 429,
      code: 'RateLimitExceeded',
      message: 'The request failed because too many requests came in the last minute.',
      headers: { 'retry-after': '1' },
    },
  ],
  [
    'concurrency',
    {
      status: 429,
      code: 'QueueLimitExceeded',
      message: 'The request failed because too many tasks of this account are waiting.',
      headers: { 'retry-after': '5' },
    },
  ],
  [
    'overdue',
    {
      status: 403,
      code: 'AccountOverdueError',
      message: 'The request failed because your account has an overdue balance.',
    },
  ],
  [
    'closed',
    {
      status: 404,
      code: 'ModelNotOpen',
      message: 'Your account has not activated the model.',
    },
  ],
  [
    'broken',
    {
      status: 500,
      code: 'InternalServiceError',
      message: 'The service encountered an unexpected internal error.',
    },
  ],
]

/** State that the ids of tasks cannot hold: which tasks were made, cancelled and deleted since the start. */
interface TaskState {
  created: Remembered<true>
  cancelled: Remembered<TaskStep>
  deleted: Remembered<true>
  notices: Notices
  /** Finds a task and its current step; undefined: the vendor never had the task, or has deleted it. */
  find(id: string, clock: SandboxClock): FoundTask | undefined
  notFound(id: string): VendorAError
}

interface FoundTask {
  task: VendorATask
  step: TaskStep
}

const REMEMBERED_MAX = 10_000
const LISTED_MAX = 1_000

function createTaskState(notices: Notices): TaskState {
  const cancelled = createRemembered<TaskStep>({ idsMax: REMEMBERED_MAX })
  const deleted = createRemembered<true>({ idsMax: REMEMBERED_MAX })
  return {
    created: createRemembered<true>({ idsMax: LISTED_MAX }),
    cancelled,
    deleted,
    notices,
    find(id, clock) {
      const task = readTaskId(id)
      if (task === undefined || deleted.get(id) !== undefined) return undefined
      const step = cancelled.get(id) ?? stepAt(lifeOf(task, clock), clock.nowMs())
      return step.stage === 'gone' ? undefined : { task, step }
    },
    notFound: (id) => ({
      status: 404,
      code: 'ResourceNotFound',
      message: `The specified resource ${JSON.stringify(id.slice(0, 80))} is not found.`,
      param: 'id',
    }),
  }
}
