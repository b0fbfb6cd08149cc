import {
  CHARGED_REQUEST,
  ENTRY,
  ENTRY_KINDS,
  HOLD,
  LEDGER_CHECK,
  REFUND,
  tracedEntryJson,
} from '../../../app/views/ledger.ts'
import { ApiError } from '../../../domain/api-error.ts'
import { json } from '../../../domain/json/json-schema.ts'
import { adminAnswer, adminOperation, adminRows, ORGANIZATION_FILTER } from '../../admin/admin-operation.ts'
import type { Operation } from '../../operation.ts'
import { field } from './fields.ts'

/** Limit of text requests that a usage entry shows. */
const REQUESTS_MAX = 100

export const ledger: readonly Operation[] = [
  adminRows('adminListLedger', '/ledger', ENTRY, {
    isDated: true,
    summary: 'List ledger entries',
    query: {
      ...ORGANIZATION_FILTER,
      kind: { schema: json.oneOf(ENTRY_KINDS), description: 'Only entries of this kind.' },
      task_id: { schema: field.id('task'), description: 'Only the settlement and the refunds of this task.' },
      hold_id: { schema: field.id('hold'), description: 'Only the settlement and the refunds of this hold.' },
      usage_id: {
        schema: field.id('req'),
        description: 'Only the charge and the refunds of this text request or usage row.',
      },
    },
    page: (query, { operator, query: given }) =>
      operator.pages.entries({
        ...query,
        kind: given.oneOf('kind', ENTRY_KINDS),
        ...given.named('task_id', 'hold_id', 'usage_id'),
      }),
  }),
  adminOperation('adminGetLedgerEntry', 'GET /ledger/:id', {
    summary: 'Show a ledger entry with its hold, its task and its text requests',
    reply: json.object({
      ...ENTRY.members,
      usage_id: field.textOrNull(),
      hold: json.nullable(HOLD.schema),
      requests: json.array(CHARGED_REQUEST.schema, {
        description: `The first ${REQUESTS_MAX} text requests that the entry charges or refunds.`,
      }),
    }),
    async run({ operator, id }) {
      const entry = await operator.pages.findEntry({ id, requestsMax: REQUESTS_MAX })
      if (entry === undefined) throw new ApiError('not_found', { message: `There is no ledger entry ${id}.` })
      return tracedEntryJson(entry)
    },
  }),
  adminAnswer('adminRefund', 'POST /ledger/refunds', REFUND, {
    summary: 'Give back a charge, or a part of it',
    description:
      'Without an amount, everything that was not refunded before is refunded. All refunds together are at most the charge.',
    body: json.object({
      task_id: field.id('task'),
      amount_micros: json.nullish(
        json.integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, description: 'At least 1.' }),
      ),
      note: field.note(),
    }),
    errors: { 404: 'There is nothing to give back for it, or `admin endpoints disabled`.' },
    async run({ operator, body }) {
      const taskId = body.text('task_id')
      const refunded = await operator.refundTask({
        taskId,
        amountMicros: body.microsOr('amount_micros', undefined),
        note: body.text('note').trim(),
      })
      return { ...refunded, taskId }
    },
  }),
  adminAnswer('adminCheckLedger', 'POST /ledger/check', LEDGER_CHECK, {
    summary: 'Add everything up and say whether the invariants of the ledger hold',
    description:
      'Runs `sluice ledger check`, with at most 100 violations for each invariant. It changes nothing. After 30 seconds no further invariant is checked, and `unchecked_invariants` lists the rest; the command checks all of them.',
    run: ({ operator }) => operator.checkLedger(),
  }),
]
