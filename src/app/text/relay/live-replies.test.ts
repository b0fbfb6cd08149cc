import { expect, test } from 'vitest'
import { createLogBook } from '../../../../test/engines/cache/log-book.ts'
import { type LiveReply, liveReplies } from './live-replies.ts'

const OWNER = { organizationId: 'org_1', userId: 'usr_1' }

function openReply(name: string, received: string[], onTick = () => {}): LiveReply {
  return {
    slot: -1,
    tick() {
      received.push(name)
      onTick()
    },
    failWith: ({ kind }) => void received.push(`${name} ${kind}`),
  }
}

test('a removed reply gets no more ticks, and its slot is used again', () => {
  const received: string[] = []
  const live = liveReplies(createLogBook())
  const [one, other, late] = ['one', 'other', 'late'].map((name) => openReply(name, received))
  if (one === undefined || other === undefined || late === undefined) throw new Error('three were made')
  live.add(one, OWNER, 'stream')
  live.add(other, OWNER, 'whole')
  expect({ running: live.count, streams: live.streamCount }).toEqual({ running: 2, streams: 1 })
  live.remove(one)
  live.add(late, OWNER, 'whole')
  expect(late.slot).toBe(one.slot)
  expect({ running: live.count, streams: live.streamCount }).toEqual({ running: 2, streams: 0 })
  // The slot of `one` belongs to `late` by now.
  live.remove(one)
  live.tick()
  expect(received).toEqual(['late', 'other'])
})

test('a reply that is removed or throws during a tick does not affect the ticks of other replies', () => {
  const received: string[] = []
  const log = createLogBook()
  const live = liveReplies(log)
  const leaving = openReply('leaving', received, () => live.remove(leaving))
  const stumbling = openReply('stumbling', received, () => {
    throw new Error('stumbled')
  })
  for (const reply of [leaving, stumbling, openReply('well', received)]) live.add(reply, OWNER, 'whole')
  live.tick()
  expect(received).toEqual(['leaving', 'stumbling', 'well'])
  expect(log.events).toEqual(['stream.tick_failed'])
})

test('when the process stops, all replies end, and later replies end immediately', () => {
  const received: string[] = []
  const live = liveReplies(createLogBook())
  live.add(openReply('one', received), OWNER, 'whole')
  live.endAll()
  live.add(openReply('late', received), OWNER, 'whole')
  expect(received).toEqual(['one draining', 'late draining'])
})

test('replies of a disabled organization or user end with that reason, and other replies continue', () => {
  const received: string[] = []
  const live = liveReplies(createLogBook())
  live.add(openReply('one', received), OWNER, 'whole')
  live.add(openReply('other', received), { organizationId: 'org_1', userId: 'usr_2' }, 'whole')
  live.add(openReply('third', received), { organizationId: 'org_2', userId: 'usr_3' }, 'whole')
  expect(live.owners()).toEqual({ organizationIds: ['org_1', 'org_2'], userIds: ['usr_1', 'usr_2', 'usr_3'] })
  live.endOf({ organizationIds: [], userIds: ['usr_2', 'usr_9'] })
  live.endOf({ organizationIds: ['org_2'], userIds: [] })
  expect(received).toEqual(['other user-disabled', 'third organization-disabled'])
})
