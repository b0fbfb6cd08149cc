import type { ContentItem, MediaItem, MediaKind } from '../../request.ts'

/** The media of one kind, in the client's order; with a role, only those that have it. */
export function mediaOf(items: readonly ContentItem[], kind: MediaKind, role?: string): MediaItem[] {
  return items
    .filter((item) => item.kind !== 'text')
    .filter((item) => item.kind === kind && (role === undefined || item.role === role))
}

/** The texts without a role of their own, one a line; empty when there is none. */
export function promptOf(items: readonly ContentItem[]): string {
  return items
    .filter((item) => item.kind === 'text')
    .filter(({ role }) => role === undefined)
    .map(({ text }) => text)
    .join('\n')
}
