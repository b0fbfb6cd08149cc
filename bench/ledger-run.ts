import { micros } from '../src/domain/billing/micros.ts'
import type { NewHold } from '../src/ports/ledger.ts'
import type { Store } from '../src/ports/store.ts'

export const ORGANIZATION_ID = 'org_bench'
export const AMOUNT_MICROS = micros(700)
export const COST_MICROS = micros(600)
/** Number of concurrent callers, as in a busy gateway. */
export const IN_FLIGHT = 64

/** One implementation of pairs of a hold and its settlement, a pair for each id. */
export interface LedgerRun {
  name: string
  run(ids: string[]): Promise<void>
  close(): Promise<void>
}

export function holdOf(id: string): NewHold {
  return {
    id,
    organizationId: ORGANIZATION_ID,
    userId: 'usr_bench',
    day: '2030-01-01',
    taskId: id,
    amountMicros: AMOUNT_MICROS,
    createdAtMs: 0,
    expiresAtMs: 1,
  }
}

export function settlementOf(holdId: string) {
  const cost = { unit: 'second', quantity: 1, priceMicros: COST_MICROS } as const
  return { holdId, entryId: `${holdId}-entry`, cost, atMs: 2 }
}

export async function inParallel(
  ids: readonly string[],
  inFlight: number,
  work: (id: string) => Promise<void>,
): Promise<void> {
  const waiting = ids.values()
  const worker = async () => {
    for (const id of waiting) await work(id)
  }
  await Promise.all(Array.from({ length: inFlight }, worker))
}

export async function giveCredit(store: Store): Promise<void> {
  const audit = {
    id: 'aud_bench',
    atMs: 0,
    actor: 'cli',
    organizationId: null,
    subject: '',
    detail: {},
  } as const
  await store.organizations.create(
    {
      id: ORGANIZATION_ID,
      name: 'bench',
      billing: 'prepaid',
      requestsPerMinute: null,
      encryptedWebhookSecret: '',
      createdAtMs: 0,
    },
    { ...audit, action: 'organization.create' },
  )
  await store.ledger.addCredit(
    {
      entryId: 'ent_bench',
      organizationId: ORGANIZATION_ID,
      amountMicros: micros(1_000_000_000_000),
      note: null,
      atMs: 0,
    },
    { ...audit, id: 'aud_bench_2', action: 'credit.add' },
  )
}
