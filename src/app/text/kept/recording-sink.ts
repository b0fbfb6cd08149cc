import { NO_CLIENT, type ReplySink } from '../contract/reply-sink.ts'
import type { Recording } from './recording.ts'

/** A sink without a client, which only records. */
export function recordingSink(recording: Recording): ReplySink {
  return {
    ...NO_CLIENT,
    begin({ body }) {
      if (body !== undefined) recording.takeWhole(body)
    },
    write(bytes) {
      recording.take(bytes)
      return true
    },
    charging: (row) => recording.charging(row),
  }
}

/**
 * Records the bytes that a client gets. The end of a stream waits for `handOver`. A whole reply is sent once it is kept.
 * The store may confirm many replies at the same time, so each long reply is sent in its own turn.
 */
export function recordedSink(
  recording: Recording,
  client: ReplySink,
  turnFor: (length: number) => Promise<void>,
) {
  const last: (string | Uint8Array)[] = []
  let hasEnded = false
  let whole: Promise<void> | undefined
  const sink: ReplySink = {
    begin(head) {
      if (head.body === undefined) return client.begin(head)
      const kept = { ...head, body: recording.takeWhole(head.body) }
      client.willBegin?.(kept)
      whole = recording
        .finish()
        .then(() => turnFor(kept.body.length))
        .then(() => client.begin(kept))
    },
    write(bytes) {
      const hadEnded = recording.isEnded
      const recorded = recording.take(bytes)
      if (last.length === 0 && (hadEnded || !recording.isEnded)) return client.write(recorded)
      last.push(recorded)
      return true
    },
    end() {
      hasEnded = true
    },
    cut: () => client.cut(),
    onDrain: (listener) => client.onDrain(listener),
    onClose: (listener) => client.onClose(listener),
    charging: (row) => recording.charging(row),
    settled: (usage) => client.settled?.(usage),
    recorded: () => client.recorded?.(),
    afterClose: recordingSink(recording),
  }
  return {
    sink,
    get hasEnded() {
      return hasEnded || whole !== undefined
    },
    /** Sends the held end of a stream. A whole reply needs no call to be sent, so `handOver` only waits for it. */
    async handOver(): Promise<void> {
      if (whole !== undefined) return whole
      await turnFor(last.reduce((sum, bytes) => sum + bytes.length, 0))
      for (const bytes of last) client.write(bytes)
      client.end()
    },
  }
}
