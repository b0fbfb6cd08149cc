import { inspectClip } from '@sluice/provenance/inspect-clip'
import type { ApiTypes } from './api-types.ts'
import { type ReceiptContent, verifyReceipts } from './receipts.ts'

type Facts = 'sha256' | 'bytes' | 'media_type' | 'duration_ms' | 'width' | 'height' | 'marks'

/** Facts and origin of a media file, as the file states them. */
export type FileOrigin = Pick<ApiTypes['Provenance'], Facts> & {
  /** Result of the check of the given receipt against this file; undefined: no receipt was given. */
  receipt: { matches: boolean; fault?: string; content?: ReceiptContent } | undefined
}

/** Receipt `entry` of the provenance of a video, and the key set of the gateway. */
export interface Proof {
  receipt: ApiTypes['Receipt']
  keys: ApiTypes['ReceiptKeysReply']
}

/**
 * Reads the SHA-256 and the marks of a file, and compares it with a receipt. Nothing is sent. The file is in memory while
 * its hash is computed.
 */
export async function readProvenance(
  file: Blob | Uint8Array<ArrayBuffer>,
  proof?: Proof,
): Promise<FileOrigin> {
  const blob = file instanceof Blob ? file : new Blob([file])
  const digest = await crypto.subtle.digest('SHA-256', await blob.arrayBuffer())
  const sha256 = Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('')
  const facts = await inspectClip({
    size: blob.size,
    read: async (offset, length) => new Uint8Array(await blob.slice(offset, offset + length).arrayBuffer()),
  })
  return { sha256, bytes: blob.size, ...facts, receipt: proof && (await compare(sha256, proof)) }
}

/** Compares the hash with both hashes in a receipt: of the file as it was served, and as the vendor made it. */
async function compare(sha256: string, { receipt, keys }: Proof): Promise<FileOrigin['receipt']> {
  const { receipts, faults } = await verifyReceipts([receipt], keys)
  const [content] = receipts
  if (content === undefined || faults.length > 0) return { matches: false, fault: faults.join(', ') }
  const hashes = [content.sha256, content.source_sha256]
  if (hashes.includes(sha256)) return { matches: true, content }
  const namesFile = hashes.some((hash) => typeof hash === 'string')
  const fault = namesFile ? 'it is about another file, or the file was changed' : 'it names no file'
  return { matches: false, fault, content }
}
