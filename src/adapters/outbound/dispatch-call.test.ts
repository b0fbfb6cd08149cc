import type { Dispatcher } from 'undici'
import { expect, test } from 'vitest'
import { dispatchCall } from './dispatch-call.ts'
import type { WireHandler } from './http1/wire-call.ts'
import type { Flow } from './receiver.ts'

const PIECE = Buffer.alloc(16 * 1024)

/** A response that arrives as fast as it is read, over a fake client that records its calls. */
function openAnswer({ isFree }: { isFree: boolean }) {
  const waiting: (() => void)[] = []
  const booked: string[] = []
  const book = { begin: (holder: string) => void booked.push(holder) }
  const turns = { take: (_holder: string, run: () => void) => void (isFree ? run() : waiting.push(run)) }
  const did: string[] = []
  const controller = {
    ...{ aborted: false, paused: false, reason: null, rawHeaders: null, rawTrailers: null },
    pause: () => void did.push('pause'),
    resume: () => void did.push('resume'),
    abort: () => void did.push('abort'),
  } satisfies Dispatcher.DispatchController
  let handler: WireHandler | undefined
  let flow: Flow | undefined
  const client = {
    dispatch(_request: object, given: WireHandler) {
      handler = given
      given.onRequestStart?.(controller, undefined)
      given.onResponseStart?.(controller, 200, {})
    },
  }
  const receiver = {
    onHead(_head: unknown, given: Flow) {
      flow = given
    },
    ...{ onChunk() {}, onEnd() {}, onFailure() {} },
  }
  const parts = { receiver, book, turns, onFree() {}, signal: undefined, totalTimeoutMs: undefined }
  dispatchCall(client, {}, { ...parts, holder: 'org_a' })
  return {
    did,
    booked,
    waiting,
    flow: () => flow,
    read: (pieces: number) => {
      for (let piece = 0; piece < pieces; piece += 1) handler?.onResponseData?.(controller, PIECE)
    },
    end: () => handler?.onResponseEnd?.(controller, {}),
  }
}

test('the time for the head, the chunks and the end of a response is booked to the organization of the call', () => {
  const { booked, read, end } = openAnswer({ isFree: true })
  expect(booked).toEqual(['org_a'])
  read(2)
  end()
  expect(booked).toEqual(Array(4).fill('org_a'))
})

test('after 64 KiB of a response the call waits for its next turn, and then continues', () => {
  const { did, waiting, read } = openAnswer({ isFree: false })
  read(3)
  expect(did).toEqual([])
  read(1)
  expect(did).toEqual(['pause'])
  waiting.shift()?.()
  expect(did).toEqual(['pause', 'resume'])
  read(3)
  expect(waiting).toEqual([])
})

test('an answer whose turn is free is read without a pause', () => {
  const { did, read } = openAnswer({ isFree: true })
  read(40)
  expect(did).toEqual([])
})

test('a response continues only in its turn and with a ready reader', () => {
  const { did, waiting, flow, read } = openAnswer({ isFree: false })
  read(4)
  flow()?.pause()
  waiting.shift()?.()
  expect(did).toEqual(['pause', 'pause'])
  flow()?.resume()
  expect(did).toEqual(['pause', 'pause', 'resume'])
  read(4)
  flow()?.pause()
  flow()?.resume()
  expect(did.slice(3)).toEqual(['pause', 'pause'])
  waiting.shift()?.()
  expect(did.slice(5)).toEqual(['resume'])
})

test('the turn of an ended response has no effect', () => {
  const { did, waiting, read, end } = openAnswer({ isFree: false })
  read(4)
  end()
  waiting.shift()?.()
  expect(did).toEqual(['pause'])
})
