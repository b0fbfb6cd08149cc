/** Where a reply names what its conversion could not carry. */
export const LOSSES_HEADER = 'x-sluice-losses'

/** Headers that also name these losses, each once; the same headers when there are none. */
export function nameLosses(
  headers: Record<string, string>,
  losses: Iterable<string>,
): Record<string, string> {
  const names = new Set(headers[LOSSES_HEADER]?.split(', '))
  for (const loss of losses) names.add(loss)
  return names.size === 0 ? headers : { ...headers, [LOSSES_HEADER]: [...names].join(', ') }
}
