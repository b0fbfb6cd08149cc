/** Direction of bytes: from the client to the target, or back. */
export type Direction = 'to-target' | 'to-client'

/** Behaviour of the proxy from now on, for open and new connections. */
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
  /** Passes `bytes` of each connection in this direction, then closes both sides. */
  | { kind: 'cut-after'; direction: Direction; bytes: number }
  /** Ends only this direction; the other stays open. */
  | { kind: 'half-close'; direction: Direction; bytes: number }

/** Effect on the next bytes of a connection. */
export interface Step {
  waitMs: number
  /** Number of bytes that pass now. */
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
