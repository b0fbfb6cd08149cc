import type { TextFigures } from '../../../ports/usage.ts'
import type { AwaitedRow } from '../../billing/spent.ts'

/** Where a reply names the model that served it, as the catalog calls it. */
export const SERVED_BY_HEADER = 'x-sluice-served-by'
/** Where a whole reply says what it cost, in US dollars with six decimals. */
export const COST_HEADER = 'x-sluice-cost-usd'

/** How a reply begins; with a `body` it is whole and over. */
export interface SinkHead {
  status: number
  headers: Record<string, string>
  body?: string | Uint8Array
}

/** Where a reply goes: one client's connection. Until `begin` an error can still be thrown and sent as a status. */
export interface ReplySink {
  /** Without a `body`, `write` and `end` follow. */
  begin(head: SinkHead): void
  /** Whole events only. False: the client is slow; write no more until `onDrain` was called. */
  write(bytes: string | Uint8Array): boolean
  end(): void
  /** Closes the connection of a client that takes nothing any longer. */
  cut(): void
  /** Called each time the client can take more. */
  onDrain(listener: () => void): void
  /**
   * Called once, when the connection is done: after the end of the reply, or when the client is gone before it. Never from
   * within `begin`, `write` or `end`: a reply that is being handed over would count as a hang-up.
   */
  onClose(listener: () => void): void
  /**
   * Called once, when the request has passed every check and its money is set aside; the vendor is asked after it. When it
   * rejects, the vendor is not asked and nothing is charged. Left out: it is of no use there.
   */
  accepted?(): Promise<void>
  /** What is still read of the reply after its client has left goes there. Left out: nowhere. */
  afterClose?: ReplySink
  /** Whether no client could read the rest of the reply: its vendor is not heard on for the count then. Left out: false. */
  restIsUseless?(): boolean
  /** Called once, before the usage row of a reply waits to be written; never rejects. Left out: the row waits for nothing. */
  charging?(row: AwaitedRow): Promise<void>
  /** What the reply used and cost, for those who look after the connection. Left out: it is of no use there. */
  settled?(usage: TextFigures): void
}

/** In the place of a client that has left. */
export const NO_CLIENT: ReplySink = {
  begin() {},
  write: () => true,
  end() {},
  cut() {},
  onDrain() {},
  onClose() {},
}
