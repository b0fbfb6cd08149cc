import type { AdminOperations } from './admin-types.ts'

export type Route = keyof AdminOperations
export type Reply<Key extends Route> = AdminOperations[Key]['reply']
export type ListRoute = {
  [Key in Route]: Reply<Key> extends { data: unknown[]; next_cursor: string } ? Key : never
}[Route]
export type Item<Key extends ListRoute> = Reply<Key> extends { data: (infer One)[] } ? One : never

export interface Input<Key extends Route> {
  id?: string
  query?: AdminOperations[Key]['query']
  body?: AdminOperations[Key]['body']
  signal?: AbortSignal
}

/** An error answer of the gateway. Status 0: the gateway did not answer. */
export class Refusal extends Error {
  readonly status: number
  readonly requestId: string
  readonly retryAfterSeconds: number

  constructor(status: number, message: string, { requestId = '', retryAfterSeconds = 0 } = {}) {
    super(message)
    this.status = status
    this.requestId = requestId
    this.retryAfterSeconds = retryAfterSeconds
  }
}

/** Sends a request to the admin API. The session travels in its cookie, which scripts cannot read. */
export async function call<Key extends Route>(route: Key, input: Input<Key> = {}): Promise<Reply<Key>> {
  const [method = 'GET', path = ''] = route.split(' ')
  const { id = '', query = {}, body, signal } = input
  const filled = path.replace(/\{\w+\}/, encodeURIComponent(id))
  const answer = await send(`/admin/v1${filled}${searchOf(query)}`, {
    method,
    credentials: 'same-origin',
    signal: signal ?? null,
    ...(body !== undefined && {
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json' },
    }),
  })
  return (await answer.json()) as Reply<Key>
}

const PAGES_MAX = 100

/** Reads a list page by page to its end, or up to `pagesMax` pages; `isWhole` is then false. */
export async function callAll<Key extends ListRoute>(
  route: Key,
  query: Record<string, string | number | undefined>,
  { signal, pagesMax = PAGES_MAX }: { signal?: AbortSignal; pagesMax?: number } = {},
): Promise<{ rows: Item<Key>[]; isWhole: boolean }> {
  const rows: Item<Key>[] = []
  let cursor = ''
  for (let page = 0; page < pagesMax; page++) {
    const input = { query: { limit: 100, ...query, cursor }, ...(signal && { signal }) }
    const reply: unknown = await call(route, input as Input<Key>)
    const { data, next_cursor } = reply as { data: Item<Key>[]; next_cursor: string }
    rows.push(...data)
    cursor = next_cursor
    if (cursor === '') break
  }
  return { rows, isWhole: cursor === '' }
}

async function send(url: string, init: RequestInit): Promise<Response> {
  const answer = await fetch(url, init).catch((cause: unknown) => {
    if (init.signal?.aborted) throw cause
    throw new Refusal(0, '')
  })
  if (answer.ok) return answer
  const told: { error?: unknown } = await answer.json().catch(() => ({}))
  throw new Refusal(answer.status, textOf(told.error), {
    requestId: answer.headers.get('x-request-id') ?? '',
    retryAfterSeconds: Number(answer.headers.get('retry-after') ?? 0),
  })
}

function textOf(error: unknown): string {
  if (typeof error === 'string') return error
  const { message }: { message?: unknown } = Object(error)
  return typeof message === 'string' ? message : ''
}

function searchOf(query: Record<string, unknown>): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== '')
  if (given.length === 0) return ''
  return `?${new URLSearchParams(given.map(([name, value]) => [name, String(value)]))}`
}
