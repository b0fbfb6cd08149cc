import type { StatementSync } from 'node:sqlite'
import type { Operator as OperatorUseCases } from '../../src/app/operator.ts'
import { operatorUseCases } from '../../src/compose/operator.ts'
import { micros } from '../../src/domain/billing/micros.ts'
import type { AssetBooks } from '../books/asset-books.ts'
import type { LedgerBooks } from '../books/ledger-books.ts'
import type { PriceList } from '../books/price-list.ts'
import type { SpendingBooks } from '../books/spending-books.ts'
import type { Random } from '../kernel/random.ts'
import { OUTSIDE, type World } from '../kernel/world.ts'
import type { Faults } from '../parts/faults.ts'
import { openSimTools, type Surroundings } from '../parts/replica.ts'
import { CatalogChanges } from './catalog-changes.ts'
import type { ClientIdentity } from './client.ts'

interface Charge {
  request_id: string
  organization_id: string
  cost_micros: number
}

/** Creates the tenants, and later changes prices and limits, erases people and adds credit at any moment. */
export class Operator {
  readonly #world: World
  readonly #faults: Faults
  readonly #ledger: LedgerBooks
  readonly #days: SpendingBooks
  readonly #keyBudgets: SpendingBooks
  readonly #assets: AssetBooks
  readonly #catalog: CatalogChanges
  readonly #useCases: OperatorUseCases
  readonly #random: Random
  readonly #organizations: string[] = []
  readonly #charges: StatementSync
  readonly #users: string[] = []
  readonly #keys: string[] = []
  readonly #refunded = new Set<string>()

  constructor({
    world,
    faults,
    prices,
    ledger,
    days,
    keyBudgets,
    assets,
    surroundings,
  }: {
    world: World
    faults: Faults
    prices: PriceList
    ledger: LedgerBooks
    days: SpendingBooks
    keyBudgets: SpendingBooks
    assets: AssetBooks
    surroundings: Surroundings
  }) {
    this.#world = world
    this.#faults = faults
    this.#ledger = ledger
    this.#days = days
    this.#keyBudgets = keyBudgets
    this.#assets = assets
    this.#random = world.random.branch('operator')
    const { store, cache, gates, plant } = surroundings
    this.#charges = store.database.prepare(`
      select u.request_id, u.organization_id, u.cost_micros from text_usage u join ledger_entries e on e.id = u.entry_id
      where u.cost_micros > 0 and e.loss_micros = 0 order by u.rowid desc limit 20`)
    this.#useCases = operatorUseCases({
      tools: openSimTools(OUTSIDE, surroundings),
      store: plant.store?.(store.direct) ?? store.direct,
      cache: cache.openFor(OUTSIDE, gates.cache).cache,
      by: { actor: 'cli' },
      deletableProviders: ['vendorA'],
      send: surroundings.sendCallback(OUTSIDE),
      publicBaseUrl: () => '',
      isAllowedUrl: () => true,
      hasEventReceiver: false,
      providerTools: { checkMembers: async () => {}, listOthers: () => [] },
    })
    this.#catalog = new CatalogChanges({
      ...{ world, prices, store: store.direct, random: this.#random },
      applyCatalog: this.#useCases.applyCatalog,
    })
  }

  async makeTenants(count: number): Promise<ClientIdentity[]> {
    const made: ClientIdentity[] = []
    await this.#catalog.fill()
    for (let number = 1; number <= count; number += 1) {
      const { organization } = await this.#useCases.createOrganization({
        name: `organization ${number}`,
        billing: number % 3 === 0 ? 'postpaid' : 'prepaid',
        requestsPerMinute: null,
      })
      const organizationId = organization.id
      this.#organizations.push(organizationId)
      await this.#credit(organizationId, this.#random.pick([20_000, 2_000_000, 20_000_000]))
      const user = await this.#useCases.createUser({ organizationId, name: `user ${number}` })
      this.#users.push(user.id)
      const { apiKey, key } = await this.#useCases.createKey({
        organizationId,
        userId: user.id,
        name: 'key',
        requestsPerMinute: null,
      })
      this.#keys.push(apiKey.id)
      made.push({ organizationId, userId: user.id, keyId: apiKey.id, key })
    }
    return made
  }

  /** Runs once in a while. `faults` also decides what an operator does, so that `--without` can leave an action out. */
  act(): void {
    if (this.#faults.happens('credit', 0.15))
      this.#do(this.#credit(this.#random.pick(this.#organizations), this.#random.whole(1_000, 100_000)))
    if (this.#faults.happens('price-change', 0.06)) this.#do(this.#catalog.changePrice())
    if (this.#faults.happens('limit-change', 0.06)) this.#do(this.#changeLimit())
    if (this.#faults.happens('refund', 0.1)) this.#do(this.#refund())
    if (this.#faults.happens('budget-change', 0.05)) this.#do(this.#changeBudget())
    if (this.#faults.happens('budget-change', 0.05)) this.#do(this.#changeKeyBudget())
    if (this.#faults.happens('erasure', 0.06)) this.#do(this.#erasePerson())
    if (this.#faults.happens('stand-in-change', 0.03)) this.#do(this.#catalog.changeStandIns())
  }

  /** Refunds a part of a charge, and now and then repeats the refund: it counts once. */
  async #refund(): Promise<void> {
    const rows = this.#charges.all() as unknown as Charge[]
    const charge = rows.find(({ request_id }) => !this.#refunded.has(request_id))
    if (charge === undefined) return
    const { request_id: requestId, organization_id: organizationId, cost_micros } = charge
    this.#refunded.add(requestId)
    const amount = this.#random.whole(1, cost_micros)
    const refund = {
      taskId: requestId,
      amountMicros: micros(amount),
      note: 'made up',
      entryId: `ent_refund${this.#refunded.size}`,
    }
    this.#world.trace('operator', `gives ${amount} of ${cost_micros} micros back for ${requestId.slice(-6)}`)
    this.#ledger.refunded(organizationId, amount)
    const isRepeated = this.#random.chance(0.3)
    try {
      await this.#useCases.refundTask(refund)
      if (isRepeated) await this.#useCases.refundTask(refund)
    } catch (error) {
      this.#ledger.refunded(organizationId, -amount)
      throw error
    }
  }

