import type { RingKey } from './key-ring.ts'

/** What a vendor may repeat in its errors and no client may read: where it is, and how we are let in. */
export function hiddenWords(baseUrl: string, keys: readonly RingKey[]): string[] {
  const { origin, host, hostname } = new URL(baseUrl)
  return [...new Set([baseUrl, origin, host, hostname, ...keys.map(({ key }) => key.reveal())])]
}
