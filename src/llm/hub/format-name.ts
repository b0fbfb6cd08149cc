/** Chat and responses ask for the name of a shape, in few letters; clients of others often give none. */
export function formatName(name: string | undefined): string {
  return (name ?? '').replace(/[^a-zA-Z0-9_-]/g, '_').slice(0, 64) || 'reply'
}
