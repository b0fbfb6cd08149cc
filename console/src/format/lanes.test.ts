import { expect, test } from 'vitest'
import { type Story, timelineOf } from './lanes.ts'

const at = (seconds: number) => new Date(Date.UTC(2026, 10, 1, 12, 0, seconds)).toISOString()
const ms = (seconds: number) => Date.parse(at(seconds))

const STORY: Story = {
  created_at: at(0),
  completed_at: at(30),
  deleted_at: null,
  set_aside_at: null,
  deadline: at(3_600),
  status: 'succeeded',
  estimate_micros: 740_000,
  held_micros: 0,
  callback: 'delivered',
  error: null,
  snapshots: [
    { status: 'queued', at: at(1), error: null },
    { status: 'running', at: at(10), error: null },
    { status: 'succeeded', at: at(30), error: null },
  ],
  entries: [{ id: 'ent_1', kind: 'settlement', amount_micros: -700_000, created_at: at(30), note: null }],
  attempts: [
    { attempt: 1, at: at(31), status: 500, error: null },
    { attempt: 2, at: at(32), status: 200, error: null },
  ],
}

test('every snapshot, entry and attempt is in its lane at its moment', () => {
  const { events } = timelineOf(STORY, ms(100))
  expect(
    events.map(({ lane, name, atMs, state, micros }) => [lane, name, atMs - ms(0), state ?? micros]),
  ).toEqual([
    ['client', 'created', 0, undefined],
    ['money', 'held', 0, 740_000],
    ['vendor', 'snapshot', 1_000, 'queued'],
    ['vendor', 'snapshot', 10_000, 'running'],
    ['client', 'ended', 30_000, 'succeeded'],
    ['vendor', 'snapshot', 30_000, 'succeeded'],
    ['money', 'settlement', 30_000, -700_000],
    ['callback', 'attempt', 31_000, '1'],
    ['callback', 'attempt', 32_000, '2'],
  ])
})

test('waiting and work are separate spans', () => {
  const { spans } = timelineOf(STORY, ms(100))
  expect(spans.filter(({ lane }) => lane === 'vendor')).toEqual([
    { lane: 'vendor', fromMs: ms(1), toMs: ms(10), kind: 'wait' },
    { lane: 'vendor', fromMs: ms(10), toMs: ms(30), kind: 'work' },
  ])
})

test('the axis of an ended task ends with its last event', () => {
  expect(timelineOf(STORY, ms(100)).toMs).toBe(ms(32))
})

test('the axis of an open task reaches to now, and its money is held until then', () => {
  const open = {
    ...STORY,
    status: 'running',
    completed_at: null,
    entries: [],
    attempts: [],
    callback: 'after-end',
  }
  const { toMs, spans } = timelineOf({ ...open, snapshots: STORY.snapshots.slice(0, 2) }, ms(100))
  expect(toMs).toBe(ms(100))
  expect(spans.find(({ lane }) => lane === 'money')).toMatchObject({ fromMs: ms(0), toMs: ms(100) })
})

test('a failed task without a settlement shows that its 740,000 micros were released', () => {
  const failed = { ...STORY, status: 'failed', entries: [], error: { code: 'x', message: 'No lock' } }
  const { events } = timelineOf(failed, ms(100))
  expect(events).toContainEqual({
    lane: 'money',
    name: 'released',
    atMs: ms(30),
    tone: 'plain',
    micros: 740_000,
  })
  expect(events).toContainEqual(expect.objectContaining({ name: 'ended', tone: 'bad', detail: 'No lock' }))
})
