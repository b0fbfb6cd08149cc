import type { JsonObject } from '@sluice/dialects/json/json-object'
import { ApiError, invalidParameter } from '../../domain/api-error.ts'
import { micros } from '../../domain/billing/micros.ts'
import { type JsonSchema, json } from '../../domain/json/json-schema.ts'
import { RATIOS } from '../../domain/video/request.ts'
import { createAsset } from '../operations/create-asset/operation.ts'
import { createQuote } from '../operations/create-quote/operation.ts'
import { createTask } from '../operations/create-task/operation.ts'
import { deleteTask } from '../operations/delete-task/operation.ts'
import { getAsset } from '../operations/get-asset/operation.ts'
import { getBalance } from '../operations/get-balance/operation.ts'
import { getTask } from '../operations/get-task/operation.ts'
import { getUsage } from '../operations/get-usage/operation.ts'
import { listAssets } from '../operations/list-assets/operation.ts'
import { listTasks } from '../operations/list-tasks/operation.ts'
import type { OperationCall } from './call-operations.ts'

export interface McpCall {
  call: OperationCall
  args: JsonObject
  /** Aborted when the client has left. */
  signal: AbortSignal
  /** Absent when the client wants no progress. */
  report?(progress: number, message: string): Promise<void>
}

interface McpTool {
  description: string
  properties: Record<string, JsonSchema>
  required?: readonly string[]
  run(call: McpCall): Promise<JsonObject>
}

/** Time between two progress messages. All pauses together take 45 seconds; clients usually wait a minute. */
const PROGRESS_EVERY_MS = 3_000
const PROGRESS_MAX = 15

const ORDER: Record<string, JsonSchema> = {
  prompt: json.string({ description: 'What the video shows.' }),
  model: json.string({ description: 'Name of a video model, as GET /v1/models lists them.' }),
  duration: json.integer({ description: 'Seconds. Left out: the default of the model.' }),
  ratio: json.oneOf(RATIOS),
  resolution: json.string({ description: 'A resolution such as 720p. Left out: the default of the model.' }),
  image_url: json.string({
    description: 'HTTPS link or asset://<id> of an image that the video begins with or refers to.',
  }),
}
const TASK_ID: Record<string, JsonSchema> = { task_id: json.string() }

/** Tools of agents. Each calls operations of this API, with their checks, errors and replies. */
export const TOOLS: Readonly<Record<string, McpTool>> = {
  quote_video: {
    description: 'Ask what a video will cost at most. Nothing is charged.',
    properties: ORDER,
    required: ['prompt', 'model'],
    run: ({ call, args }) => call(createQuote, { body: orderOf(args) }),
  },
  create_video: {
    description:
      'Order a video that costs at most max_usd US dollars; a more expensive one is refused with its price. Returns the task at once: ask get_video until its status is succeeded, failed or cancelled.',
    properties: {
      ...ORDER,
      max_usd: json.number({ minimum: 0, description: 'The most that the video may cost, in US dollars.' }),
    },
    required: ['prompt', 'model', 'max_usd'],
    run: createVideo,
  },
  get_video: {
    description:
      'Read a video task, with the link to the video when it has succeeded. With a progress token it waits up to 45 seconds for the end; without, ask again every 10 seconds.',
    properties: TASK_ID,
    required: ['task_id'],
    run: getVideo,
  },
  list_videos: {
    description: 'List the video tasks of this API key, newest first.',
    properties: { limit: json.integer({ minimum: 1, maximum: 100 }), cursor: json.string() },
    run: ({ call, args }) => call(listTasks, { query: queryOf(args, ['limit', 'cursor']) }),
  },
  cancel_video: {
    description:
      'Cancel a video that its vendor has not started; it then costs nothing. An ended video stays as it is.',
    properties: TASK_ID,
    required: ['task_id'],
    run: cancelVideo,
  },
  upload_asset: {
    description:
      'Register an image, a video or an audio file by its HTTPS link. When get_asset shows it as active, asset://<id> can be used in an order.',
    properties: {
      url: json.string(),
      asset_type: json.oneOf(['Image', 'Video', 'Audio'], { default: 'Image' }),
      name: json.string(),
    },
    required: ['url'],
    run: ({ call, args }) => call(createAsset, { body: { asset_type: 'Image', ...args } }),
  },
  get_asset: {
    description: 'Read an asset and its status.',
    properties: { asset_id: json.string() },
    required: ['asset_id'],
    run: ({ call, args }) => call(getAsset, { params: args }),
  },
  list_assets: {
    description: 'List the assets of the organization, newest first.',
    properties: { limit: json.integer({ minimum: 1, maximum: 100 }), page: json.integer({ minimum: 1 }) },
    run: ({ call, args }) => call(listAssets, { query: queryOf(args, ['limit', 'page']) }),
  },
  get_balance: {
    description: 'Read the balance of the organization, and what it spent in the last 30 days, by model.',
    properties: {},
    async run({ call }) {
      const spent = await call(getUsage, { query: { by: 'model' } })
      return { ...(await call(getBalance, {})), spent: spent.data }
    },
  },
}

