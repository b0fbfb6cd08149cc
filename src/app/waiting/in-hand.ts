/** How many pieces of work of each organization a process has in hand, and when another one can be taken. */
export class InHand {
  readonly #counts = new Map<string, number>()
  readonly #max: number

  constructor(max: number) {
    this.#max = max
  }

  enter(organizationId: string): void {
    this.#counts.set(organizationId, this.count(organizationId) + 1)
  }

  leave(organizationId: string): void {
    const left = this.count(organizationId) - 1
    if (left > 0) this.#counts.set(organizationId, left)
    else this.#counts.delete(organizationId)
  }

  count(organizationId: string): number {
    return this.#counts.get(organizationId) ?? 0
  }

  /** What a claim needs to know: an organization that has its share gets no more for now. */
  share(after: string) {
    return { perOrganizationMax: this.#max, inHand: Object.fromEntries(this.#counts), after }
  }

  hasFullShare(): boolean {
    return this.#counts.values().some((count) => count >= this.#max)
  }
}
