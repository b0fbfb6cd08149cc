import type { Account } from './account.ts'

/** One account for each organization, and one for each key that has a budget of its own. */
export class Accounts {
  readonly #accounts = new Map<string, Account>()
  readonly #ofKeys = new Map<string, Set<Account>>()

  get(organizationId: string, keyId: string | undefined): Account | undefined {
    return this.#accounts.get(keyId ?? organizationId)
  }

  add(account: Account): void {
    const { organizationId, keyId } = account
    this.#accounts.set(keyId ?? organizationId, account)
    if (keyId === undefined) return
    const ofKeys = this.#ofKeys.get(organizationId)
    if (ofKeys === undefined) this.#ofKeys.set(organizationId, new Set([account]))
    else ofKeys.add(account)
  }

  delete(account: Account): void {
    const { organizationId, keyId } = account
    this.#accounts.delete(keyId ?? organizationId)
    if (account.balance.uncovered?.account === account) account.balance.uncovered = undefined
    const ofKeys = this.#ofKeys.get(organizationId)
    if (keyId === undefined || ofKeys === undefined) return
    ofKeys.delete(account)
    if (ofKeys.size === 0) this.#ofKeys.delete(organizationId)
  }

  of(organizationId: string): readonly Account[] {
    const own = this.#accounts.get(organizationId)
    const ofKeys = this.#ofKeys.get(organizationId)
    if (ofKeys === undefined) return own === undefined ? [] : [own]
    return own === undefined ? [...ofKeys] : [own, ...ofKeys]
  }

  values(): IterableIterator<Account> {
    return this.#accounts.values()
  }
}
