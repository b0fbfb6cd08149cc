/** Which way bytes go: from the client to the target, or back. */
export type Direction = 'to-target' | 'to-client'

/** What the proxy does from now on, to open connections and to new ones alike. */
export type FaultMode =
  | { kind: 'pass' }
  /** Connections are refused, and open ones are reset, as when the other side has died. */
  | { kind: 'refuse' }
  /** Every connection is taken and answered with RST. */
  | { kind: 'reset' }
  /** Connections are taken, and nothing moves. */
  | { kind: 'hang' }
  | { kind: 'delay'; delayMs: number }
  | { kind: 'drip'; bytes: number; everyMs: number }
  /** Lets so many bytes of each connection through in this direction, then closes both sides. */
  | { kind: 'cut-after'; direction: Direction; bytes: number }
  /** The same, but only says "no more" in this direction; the other stays open. */
  | { kind: 'half-close'; direction: Direction; bytes: number }

/** What happens to the next bytes of a connection. */
export interface Step {
  waitMs: number
  /** How many bytes go through now. */
  bytes: number
  after: 'go-on' | 'cut' | 'half-close'
}

export function nextStep(
  mode: FaultMode,
  connection: { direction: Direction; passedBytes: number; waitingBytes: number },
): Step {
  const all = { waitMs: 0, bytes: connection.waitingBytes, after: 'go-on' } as const
  switch (mode.kind) {
    case 'delay':
      return { ...all, waitMs: mode.delayMs }
    case 'drip':
      return { ...all, waitMs: mode.everyMs, bytes: Math.min(mode.bytes, connection.waitingBytes) }
    case 'cut-after':
    case 'half-close': {
      const left = mode.bytes - connection.passedBytes
      if (mode.direction !== connection.direction || left > connection.waitingBytes) return all
      return { waitMs: 0, bytes: left, after: mode.kind === 'half-close' ? 'half-close' : 'cut' }
    }
    default:
      return all
  }
}
