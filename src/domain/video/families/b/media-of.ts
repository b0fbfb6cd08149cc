import type { ContentItem, MediaItem, MediaKind } from '../../request.ts'

/** The media of one kind, in the client's order, optionally only those with a role. */
export function mediaOf(items: readonly ContentItem[], kind: MediaKind, role?: string): MediaItem[] {
  return items
    .filter((item) => item.kind !== 'text')
    .filter((item) => item.kind === kind && (role === undefined || item.role === role))
}

/** The texts without a special role, one a line. */
export function promptOf(items: readonly ContentItem[]): string {
  return items
    .filter((item) => item.kind === 'text')
    .filter(({ role }) => role === undefined)
    .map(({ text }) => text)
    .join('\n')
}
