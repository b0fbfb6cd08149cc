import { expect, test } from 'vitest'
import { createLogBook } from '../../../../test/engines/cache/log-book.ts'
import { type LiveReply, liveReplies } from './live-replies.ts'

const OWNER = { organizationId: 'org_1', userId: 'usr_1' }

function openReply(name: string, heard: string[], onTick = () => {}): LiveReply {
  return {
    slot: -1,
    tick() {
      heard.push(name)
      onTick()
    },
    failWith: ({ kind }) => void heard.push(`${name} ${kind}`),
  }
}

test('a removed reply gets no more ticks, and its slot is used again', () => {
  const heard: string[] = []
  const live = liveReplies(createLogBook())
  const [one, other, late] = ['one', 'other', 'late'].map((name) => openReply(name, heard))
  if (one === undefined || other === undefined || late === undefined) throw new Error('three were made')
  live.add(one, OWNER, 'stream')
  live.add(other, OWNER, 'whole')
  expect({ running: live.count, streams: live.streamCount }).toEqual({ running: 2, streams: 1 })
  live.remove(one)
  live.add(late, OWNER, 'whole')
  expect(late.slot).toBe(one.slot)
  expect({ running: live.count, streams: live.streamCount }).toEqual({ running: 2, streams: 0 })
  // Its slot belongs to another by now.
  live.remove(one)
  live.tick()
  expect(heard).toEqual(['late', 'other'])
})

test('one that leaves while all are visited, and one that throws, do not keep the others from their tick', () => {
  const heard: string[] = []
  const log = createLogBook()
  const live = liveReplies(log)
  const leaving = openReply('leaving', heard, () => live.remove(leaving))
  const stumbling = openReply('stumbling', heard, () => {
    throw new Error('stumbled')
  })
  for (const reply of [leaving, stumbling, openReply('well', heard)]) live.add(reply, OWNER, 'whole')
  live.tick()
  expect(heard).toEqual(['leaving', 'stumbling', 'well'])
  expect(log.events).toEqual(['stream.tick_failed'])
})

test('when the process leaves, all of them end, and later ones end at once', () => {
  const heard: string[] = []
  const live = liveReplies(createLogBook())
  live.add(openReply('one', heard), OWNER, 'whole')
  live.endAll()
  live.add(openReply('late', heard), OWNER, 'whole')
  expect(heard).toEqual(['one draining', 'late draining'])
})

test('replies of a disabled organization or user end with that reason, and the others go on', () => {
  const heard: string[] = []
  const live = liveReplies(createLogBook())
  live.add(openReply('one', heard), OWNER, 'whole')
  live.add(openReply('other', heard), { organizationId: 'org_1', userId: 'usr_2' }, 'whole')
  live.add(openReply('third', heard), { organizationId: 'org_2', userId: 'usr_3' }, 'whole')
  expect(live.owners()).toEqual({ organizationIds: ['org_1', 'org_2'], userIds: ['usr_1', 'usr_2', 'usr_3'] })
  live.endOf({ organizationIds: [], userIds: ['usr_2', 'usr_9'] })
  live.endOf({ organizationIds: ['org_2'], userIds: [] })
  expect(heard).toEqual(['other user-disabled', 'third organization-disabled'])
})
