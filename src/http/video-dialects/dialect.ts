import type { App } from '../../app/app.ts'
import type { DetailedTask } from '../../app/video/task-details.ts'
import type { JsonSchema } from '../../domain/json/json-schema.ts'
import type { EdgeRequest } from '../edge-request.ts'
import type { Operation } from '../operation.ts'
import type { ReadOrder } from './take-order.ts'

/** Another format in which clients order and read videos, with the same use cases, money and rules. */
export interface VideoDialect {
  path: `/${string}`
  idName: string
  /** Beginning of its ids, in place of `task_`. */
  idPrefix: string
  create: DialectRow & {
    body: Pick<NonNullable<Operation['body']>, 'schema' | 'formBytesMax' | 'formSchema'>
    read(request: EdgeRequest, app: App): ReadOrder | Promise<ReadOrder>
    present(task: DetailedTask): object
    /** Gives an error the field names of this format. Left out: the names are those of the contract. */
    inOwnFields?(error: unknown): unknown
  }
  get: DialectRow & { present(task: DetailedTask): object }
  list: DialectRow & {
    query: NonNullable<Operation['query']>
    list(request: EdgeRequest, app: App): Promise<object>
  }
  remove: DialectRow & { present(id: string): object }
  /** Shows only tasks of the family that is sold in this unit. Left out: all tasks. */
  unit?: DetailedTask['unit']
}

interface DialectRow {
  /** Name of the operation in OpenAPI and metrics. */
  id: string
  summary: string
  description: string
  reply: JsonSchema
}
