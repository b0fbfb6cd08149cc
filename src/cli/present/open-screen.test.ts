import { EventEmitter } from 'node:events'
import { expect, test } from 'vitest'
import { Interrupted, openScreen } from './screen.ts'

function open(stream: { isTTY?: boolean; columns?: number }) {
  const written: string[] = []
  const signals = new EventEmitter()
  const screen = openScreen({ stream: { ...stream, write: (text) => written.push(text) }, signals })
  return { written, signals, screen }
}

test('on a terminal the line is redrawn in place, and removed at the end', () => {
  const { written, screen } = open({ isTTY: true, columns: 6 })
  screen.draw('1234567')
  screen.draw('ab\x1b\nc')
  screen[Symbol.dispose]()
  expect(screen.isLive).toBe(true)
  expect(written).toEqual(['\r\x1b[K12345', '\r\x1b[Kabc', '\r\x1b[K'])
})

test('a terminal of unknown width counts as 80 columns', () => {
  const { written, screen } = open({ isTTY: true, columns: 0 })
  screen.draw('x'.repeat(100))
  expect(written).toEqual([`\r\x1b[K${'x'.repeat(79)}`])
})

test('without a terminal each line stays, without control characters', () => {
  const { written, screen } = open({})
  screen.draw('x'.repeat(100))
  screen[Symbol.dispose]()
  expect(written).toEqual([`${'x'.repeat(100)}\n`])
})

test('Ctrl-C ends a running pause and every later one', async () => {
  const { signals, screen } = open({})
  const pause = screen.pause(60_000)
  signals.emit('SIGINT')
  await expect(pause).rejects.toBeInstanceOf(Interrupted)
  await expect(screen.pause(60_000)).rejects.toBeInstanceOf(Interrupted)
})

test('no listener catches a second Ctrl-C, or one after the screen is closed', () => {
  const pressed = open({})
  pressed.signals.emit('SIGINT')
  expect(pressed.signals.listenerCount('SIGINT')).toBe(0)
  const ended = open({})
  ended.screen[Symbol.dispose]()
  expect(ended.signals.listenerCount('SIGINT')).toBe(0)
})
