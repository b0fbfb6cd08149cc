import type { ScannedReply } from '@sluice/dialects/passthrough/reply-scanner'
import { VendorCall } from '../../src/app/text/call/vendor-call.ts'
import type { VendorCallEnd, VendorCallTools } from '../../src/app/text/call/vendor-call-end.ts'
import type { WholeReply, WholeVendorAnswer } from '../../src/app/text/contract/relay.ts'
import type { ReplySink } from '../../src/app/text/contract/reply-sink.ts'
import { liveReplies } from '../../src/app/text/relay/live-replies.ts'
import type { TextFlow } from '../../src/ports/text-provider.ts'
import { CALLER } from '../caller.ts'
import { createLogBook } from '../engines/cache/log-book.ts'
import { ScriptedRelay } from './scripted-relay.ts'

/** One call between a client and a vendor that do what the test says. */
export function openVendorCall({
  wants = 'stream',
  taken = 'maybe',
  isLeaving = false,
  hangUpListenMs = 10_000,
  holdBackMs = 0,
  hidesInput = false,
  isQueued = false,
  whole = {},
}: {
  wants?: 'stream' | 'whole'
  /** Whether the vendor has taken a call that is aborted before its head. */
  taken?: 'no' | 'maybe'
  isLeaving?: boolean
  hangUpListenMs?: number
  holdBackMs?: number
  hidesInput?: boolean
  /** The call waits for its turn without end. */
  isQueued?: boolean
  /** Overrides for reading a whole reply. */
  whole?: Partial<WholeVendorAnswer>
} = {}) {
  const log = createLogBook()
  const relay = new ScriptedRelay()
  const client = createClient()
  const live = liveReplies(log)
  /** Whether the call is among the live replies. */
  let isLive = false
  if (isLeaving) live.endAll()
  const tools: VendorCallTools = {
    hangUpListenMs,
    holdBackMs,
    clock: { nowMs: () => 0, monotonicMs: () => 0 },
    log,
    live: {
      ...live,
      add(reply, owner, kind) {
        isLive = true
        live.add(reply, owner, kind)
      },
      remove(reply) {
        isLive = false
        live.remove(reply)
      },
    },
  }
  const vendorCall = new VendorCall(tools, {
    sink: client.sink,
    caller: CALLER,
    headers: { 'content-type': 'x', 'x-sluice-served-by': 'a/model' },
    errorContext: { hides: [] },
    hidesInput: () => hidesInput,
    answer:
      wants === 'stream'
        ? { kind: 'stream', relay }
        : { kind: 'whole', read: readWhole, readScanned, ...whole },
  })
  const ends: VendorCallEnd[] = []
  void vendorCall.ended.then((end) => ends.push(end))
  const vendor = createVendor(vendorCall, { taken, isQueued })
  return {
    ...{ vendorCall, relay, client, vendor, log },
    tick(times: number) {
      for (let tick = 0; tick < times; tick++) live.tick()
    },
    leave: () => live.endAll(),
    isLive: () => isLive,
    /** End of the call, after all events were processed. */
    async end(): Promise<VendorCallEnd | undefined> {
      await new Promise(setImmediate)
      return ends[0]
    },
  }
}

function readScanned({ outline, outputBytes, isWhole }: ScannedReply) {
  if (!isWhole || outline.error !== undefined) return { kind: 'broken', message: 'No reply.' } as const
  const output = Number(outline.used)
  const tokens = { input: 1, cachedInput: 0, cacheWrite: 0, output, reasoning: 0 }
  return { tokens, vendorUsage: { used: output }, outputBytes }
}

function readWhole(body: Buffer): WholeReply {
  const text = body.toString()
  if (text === 'throw') throw new Error('a fault of ours')
  if (text === 'fail') return { kind: 'failed', failure: { kind: 'busy', message: 'Later.' } }
  return { kind: 'reply', body: text, tokens: undefined, outputBytes: text.length, losses: [] }
}

/** Data that reaches the client, in order; its writes return false while `isSlow` is true. */
function createClient() {
  const received: string[] = []
  const sink: ReplySink = {
    begin: ({ status, body }) => void received.push(`begin ${status}${body === undefined ? '' : ` ${body}`}`),
    write(bytes) {
      received.push(bytes.length > 100 ? `${bytes.length} bytes` : bytes.toString())
      return !client.isSlow
    },
    end: () => void received.push('end'),
    cut: () => void received.push('cut'),
    onDrain(listener) {
      client.drain = listener
    },
    onClose(listener) {
      client.close = listener
    },
  }
  const client = { sink, received, isSlow: false, drain: () => {}, close: () => {} }
  return client
}

/** A vendor as its adapter shows it: when the vendor is stopped or aborted, the call fails immediately. */
function createVendor(
  vendorCall: VendorCall,
  { taken, isQueued }: { taken: 'no' | 'maybe'; isQueued: boolean },
) {
  const calls: string[] = []
  let isOver = false
  let hasHead = false
  const fail = (kind: string, wasTaken: 'no' | 'maybe' = 'maybe') => {
    if (isOver) return
    isOver = true
    calls.push(`over: ${kind}`)
    vendorCall.onFailure({ kind, taken: wasTaken, retryAfterMs: undefined })
  }
  const flow: TextFlow = {
    pause: () => void calls.push('pause'),
    resume: () => void calls.push('resume'),
    stop: (kind) => fail(kind),
  }
  const vendor = {
    /** Calls on its response. */
    calls,
    ask() {
      vendorCall.begin(() => {
        calls.push('asked')
        return { stop: (kind) => fail(kind, hasHead ? 'maybe' : taken), isQueued }
      })
    },
    head(status = 200, retryAfterMs?: number) {
      hasHead = true
      vendorCall.onHead({ status, retryAfterMs }, flow)
    },
    say(...words: string[]) {
      for (const word of words) if (!isOver) vendorCall.onChunk(Buffer.from(word))
    },
    end() {
      if (isOver) return
      isOver = true
      vendorCall.onEnd()
    },
    fail,
  }
  return vendor
}