async function createVideo({ call, args }: McpCall): Promise<JsonObject> {
  const maxMicros = readMaxMicros(args.max_usd)
  const order = orderOf(args)
  const quote = await call(createQuote, { body: order })
  const priceMicros = micros(Number(quote.max_micros))
  if (priceMicros > maxMicros) {
    const apiError = invalidParameter('max_usd', 'The video costs more than max_usd allows.')
    apiError.priceMicros = priceMicros
    throw apiError
  }
  const task = await call(createTask, { body: { ...order, quote_id: quote.quote_id } })
  return { ...task, max_micros: priceMicros }
}

/** Adds a little before rounding down, because a binary fraction may lie just below the decimal number. */
function readMaxMicros(maxUsd: unknown): number {
  if (typeof maxUsd === 'number' && maxUsd >= 0 && maxUsd < Infinity) return Math.floor(maxUsd * 1e6 + 1e-4)
  throw invalidParameter('max_usd', 'max_usd must be a number of US dollars, 0 or more.')
}

async function getVideo({ call, args, signal, report }: McpCall): Promise<JsonObject> {
  for (let progress = 1; ; progress += 1) {
    const task = await call(getTask, { params: args })
    if (report === undefined || hasEnded(task) || signal.aborted || progress > PROGRESS_MAX) return task
    await report(progress, String(task.status))
    await new Promise((resolve) => setTimeout(resolve, PROGRESS_EVERY_MS))
  }
}

/** Leaves an ended task alone: to delete it would hide it from lists and Get. */
async function cancelVideo({ call, args }: McpCall): Promise<JsonObject> {
  const task = await call(getTask, { params: args })
  if (hasEnded(task)) return task
  await call(deleteTask, { params: args })
  return call(getTask, { params: args })
}

function hasEnded({ status }: JsonObject): boolean {
  return status === 'succeeded' || status === 'failed' || status === 'cancelled'
}

/** Requires the prompt and a given link: `createTask` drops an empty item, and would make the video without it. */
function orderOf({ prompt, model, duration, ratio, resolution, image_url: url }: JsonObject): JsonObject {
  requireText('prompt', prompt)
  if (url !== undefined) requireText('image_url', url)
  const image = url === undefined ? [] : [{ type: 'image_url', image_url: { url } }]
  return { model, content: [{ type: 'text', text: prompt }, ...image], duration, ratio, resolution }
}

function requireText(name: string, value: unknown): void {
  if (typeof value === 'string' && value.trim() !== '') return
  const code = value === undefined ? 'missing_parameter' : 'invalid_parameter'
  throw new ApiError(code, { param: name, message: `${name} must be a text that is not empty.` })
}

function queryOf(args: JsonObject, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    names.flatMap((name) => (args[name] === undefined ? [] : [[name, String(args[name])]])),
  )
}
