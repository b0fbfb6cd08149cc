/** The lanes of a task's timeline, from top to bottom. */
export const LANES = ['client', 'gateway', 'vendor', 'money', 'callback'] as const
export type Lane = (typeof LANES)[number]

export interface Story {
  created_at: string
  completed_at: string | null
  deleted_at: string | null
  set_aside_at: string | null
  deadline: string
  status: string
  estimate_micros: number
  held_micros: number
  callback: string
  error: { code: string; message: string } | null
  snapshots: readonly { status: string; at: string; error: { message: string } | null }[]
  entries: readonly {
    id: string
    kind: string
    amount_micros: number
    created_at: string
    note: string | null
  }[]
  attempts: readonly { attempt: number; at: string; status: number | null; error: string | null }[]
}

export type EventName =
  | 'created'
  | 'ended'
  | 'deleted'
  | 'setAside'
  | 'held'
  | 'snapshot'
  | 'settlement'
  | 'refund'
  | 'released'
  | 'attempt'

export interface LaneEvent {
  lane: Lane
  name: EventName
  atMs: number
  tone: 'plain' | 'ok' | 'bad' | 'warn'
  /** A status, or the number of an attempt. */
  state?: string
  micros?: number
  detail?: string
}

export interface Span {
  lane: Lane
  fromMs: number
  toMs: number
  /** Waiting is drawn lighter than work. */
  kind: 'wait' | 'work'
}

export interface Timeline {
  fromMs: number
  toMs: number
  events: LaneEvent[]
  spans: Span[]
}

const ENDED = ['succeeded', 'failed', 'cancelled']

/** Every snapshot, hold, entry and attempt of a task at its moment. An open task's spans reach to now. */
export function timelineOf(story: Story, nowMs: number): Timeline {
  const fromMs = Date.parse(story.created_at)
  const isOpen = !ENDED.includes(story.status)
  const events = eventsOf(story).toSorted((one, other) => one.atMs - other.atMs)
  const lastMs = Math.max(fromMs, ...events.map(({ atMs }) => atMs))
  const toMs = isOpen || story.callback === 'pending' ? Math.max(nowMs, lastMs) : lastMs
  return { fromMs, toMs: Math.max(toMs, fromMs + 1), events, spans: spansOf(story, fromMs, toMs) }
}

function eventsOf(story: Story): LaneEvent[] {
  const { snapshots, entries, attempts, error } = story
  const at = (iso: string) => Date.parse(iso)
  const own: LaneEvent[] = [
    { lane: 'client', name: 'created', atMs: at(story.created_at), tone: 'plain' },
    { lane: 'money', name: 'held', atMs: at(story.created_at), tone: 'plain', micros: story.estimate_micros },
  ]
  if (story.completed_at !== null) {
    const ended = { atMs: at(story.completed_at), tone: toneOf(story.status), state: story.status }
    own.push({ lane: 'client', name: 'ended', ...ended, ...(error !== null && { detail: error.message }) })
    if (!entries.some(({ kind }) => kind === 'settlement'))
      own.push({
        lane: 'money',
        name: 'released',
        atMs: ended.atMs,
        tone: 'plain',
        micros: story.estimate_micros,
      })
  }
  if (story.deleted_at !== null)
    own.push({ lane: 'client', name: 'deleted', atMs: at(story.deleted_at), tone: 'warn' })
  if (story.set_aside_at !== null)
    own.push({ lane: 'gateway', name: 'setAside', atMs: at(story.set_aside_at), tone: 'bad' })
  return [
    ...own,
    ...snapshots.map(
      ({ status, at: when, error: reported }): LaneEvent => ({
        ...{ lane: 'vendor', name: 'snapshot', atMs: at(when), tone: toneOf(status), state: status },
        ...(reported !== null && { detail: reported.message }),
      }),
    ),
    ...entries.map(
      ({ kind, created_at, amount_micros, note }): LaneEvent => ({
        ...{
          lane: 'money',
          name: kind === 'refund' ? 'refund' : 'settlement',
          atMs: at(created_at),
          tone: 'plain',
        },
        ...{ micros: amount_micros, ...(note !== null && { detail: note }) },
      }),
    ),
    ...attempts.map(
      ({ attempt, at: when, status, error: failure }): LaneEvent => ({
        ...{ lane: 'callback', name: 'attempt', atMs: at(when), state: String(attempt) },
        tone: status !== null && status < 300 ? 'ok' : 'bad',
        detail: failure ?? (status === null ? '' : String(status)),
      }),
    ),
  ]
}

function spansOf(story: Story, fromMs: number, toMs: number): Span[] {
  const at = (iso: string) => Date.parse(iso)
  const endMs = story.completed_at === null ? toMs : at(story.completed_at)
  const snapshots = story.snapshots.toSorted((one, other) => at(one.at) - at(other.at))
  const firstMs = snapshots[0] === undefined ? endMs : at(snapshots[0].at)
  const vendor = snapshots
    .map(({ status, at: when }, index): Span => {
      const next = snapshots[index + 1]
      const until = next === undefined ? endMs : at(next.at)
      return { lane: 'vendor', fromMs: at(when), toMs: until, kind: status === 'running' ? 'work' : 'wait' }
    })
    .filter((span, index) => span.toMs > span.fromMs && !ENDED.includes(snapshots[index]?.status ?? ''))
  const settled = story.entries.find(({ kind }) => kind === 'settlement')
  const heldUntil = settled === undefined ? endMs : at(settled.created_at)
  const lastAttempt = story.attempts.at(-1)
  return [
    { lane: 'client', fromMs, toMs: endMs, kind: 'wait' },
    { lane: 'gateway', fromMs, toMs: firstMs, kind: 'work' },
    ...vendor,
    { lane: 'money', fromMs, toMs: heldUntil, kind: 'wait' },
    ...(lastAttempt === undefined
      ? []
      : [
          {
            lane: 'callback',
            fromMs: endMs,
            toMs: Math.max(endMs, at(lastAttempt.at)),
            kind: 'wait',
          } as const,
        ]),
  ]
}

function toneOf(status: string): LaneEvent['tone'] {
  if (status === 'succeeded') return 'ok'
  if (status === 'failed') return 'bad'
  return status === 'cancelled' ? 'warn' : 'plain'
}
