import type { FaultRule } from './fault.ts'

export interface ListedRule extends FaultRule {
  /** Number of requests that matched, and of those that got the fault. */
  seen: number
  applied: number
}

export interface FaultScript {
  add(rule: Omit<FaultRule, 'id'> & { id?: string }): ListedRule | 'id-taken' | 'full'
  list(): ListedRule[]
  remove(id: string): boolean
  clear(): number
  /** Every matching rule counts the request; the first that is due gives its fault. */
  next(request: { part: string; operation: string }): FaultRule | undefined
}

const RULES_MAX = 100

export function createFaultScript(): FaultScript {
  const rules = new Map<string, ListedRule>()
  let lastNumber = 0

  const nameRule = (): string => {
    do lastNumber += 1
    while (rules.has(`fault-${lastNumber}`))
    return `fault-${lastNumber}`
  }

  return {
    add(rule) {
      if (rule.id !== undefined && rules.has(rule.id)) return 'id-taken'
      if (rules.size >= RULES_MAX) forgetSpent(rules)
      if (rules.size >= RULES_MAX) return 'full'
      const listed: ListedRule = { ...rule, id: rule.id ?? nameRule(), seen: 0, applied: 0 }
      rules.set(listed.id, listed)
      return { ...listed }
    },
    list: () => [...rules.values()].map((rule) => ({ ...rule })),
    remove: (id) => rules.delete(id),
    clear() {
      const { size } = rules
      rules.clear()
      return size
    },
    next(request) {
      let chosen: ListedRule | undefined
      for (const rule of rules.values()) {
        if (!matches(rule, request)) continue
        rule.seen += 1
        if (chosen === undefined && rule.seen > (rule.after ?? 0) && !isSpent(rule)) chosen = rule
      }
      if (chosen !== undefined) chosen.applied += 1
      return chosen
    },
  }
}

function matches(rule: FaultRule, { part, operation }: { part: string; operation: string }): boolean {
  return (rule.part ?? part) === part && (rule.operation ?? operation) === operation
}

function isSpent(rule: ListedRule): boolean {
  return rule.times !== undefined && rule.applied >= rule.times
}

function forgetSpent(rules: Map<string, ListedRule>): void {
  for (const rule of [...rules.values()]) if (isSpent(rule)) rules.delete(rule.id)
}
