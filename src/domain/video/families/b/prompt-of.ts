import type { ContentItem } from '../../request.ts'

/** The texts without a role of their own, one a line; empty when there is none. */
export function promptOf(items: readonly ContentItem[]): string {
  return items
    .filter((item) => item.kind === 'text')
    .filter(({ role }) => role === undefined)
    .map(({ text }) => text)
    .join('\n')
}