  /** An error is only traced: each action itself tells the books what it may have changed. */
  #do(act: Promise<void>): void {
    act.catch((error: unknown) => this.#world.trace('operator', `hears ${String(error)}`))
  }

  async #credit(organizationId: string, amount: number): Promise<void> {
    this.#world.trace('operator', `gives ${organizationId.slice(-6)} ${amount} micros`)
    this.#ledger.credited(organizationId, amount)
    await this.#useCases.addCredit({ organizationId, amountMicros: micros(amount), note: null })
  }

  async #changeLimit(): Promise<void> {
    const id = this.#random.pick(this.#users)
    const limit = {
      maxDailyUserLimit: this.#random.pick(['0.05', '2', '50']),
      enableLimit: this.#random.chance(0.7),
    }
    this.#world.trace('operator', `sets the daily limit of ${id.slice(-6)} to ${JSON.stringify(limit)}`)
    this.#days.limit(id, undefined)
    try {
      await this.#useCases.setUserLimit({ id, ...limit })
    } finally {
      // An error proves nothing: the store may have the new limit.
      if (limit.enableLimit) this.#days.limit(id, Math.round(Number(limit.maxDailyUserLimit) * 1_000_000))
    }
  }

  /** Some budgets are below the spending so far. */
  async #changeBudget(): Promise<void> {
    const id = this.#random.pick(this.#organizations)
    const amount = this.#random.pick([null, 10_000, 500_000, 3_000_000])
    this.#world.trace('operator', `sets the monthly budget of ${id.slice(-6)} to ${amount}`)
    this.#ledger.budget(id, undefined)
    const monthlyBudgetMicros = amount === null ? null : micros(amount)
    try {
      await this.#useCases.setBudget({ id, monthlyBudgetMicros, warnPercent: 80 })
    } finally {
      // Also after an error: the store may have the new budget.
      this.#ledger.budget(id, amount)
    }
  }

  async #erasePerson(): Promise<void> {
    const persons = this.#assets.persons.filter(({ groupId }) => !this.#assets.isErased(groupId))
    if (persons.length === 0) return
    const { groupId, organizationId } = this.#random.pick(persons)
    this.#world.trace('operator', `erases ${groupId.slice(-6)}`)
    await this.#useCases.erasePerson({ groupId, organizationId })
    this.#assets.erased(groupId)
  }

  async #changeKeyBudget(): Promise<void> {
    const id = this.#random.pick(this.#keys)
    const amount = this.#random.pick([null, 10_000, 500_000, 3_000_000])
    this.#world.trace('operator', `sets the monthly budget of ${id.slice(-6)} to ${amount}`)
    this.#keyBudgets.limit(id, undefined)
    try {
      await this.#useCases.setKeyBudget({ id, monthlyBudgetMicros: amount === null ? null : micros(amount) })
    } finally {
      // Also after an error: the store may have the new budget.
      if (amount !== null) this.#keyBudgets.limit(id, amount)
    }
  }
}
