import type { EdgeRequest } from '../edge-request.ts'

/**
 * Node reports the end of an answer before the promises that wait for the reply go on: what a text reply cost is known one
 * turn of the event loop later. All other answers need not wait.
 */
export function afterSettlement({ servedBy, textUsage }: EdgeRequest, act: () => void): void {
  if (servedBy === undefined || textUsage !== undefined) act()
  else setImmediate(act)
}
