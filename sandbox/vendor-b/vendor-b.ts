import { randomBytes } from 'node:crypto'
import { taskClipLink } from '../clips/clip-link.ts'
import { clipRoutes } from '../clips/clip-routes.ts'
import { type ClipRatio, isRatio, isResolution } from '../clips/picture-size.ts'
import type { SandboxClock } from '../clock.ts'
import type { BilledAmount, SandboxPart, SandboxReply, SandboxRequest, SandboxRoute } from '../part.ts'
import { lifeOf, stepAt, type TaskEnding } from '../tasks/life.ts'
import { packId, unpackId } from '../tasks/pack-id.ts'
import { readScriptWords, type ScriptWord } from '../tasks/script-words.ts'
import { isObject } from './field-checks.ts'
import { reply, unprocessable, type VendorBAnswer } from './reply.ts'
import { WORKS } from './works.ts'

/** Simulates the vendor of family B. It stores nothing: the id of a task holds the task. */
export function createVendorB(): SandboxPart {
  const routes = [...Object.keys(WORKS).flatMap(routesOf), ...clipRoutes()]
  return { name: 'vendor-b', routes, measure }
}

function measure(id: string, clock: SandboxClock): BilledAmount | undefined {
  const task = readTaskId(id)
  if (task === undefined) return undefined
  const { stage } = stepAt(lifeOf({ ...task, expiresAfterSeconds: undefined }, clock), clock.nowMs())
  const { words, videoSeconds } = task
  if (stage !== 'succeeded') return undefined
  if (words.includes('credits')) return { unit: 'credit', quantity: videoSeconds * CREDITS_PER_SECOND }
  return words.includes('no-usage') ? undefined : { unit: 'second', quantity: videoSeconds }
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

/** Polls need no credential; a poll under another kind of work does not find the task. */
function poll(work: string, { params, clock, url }: SandboxRequest): SandboxReply {
  const task = readTaskId(params.id ?? '')
  const answer = task?.work === work ? pollAnswer(task, { clock, url }) : undefined
  return reply(answer ?? { httpStatus: 404, code: 404, status: undefined, msg: 'Task not found' })
}

/** Returns the refusal that a word of the prompt asks for; undefined: no word asks for one. */
function scriptedRefusal(words: readonly ScriptWord[]): VendorBAnswer | undefined {
  return REFUSALS.find(([word]) => words.includes(word))?.[1]
}

/** Codes that HTTP does not know come with 200. */
const REFUSALS: readonly (readonly [ScriptWord, VendorBAnswer])[] = [
  ['moderate', { code: 482, status: 'error', msg: 'The prompt did not pass the safety check' }],
  ['busy', { httpStatus: 429, code: 429, status: 'error', msg: 'Too many requests' }],
  ['concurrency', { code: 481, status: 'error', msg: 'Too many tasks at once' }],
  ['overdue', { code: 480, status: 'error', msg: 'Not enough credits' }],
  ['closed', { httpStatus: 401, code: 401, status: 'error', msg: 'The model is not open for this key' }],
  ['broken', { httpStatus: 500, code: 500, status: 'error', msg: 'Internal error' }],
]

const REFUSED_KEY = 'bad-key'

/** Reads a submit body, which holds the key. */
function readSubmit(name: string, bytes: Buffer): { order: VendorBOrder } | { refusal: SandboxReply } {
  const body = parse(bytes)
  if (!isObject(body)) {
    const detail = { loc: ['body'], msg: 'the body must be a JSON object', type: 'value_error.jsondecode' }
    return { refusal: unprocessable([detail]) }
  }
  const { api_key: key, ...asked } = body
  if (typeof key !== 'string' || key === '' || key === REFUSED_KEY) {
    return { refusal: reply({ httpStatus: 401, code: 401, status: 'error', msg: 'Invalid API key' }) }
  }
  const work = WORKS[name]
  const wrong = work?.check(asked, ['body']) ?? []
  const complaint = wrong.length === 0 ? work?.rules.map((rule) => rule(asked)).find(Boolean) : undefined
  const detail = complaint === undefined ? wrong : [complaint]
  return detail.length > 0 ? { refusal: unprocessable(detail) } : { order: orderOf(name, asked) }
}

function orderOf(work: string, asked: Record<string, unknown>): VendorBOrder {
  const texts = [asked.prompt, asked.style_name, asked.cut_type].filter((text) => typeof text === 'string')
  return {
    work,
    words: readScriptWords(texts),
    resolution: typeof asked.resolution === 'string' ? asked.resolution : '720p',
    ratio: isRatio(asked.aspect_ratio) ? asked.aspect_ratio : '16:9',
    videoSeconds: typeof asked.duration === 'number' ? asked.duration : 5,
  }
}

function parse(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString())
  } catch {
    return undefined
  }
}

