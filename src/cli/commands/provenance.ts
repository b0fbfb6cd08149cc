import { type FileProvenance, inspectFile } from '../../compose/provenance.ts'
import { type OpenedReceipt, openReceipt } from '../../compose/receipts.ts'
import { FailedChecks } from '../errors.ts'
import { readText, unreadable } from '../parse/read-text.ts'
import { oneLine } from '../present/format-table.ts'
import type { Verb } from '../verb.ts'
import { KEYS_OPTION, RECEIPT_FAULTS, readKeys } from './receipt-verify.ts'

interface Options {
  receipt?: string
  keys?: string
}

export const provenance: Verb = {
  path: 'provenance',
  summary:
    'Tell where a video file comes from, without asking any server: its SHA-256, its C2PA manifest and AIGC metadata, and whether a receipt is about this very file. The exit code is 1 for an invalid manifest, or a receipt that is invalid or about another file.',
  example: 'sluice provenance clip.mp4 --receipt entry.json --keys sluice-receipts.json',
  next: 'nothing when all is well',
  define(command, session) {
    command
      .argument('<file>', 'a media file')
      .option('--receipt <file>', 'the entry "video.clip" of the receipts')
      .option(...KEYS_OPTION)
      .action(async (path: string, { receipt: receiptFile, keys: keysFile }: Options) => {
        const opened =
          receiptFile === undefined
            ? undefined
            : openReceipt(
                readText(receiptFile, 'Give the path of a receipt as the API answered it.'),
                await readKeys(session, keysFile),
              )
        const read = await inspectFile(path).catch((error: unknown) => {
          throw unreadable(path, error, 'Give the path of a media file.')
        })
        const receipt = opened && compare(opened, read.sha256)
        const failed = [read.c2pa.state === 'invalid', receipt?.matches === false].filter(Boolean).length
        session.print({
          json: {
            ok: failed === 0,
            file: path,
            sha256: read.sha256,
            bytes: read.bytes,
            ...read.facts,
            marks: { ...read.facts.marks, c2pa: read.c2pa },
            receipt: receipt ?? null,
          },
          text: [...describeFile(path, read), describeReceipt(receipt)].join('\n'),
        })
        if (failed > 0) throw new FailedChecks(failed)
      })
  },
}

/** Checks that a receipt is valid and has the hash of the file, as served or as the vendor made it. */
function compare(opened: OpenedReceipt, sha256: string) {
  if (opened.fault !== undefined) return { matches: false, fault: RECEIPT_FAULTS[opened.fault] }
  const { receipt } = opened
  const hashes = [receipt.sha256, receipt.source_sha256].filter((hash) => typeof hash === 'string')
  if (hashes.includes(sha256)) return { matches: true, receipt }
  const fault = hashes.length === 0 ? 'it names no file' : 'it is about another file, or the file was changed'
  return { matches: false, fault, receipt }
}

function describeFile(path: string, { sha256, bytes, facts, c2pa }: FileProvenance): string[] {
  const { media_type: mediaType, duration_ms: ms, width, height, marks } = facts
  const length = ms === null ? '' : `, ${ms / 1_000} s`
  const size = width === null ? '' : `, ${width} x ${height}`
  const aigc = Object.entries(marks.aigc ?? {}).map(([name, value]) => `${name} ${oneLine(value)}`)
  return [
    `File     ${oneLine(path)}: ${mediaType}${length}${size}, ${bytes} bytes`,
    `SHA-256  ${sha256}`,
    `C2PA     ${describeManifest(c2pa)}`,
    `AIGC     ${marks.aigc === null ? 'none' : aigc.join(', ') || 'there, but not readable'}`,
  ]
}

function describeManifest({ state, issuer, problems }: FileProvenance['c2pa']): string {
  if (state === 'none') return 'none'
  const by = issuer === null ? '' : `, signed by ${oneLine(issuer)}`
  return state === 'valid' ? `valid${by}` : `INVALID${by}: ${problems.join(', ')}`
}

function describeReceipt(receipt: ReturnType<typeof compare> | undefined): string {
  if (receipt === undefined) return 'Receipt  not given'
  if (!receipt.matches) return `Receipt  DOES NOT MATCH: ${receipt.fault}`
  const { task_id: task, model } = receipt.receipt ?? {}
  return `Receipt  matches: ${[task, model].flatMap((value) => (typeof value === 'string' ? [oneLine(value)] : [])).join(', ')}`
}
