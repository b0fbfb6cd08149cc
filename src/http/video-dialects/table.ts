import type { App } from '../../app/app.ts'
import { SERVED_BY_HEADER } from '../../app/text/contract/reply-sink.ts'
import { CREATE_BODY_BYTES_MAX } from '../../app/video/create-body/bounds.ts'
import type { DetailedTask } from '../../app/video/task-details.ts'
import type { Caller } from '../../domain/access/api-key.ts'
import { ApiError } from '../../domain/api-error.ts'
import type { EdgeRequest } from '../edge-request.ts'
import { clientOperation, type Operation } from '../operation.ts'
import type { VideoDialect } from './dialect.ts'
import { dialectId, parseDialectId } from './dialect-id.ts'
import { native } from './native/dialect.ts'
import { CREATE_HEADERS, IDEMPOTENCY_HEADER, nameIgnored, REFUSED_ORDERS, takeOrder } from './take-order.ts'
import { videos } from './videos/dialect.ts'
import { getVideoContent, remixVideo } from './videos/more-operations.ts'

/** Formats of clients beside the contract's own operations. A new one is a folder and a row here. */
const VIDEO_DIALECTS: readonly VideoDialect[] = [videos, native]

export const VIDEO_DIALECT_OPERATIONS: readonly Operation[] = [
  ...VIDEO_DIALECTS.flatMap(operationsOf),
  getVideoContent,
  remixVideo,
]

function operationsOf(dialect: VideoDialect): Operation[] {
  const { path, idName, create, get, list, remove } = dialect
  const one = `${path}/:${idName}` as const
  return [
    clientOperation(create.id, `POST ${path}`, 'video', {
      summary: create.summary,
      description: `${create.description} An \`Idempotency-Key\` works as for \`POST /v1/video/generations\`.`,
      headers: IDEMPOTENCY_HEADER,
      body: { ...create.body, limitBytes: CREATE_BODY_BYTES_MAX, keepsBytes: true },
      replies: {
        200: { description: 'The video, usually waiting.', schema: create.reply, headers: CREATE_HEADERS },
        ...REFUSED_ORDERS,
      },
      async serve({ app }, request, reply) {
        const read = () => create.read(request, app)
        const task = await takeOrder(read, { request, reply }, app).catch((error: unknown) => {
          throw create.inOwnFields?.(error) ?? error
        })
        nameIgnored(create.body.schema, { request, reply, model: task.model }, app)
        return create.present(await app.detailTask(task))
      },
    }),
    clientOperation(list.id, `GET ${path}`, 'video', {
      summary: list.summary,
      description: list.description,
      query: list.query,
      replies: {
        200: { description: 'One page.', schema: list.reply },
        400: { description: 'A parameter of the query is not valid.' },
      },
      serve: ({ app }, request) => list.list(request, app),
    }),
    clientOperation(get.id, `GET ${one}`, 'video', {
      isHot: true,
      summary: get.summary,
      description: get.description,
      replies: {
        200: { description: 'The video.', schema: get.reply },
        404: { description: 'This API key has no such video.' },
        503: { description: 'The store is not available, or the gateway is busy.' },
      },
      async serve({ app }, request, reply) {
        const task = await findShown(dialect, request, app)
        reply.header(SERVED_BY_HEADER, task.servedModel)
        return get.present(task)
      },
    }),
    clientOperation(remove.id, `DELETE ${one}`, 'video', {
      summary: remove.summary,
      description: remove.description,
      replies: {
        200: { description: 'The video is deleted and no longer listed.', schema: remove.reply },
        400: { description: 'Videos of family B and those that the vendor has started cannot be deleted.' },
        404: { description: 'This API key has no such video, or it was deleted before.' },
        503: { description: 'The vendor or the store does not answer, or the gateway is busy.' },
      },
      async serve({ app }, request) {
        const { caller } = request
        const id = parseDialectId(dialect, request.params)
        await requireInFormat(dialect, { id, caller }, app)
        await app.deleteTask({ id, caller })
        return remove.present(dialectId(dialect, id))
      },
    }),
  ]
}

/** Finds the task of the path in the latest state that its vendor reports in time. A kept video needs no report. */
async function findShown(dialect: VideoDialect, request: EdgeRequest, app: App): Promise<DetailedTask> {
  const { params, caller } = request
  const id = parseDialectId(dialect, params)
  const task = await app.detailTask(await app.getTask({ id, caller }))
  if (dialect.unit !== undefined && task.unit !== dialect.unit) throw new ApiError('task_not_found')
  return task
}

/** Reads stored data only: the vendor is asked by the delete itself. */
async function requireInFormat(
  { unit }: VideoDialect,
  { id, caller }: { id: string; caller: Caller },
  app: App,
): Promise<void> {
  if (unit === undefined) return
  const query = { caller, filter: { unit, ids: [id] }, order: 'desc', limit: 1 } as const
  if ((await app.listDetailedTasks(query)).tasks.length === 0) throw new ApiError('task_not_found')
}
