import type { EdgeRequest } from '../edge-request.ts'

/**
 * Calls `act` when the cost of a text reply is known. Node reports the end of a response one turn of the event loop
 * before that, because the code that awaits the reply runs later. Other responses need not wait.
 */
export function afterSettlement({ servedBy, textUsage }: EdgeRequest, act: () => void): void {
  if (servedBy === undefined || textUsage !== undefined) act()
  else setImmediate(act)
}
