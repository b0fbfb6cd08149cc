/** Where a reply names what its conversion could not carry. */
export const LOSSES_HEADER = 'x-sluice-losses'

/** Headers that also name these losses, each once; the same headers when there are none. */
export function nameLosses(
  headers: Record<string, string>,
  losses: Iterable<string>,
): Record<string, string> {
  let named: Set<string> | undefined
  for (const loss of losses) {
    named ??= new Set(headers[LOSSES_HEADER]?.split(', '))
    named.add(loss)
  }
  return named === undefined ? headers : { ...headers, [LOSSES_HEADER]: [...named].join(', ') }
}