/** This vendor's current report of a task; undefined: it has forgotten the task. */
function pollAnswer(
  task: VendorBTask,
  where: { clock: SandboxClock; url: string },
): VendorBAnswer | undefined {
  const taskId = task.id
  const life = lifeOf({ ...task, expiresAfterSeconds: undefined }, where.clock)
  const { stage } = stepAt(life, where.clock.nowMs())
  switch (stage) {
    case 'gone':
      return undefined
    case 'queued':
      return { taskId, code: 200, status: 'pending', msg: 'Waiting' }
    case 'running': {
      const status = task.words.includes('odd-status') ? 'unknown' : 'running'
      return { taskId, code: 200, status, msg: 'Generating' }
    }
    case 'succeeded':
      return { taskId, code: 200, status: 'success', msg: 'Done', data: dataOf(task, where) }
    default:
      return { taskId, status: 'failed', ...FAILURES[stage] }
  }
}

/** Codes and messages by end. Only two ends have a code other than 200. */
const FAILURES: Readonly<Record<Exclude<TaskEnding, 'succeeded' | 'gone'>, { code: number; msg: string }>> = {
  failed: { code: 200, msg: 'The video could not be generated' },
  moderated: { code: 482, msg: 'The video did not pass the safety check' },
  'bad-media': { code: 422, msg: 'A reference could not be downloaded' },
  expired: { code: 200, msg: 'The task took too long' },
  cancelled: { code: 200, msg: 'The task was cancelled' },
}

const CREDITS_PER_SECOND = 12

function dataOf(
  task: VendorBTask,
  { clock, url }: { clock: SandboxClock; url: string },
): Record<string, unknown> {
  const { words, videoSeconds } = task
  const resolution = isResolution(task.resolution) ? task.resolution : '720p'
  return {
    ...(words.includes('no-video')
      ? {}
      : { video_url: taskClipLink({ ...task, resolution }, { url, clock }) }),
    ...(words.includes('no-usage') ? {} : { duration: videoSeconds, resolution: task.resolution }),
    ...(words.includes('credits') ? { cost_credits: videoSeconds * CREDITS_PER_SECOND } : {}),
  }
}

interface VendorBOrder {
  /** The part of the path that names the work, such as `text2video`. */
  work: string
  words: readonly ScriptWord[]
  /** The ordered resolution: this vendor takes any. */
  resolution: string
  ratio: ClipRatio
  videoSeconds: number
}

interface VendorBTask extends VendorBOrder {
  id: string
  startMs: number
}

const PREFIX = 'vb-'

/** The id is enough to read the task, so its `nonce` must not be guessable. */
function nameTask(order: VendorBOrder, { startMs, nonce }: { startMs: number; nonce: string }): VendorBTask {
  const { work, words, resolution, ratio, videoSeconds } = order
  const packed: Packed = [startMs, nonce, work, words, resolution, ratio, videoSeconds]
  return { ...order, id: packId(PREFIX, packed), startMs }
}

function readTaskId(id: string): VendorBTask | undefined {
  const packed = unpackId<Packed>(PREFIX, id)
  if (packed === undefined) return undefined
  const [startMs, , work, words, resolution, ratio, videoSeconds] = packed
  return { id, startMs, work, words, resolution, ratio, videoSeconds }
}

type Packed = readonly [
  startMs: number,
  nonce: string,
  work: string,
  words: readonly ScriptWord[],
  resolution: string,
  ratio: ClipRatio,
  videoSeconds: number,
]
