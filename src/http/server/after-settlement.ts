import type { EdgeRequest } from '../edge-request.ts'

/**
 * Node reports the end of a response before the code that awaits the reply runs: the cost of a text reply is known one turn
 * of the event loop later. Other responses need not wait.
 */
export function afterSettlement({ servedBy, textUsage }: EdgeRequest, act: () => void): void {
  if (servedBy === undefined || textUsage !== undefined) act()
  else setImmediate(act)
}
