/** Data of each type of event. Members have the names that receivers see. */
export interface EventData {
  'balance.low': { organization_id: string; balance_micros: number; threshold_micros: number }
  'balance.empty': { organization_id: string; balance_micros: number }
  'budget.warning': { organization_id: string; month: string; used_micros: number; budget_micros: number }
  'budget.reached': { organization_id: string; month: string; used_micros: number; budget_micros: number }
  'key.expiring': { organization_id: string; key_id: string; name: string; expires_at: string }
  'callback.given_up': { organization_id: string; task_id: string; callback_id: string }
  'task.set_aside': { organization_id: string; task_id: string }
  'provider.down': { provider: string }
  'provider.up': { provider: string; down_since: string }
  'ledger.broken': { rows: number; first: string }
  'store.nearly_full': { free_bytes: number; total_bytes: number }
  'person.revoked': { organization_id: string; group_id: string; revoked_at: string }
  'event.test': { test: true }
}

export type EventType = keyof EventData

interface EventTypeRow<Type extends EventType> {
  /** Whether the affected organization also gets the event, at its `events_url`. Operators get every event. */
  isForCustomers: boolean
  when: string
  example: EventData[Type]
}

const ORGANIZATION = { organization_id: 'org_019a2b3c' }

/** The order is that of the documentation. */
export const EVENT_TYPES: { readonly [Type in EventType]: EventTypeRow<Type> } = {
  'balance.low': {
    isForCustomers: true,
    when: 'The balance, held money included, is below `--low-balance-usd` of the organization. Again after a credit lifts it to the threshold.',
    example: { ...ORGANIZATION, balance_micros: 4_200_000, threshold_micros: 5_000_000 },
  },
  'balance.empty': {
    isForCustomers: true,
    when: 'A request was refused with 402. Again after the next credit.',
    example: { ...ORGANIZATION, balance_micros: 120 },
  },
  'budget.warning': {
    isForCustomers: true,
    when: 'The charges of a month reach the warning percentage of the budget. Once a month, and again after it is set.',
    example: { ...ORGANIZATION, month: '2026-11', used_micros: 80_400_000, budget_micros: 100_000_000 },
  },
  'budget.reached': {
    isForCustomers: true,
    when: 'The charges of a month reach the budget. Once for each month and budget.',
    example: { ...ORGANIZATION, month: '2026-11', used_micros: 100_000_000, budget_micros: 100_000_000 },
  },
  'key.expiring': {
    isForCustomers: true,
    when: 'A key expires within 7 days.',
    example: {
      ...ORGANIZATION,
      key_id: 'key_019a2b3c',
      name: 'production',
      expires_at: '2026-11-25T09:00:00.000Z',
    },
  },
  'callback.given_up': {
    isForCustomers: true,
    when: 'No further attempt to deliver the callback of a video follows.',
    example: { ...ORGANIZATION, task_id: 'task_019a2b3c', callback_id: 'msg_019a2b3c' },
  },
  'task.set_aside': {
    isForCustomers: false,
    when: 'The row of a task cannot be claimed or read, so the task is no longer polled.',
    example: { ...ORGANIZATION, task_id: 'task_019a2b3c' },
  },
  'provider.down': {
    isForCustomers: false,
    when: 'A breaker that holds back the calls of all organizations opened. Once for all replicas.',
    example: { provider: 'openai' },
  },
  'provider.up': {
    isForCustomers: false,
    when: 'The breakers of a provider that was down are closed.',
    example: { provider: 'openai', down_since: '2026-11-18T09:00:00.000Z' },
  },
  'ledger.broken': {
    isForCustomers: false,
    when: 'The check of the ledger, which runs when a day is closed, found rows that do not add up.',
    example: { rows: 1, first: 'org_019a2b3c: the balance differs from the sum of its entries' },
  },
  'store.nearly_full': {
    isForCustomers: false,
    when: 'Less than a tenth of the disk of the embedded store is free. At most once a day. The disk of a PostgreSQL server is not seen.',
    example: { free_bytes: 900_000_000, total_bytes: 10_000_000_000 },
  },
  'person.revoked': {
    isForCustomers: true,
    when: 'A verified person took the consent back.',
    example: { ...ORGANIZATION, group_id: 'group_019a2b3c', revoked_at: '2026-11-18T09:00:00.000Z' },
  },
  'event.test': {
    isForCustomers: true,
    when: '`sluice events test` was run, with `--org` also for that organization.',
    example: { test: true },
  },
}

/** An event that happened, before it is written for its receivers. */
export interface NewEvent<Type extends EventType = EventType> {
  type: Type
  /** null: the event concerns the deployment. */
  organizationId: string | null
  /** Equal for all reports of one cause; only the first is stored. */
  cause: string
  data: EventData[Type]
  atMs: number
}

/** Receiver of the events for operators, in the place of an organization's id. */
export const OPERATOR_RECEIVER = 'operator'
