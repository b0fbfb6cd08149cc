import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { Violation } from './violation.ts'

interface Sums {
  id: string
  is_prepaid: number
  balance: number
  held: number
  entries: number
  open_holds: number
  costs: number
  losses: number
  usage_entries: number
  credits: number
  refunds: number
  settlements: number
}

/** The reaper runs every two seconds. */
const OVERDUE_MS_MAX = 10_000

/** Compares balances with their entries and holds, in one query: it runs after every commit. */
export class LedgerBooks {
  readonly #sums: StatementSync
  readonly #overdue: StatementSync
  readonly #openHolds: StatementSync
  /** Credit by organization. */
  readonly #credits = new Map<string, number>()
  /** Refunds of charges by operators. */
  readonly #refunds = new Map<string, number>()
  /** Monthly budgets of organizations; a run is far shorter than a month. */
  readonly #budgets = new Map<string, number>()
  /** Held money at the last check. */
  readonly #held = new Map<string, number>()

  constructor(database: DatabaseSync) {
    this.#overdue = database.prepare(
      `select id, amount_micros from holds where state = 'open' and expires_at_ms < ?`,
    )
    this.#openHolds = database.prepare(`select 1 from holds where state = 'open' limit 1`)
    this.#sums = database.prepare(`
      select o.id, o.balance_micros as balance, o.held_micros as held, o.billing = 'prepaid' as is_prepaid,
        (select coalesce(sum(amount_micros), 0) from ledger_entries where organization_id = o.id) as entries,
        (select coalesce(sum(amount_micros), 0) from holds where organization_id = o.id and state = 'open') as open_holds,
        (select coalesce(sum(cost_micros), 0) from text_usage where organization_id = o.id) as costs,
        (select coalesce(sum(loss_micros), 0) from ledger_entries where organization_id = o.id and kind = 'usage') as losses,
        (select coalesce(sum(amount_micros), 0) from ledger_entries where organization_id = o.id and kind = 'usage') as usage_entries,
        (select coalesce(sum(amount_micros), 0) from ledger_entries where organization_id = o.id and kind = 'credit') as credits,
        (select coalesce(sum(amount_micros), 0) from ledger_entries where organization_id = o.id and kind = 'refund') as refunds,
        (select coalesce(sum(amount_micros), 0) from ledger_entries where organization_id = o.id and kind = 'settlement') as settlements
      from organizations o`)
  }

  /** undefined during a change: either budget may apply then. */
  budget(organizationId: string, monthlyMicros: number | null | undefined): void {
    this.#budgets.set(organizationId, monthlyMicros ?? Number.POSITIVE_INFINITY)
  }

  get hasOpenHolds(): boolean {
    return this.#openHolds.get() !== undefined
  }

  credited(organizationId: string, amountMicros: number): void {
    this.#credits.set(organizationId, (this.#credits.get(organizationId) ?? 0) + amountMicros)
  }

  /** Recorded before the call of the store; a negative amount when the store then refused. */
  refunded(organizationId: string, amountMicros: number): void {
    this.#refunds.set(organizationId, (this.#refunds.get(organizationId) ?? 0) + amountMicros)
  }

  /** When all is quiet, ended work holds no money. */
  checkEnd(wallMs: number): void {
    const [hold] = this.#overdue.all(Math.floor(wallMs) - OVERDUE_MS_MAX)
    if (hold !== undefined)
      throw new Violation(
        'lost-release',
        `${hold.id} still holds ${hold.amount_micros} micros past its deadline`,
      )
  }

  check(): void {
    for (const row of this.#sums.all()) {
      this.#checkOne(row as unknown as Sums)
      this.#checkBudget(row as unknown as Sums)
    }
  }

  /** Money is held only within the budget; the work may cost more than its hold. */
  #checkBudget({ id, held, usage_entries, settlements, refunds }: Sums): void {
    const isMore = held > (this.#held.get(id) ?? 0)
    this.#held.set(id, held)
    const budget = this.#budgets.get(id) ?? Number.POSITIVE_INFINITY
    const spent = -usage_entries - settlements - refunds
    if (isMore && spent + held > budget)
      throw new Violation(
        'budget',
        `${id} has spent ${spent} micros, holds ${held}, and may spend ${budget} in the month`,
      )
  }

  #checkOne({
    id,
    is_prepaid,
    balance,
    held,
    entries,
    open_holds,
    costs,
    losses,
    usage_entries,
    credits,
    refunds,
  }: Sums): void {
    if (balance !== entries)
      throw new Violation('balance-is-entries', `${id} has ${balance} micros, its entries are ${entries}`)
    if (held !== open_holds)
      throw new Violation('held-is-holds', `${id} holds ${held} micros, its open holds are ${open_holds}`)
    if (is_prepaid === 1 && balance - held < 0)
      throw new Violation('overdraft', `${id} is prepaid and has ${balance - held} micros to spend`)
    const given = this.#credits.get(id) ?? 0
    if (credits !== given)
      throw new Violation('credits', `${id} was given ${given} micros, its entries say ${credits}`)
    const returned = this.#refunds.get(id) ?? 0
    if (refunds !== returned)
      throw new Violation('refunds', `${id} got ${refunds} micros back, its operator gave ${returned}`)
    if (-usage_entries + losses !== costs)
      throw new Violation(
        'entries-are-costs',
        `${id} used ${costs} micros, its entries say ${-usage_entries} and ${losses} lost`,
      )
  }
}
