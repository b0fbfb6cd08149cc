import type { Operator } from '../../app/operator.ts'
import { type OpenedReceipt, openReceipt, type ReceiptFault, readKeySet } from '../../compose/receipts.ts'
import { type ChainFault, checkChain } from '../../domain/receipts/check-chain.ts'
import { FailedChecks, FileError } from '../errors.ts'
import { readText } from '../parse/read-text.ts'
import { oneLine } from '../present/format-table.ts'
import type { Session, Verb } from '../verb.ts'
import { forAll } from './define-verb.ts'

export const KEYS_OPTION = [
  '--keys <file>',
  'what /.well-known/sluice-receipts.json answered (default: the keys of the store of this machine)',
] as const

type Checked = OpenedReceipt & { file: string }

export const receiptVerify: Verb = {
  path: 'receipt verify',
  summary:
    'Check receipts that were kept as files, without asking any server. Several receipts are also checked as a chain in the given order: none may be missing or out of place.',
  example: 'sluice receipt verify first.json second.json --keys sluice-receipts.json',
  next: 'nothing when all is well',
  define(command, session) {
    command
      .argument('<file...>', 'receipts, each in a file of its own')
      .option(...KEYS_OPTION)
      .action(async (files: string[], { keys: keysFile }: { keys?: string }) => {
        const keys = await readKeys(session, keysFile)
        const checked = files.map((file): Checked => {
          const text = readText(file, 'Give the path of a receipt as the API answered it.')
          return { file, ...openReceipt(text, keys) }
        })
        const chain = checkChain(checked.flatMap((one) => (one.fault === undefined ? [one.link] : [])))
        const faults = checked.filter(({ fault }) => fault !== undefined).length + chain.length
        session.print({
          json: { ok: faults === 0, receipts: checked.map(receiptJson), chain: chain.map(faultJson) },
          text: [...checked.map(describeReceipt), ...chain.map(describeFault), ending(faults)].join('\n'),
        })
        if (faults > 0) throw new FailedChecks(faults)
      })
  },
}

export const receiptRotateKey: Verb = {
  path: 'receipt rotate-key',
  summary:
    'Sign receipts with a new key from now on, on every replica. Receipts of earlier keys stay valid: their public keys stay in the key set, their private keys are erased.',
  example: 'sluice receipt rotate-key',
  next: 'curl http://localhost:8080/.well-known/sluice-receipts.json',
  define: forAll(async (operator) => {
    const { kid, earlierKeys } = await operator.rotateReceiptKey()
    const text = `Receipts are signed with the key ${kid} from now on. Earlier keys: ${earlierKeys}.`
    return { json: { kid, earlier_keys: earlierKeys }, text }
  }),
}

/** Returns the public keys of a file, or of the store without a file, by key id. */
export function readKeys(session: Session, file: string | undefined): Promise<Map<string, string>> {
  return file === undefined ? keysOfStore(session) : Promise.resolve(keysOfFile(file))
}

async function keysOfStore({ operate }: Session): Promise<Map<string, string>> {
  let keys = new Map<string, string>()
  await operate(async (operator: Operator) => {
    const set = await operator.listReceiptKeys()
    keys = new Map(set.keys.map(({ kid, x }) => [kid, x]))
  })
  return keys
}

function keysOfFile(path: string): Map<string, string> {
  const fix = 'Give the path of a file with what /.well-known/sluice-receipts.json answered.'
  const keys = readKeySet(readText(path, fix))
  if (keys === undefined) throw new FileError(path, { wrong: 'it is not a JSON Web Key Set', fix })
  return keys
}

function receiptJson(checked: Checked) {
  if (checked.fault !== undefined) return { file: checked.file, valid: false, fault: checked.fault }
  return { file: checked.file, valid: true, receipt: checked.receipt }
}

export const RECEIPT_FAULTS: Record<ReceiptFault, string> = {
  'no-receipt': 'this is not a receipt',
  'unknown-key': 'it is signed by a key that the key set does not have',
  changed: 'it was changed: the signature does not match',
}

function describeReceipt(checked: Checked): string {
  if (checked.fault !== undefined) return `BROKEN  ${oneLine(checked.file)}: ${RECEIPT_FAULTS[checked.fault]}`
  const { number, organizationId } = checked.link
  const { task_id: taskId, request_id: requestId, group_id: groupId, amount_micros: amount } = checked.receipt
  const of = oneLine(String(taskId ?? requestId ?? groupId ?? ''))
  return `ok      ${oneLine(checked.file)}: number ${number} of ${oneLine(organizationId)}, ${of}, ${Number(amount ?? 0)} micros`
}

function faultJson({ organizationId, ...fault }: ChainFault) {
  return { organization_id: organizationId, ...fault }
}

function describeFault(fault: ChainFault): string {
  const of = `of ${oneLine(fault.organizationId)}`
  switch (fault.kind) {
    case 'missing': {
      const { from, to } = fault
      return `MISSING receipt ${from === to ? from : `${from} to ${to}`} ${of}`
    }
    case 'out-of-order':
      return `MOVED   receipt ${fault.number} ${of} is not in its place, or is there twice`
    case 'not-linked':
      return `BROKEN  receipt ${fault.number} ${of} was made after another receipt than the one before it here`
  }
}

function ending(faults: number): string {
  return faults === 0 ? 'All receipts are valid.' : 'Not all receipts are valid.'
}
