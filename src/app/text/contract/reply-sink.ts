import type { TextFigures } from '../../../ports/usage.ts'
import type { AwaitedRow } from '../../billing/spent.ts'

/** Response header with the catalog name of the model that served the request. */
export const SERVED_BY_HEADER = 'x-sluice-served-by'
/** Response header of a whole reply with its cost in US dollars with six decimals. */
export const COST_HEADER = 'x-sluice-cost-usd'

/** Status and headers of a reply. With a `body` the reply is complete. */
export interface SinkHead {
  status: number
  headers: Record<string, string>
  body?: string | Uint8Array
}

/** Destination of a reply: one client's connection. Before `begin` an error can still be thrown and sent as a status. */
export interface ReplySink {
  /** Without a `body`, `write` and `end` follow. */
  begin(head: SinkHead): void
  /** Called with a whole reply that is still being stored. `begin` follows with the same reply. */
  willBegin?(head: SinkHead): void
  /** Takes whole events only. False: the client is slow, and nothing may be written before `onDrain` was called. */
  write(bytes: string | Uint8Array): boolean
  end(): void
  /** Closes the connection of a client that stopped reading. */
  cut(): void
  /** Called each time the client can take more. */
  onDrain(listener: () => void): void
  /**
   * Called once, when the connection is done: after the end of the reply, or when the client has left before. Never called
   * within `begin`, `write` or `end`, where it would count as a hang-up.
   */
  onClose(listener: () => void): void
  /**
   * Called once, when the request has passed every check and its money is reserved, before the vendor is called. When it
   * rejects, the vendor is not called and nothing is charged.
   */
  accepted?(): Promise<void>
  /** Gets the rest of the reply after its client has left. Left out: the rest is dropped. */
  afterClose?: ReplySink
  /** Whether no client can read the rest later, so that the vendor's usage is not awaited. Left out: false. */
  restIsUseless?(): boolean
  /** Called once, before the usage row of a reply is queued; never rejects. Left out: the row waits for nothing. */
  charging?(row: AwaitedRow): Promise<void>
  /** Reports the usage and cost of the reply, for example to the log of the connection. */
  settled?(usage: TextFigures): void
  /** Called when a refused request leaves a usage row, which names its error. */
  recorded?(): void
}

export const NO_CLIENT: ReplySink = {
  begin() {},
  write: () => true,
  end() {},
  cut() {},
  onDrain() {},
  onClose() {},
}
