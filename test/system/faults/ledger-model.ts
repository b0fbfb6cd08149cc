import { TODAY } from '../../engines/store/sample-money.ts'
import { type LedgerStep, taskOf } from './ledger-step.ts'

/** Model of one organization's money: a few numbers in memory, without SQL, threads or races. */
export interface LedgerModel {
  organizationId: string
  billing: 'prepaid' | 'postpaid'
  balance: number
  holds: ModelHold[]
  /** By user; all on one day. */
  days: Record<string, { used: number; version: number }>
  groups: string[]
}

export interface ModelHold {
  id: string
  kind: 'task' | 'allowance'
  userId: string | null
  amount: number
  state: 'open' | 'settled' | 'released' | 'expired'
  expiresAtMs: number
  charged: number
  refunded: number
}

export function newModel(organizationId: string, billing: LedgerModel['billing']): LedgerModel {
  return { organizationId, billing, balance: 0, holds: [], days: {}, groups: [] }
}

export function heldOf(model: LedgerModel): number {
  return openHolds(model).reduce((sum, { amount }) => sum + amount, 0)
}

export function openHolds(model: LedgerModel): ModelHold[] {
  return model.holds.filter(({ state }) => state === 'open')
}

/** Changes the model and returns the answer that the store should give. */
export function applyStep(model: LedgerModel, step: LedgerStep, nowMs: number): unknown {
  switch (step.kind) {
    case 'hold': {
      if (!canSpend(model, step.amount))
        return { kind: 'insufficient-balance', availableMicros: model.balance - heldOf(model) }
      const { id, userId, amount } = step
      model.holds.push(newHold({ id, kind: 'task', userId, amount, expiresAtMs: nowMs + step.lifeMs }))
      return { kind: 'held', day: moveDay(model, userId, amount) }
    }
    case 'settle':
      return settle(model, step)
    case 'release': {
      const hold = findOpen(model, step.holdId, 'task')
      if (hold === undefined) return undefined
      hold.state = 'released'
      return moveDay(model, hold.userId ?? '', -hold.amount)
    }
    case 'expire':
      return expire(model, step.limit, nowMs)
    case 'credit':
      model.balance += step.amount
      return { id: model.organizationId, balanceMicros: model.balance, heldMicros: heldOf(model) }
    case 'refund': {
      const hold = model.holds.find(({ id, kind }) => kind === 'task' && taskOf(id) === step.taskId)
      const left = hold === undefined ? 0 : hold.charged - hold.refunded
      if (hold === undefined || left === 0) return { kind: 'nothing-left' }
      const amountMicros = step.amount ?? left
      if (amountMicros > left) return { kind: 'too-much', leftMicros: left }
      hold.refunded += amountMicros
      model.balance += amountMicros
      moveDay(model, hold.userId ?? '', -amountMicros)
      return { kind: 'refunded', amountMicros, refundedMicros: hold.refunded, isRepeat: false }
    }
    case 'lease':
      return lease(model, step, nowMs)
    case 'renew':
      return step.holdIds.toSorted().filter((id) => {
        const hold = findOpen(model, id, 'allowance')
        if (hold !== undefined) hold.expiresAtMs = nowMs + step.lifeMs
        return hold !== undefined
      })
    case 'give-back': {
      const hold = findOpen(model, step.holdId, 'allowance')
      if (hold === undefined) return false
      if (step.amount === 'all') hold.state = 'released'
      else hold.amount -= Math.min(hold.amount, step.amount)
      return true
    }
    case 'usage':
      return writeUsage(model, step.group)
  }
}

function settle(model: LedgerModel, step: { holdId: string; cost: number }): unknown {
  const hold = findOpen(model, step.holdId, 'task')
  if (hold === undefined) return undefined
  hold.state = 'settled'
  const spendable = model.balance - heldOf(model)
  hold.charged = model.billing === 'postpaid' ? step.cost : Math.min(step.cost, spendable)
  model.balance -= hold.charged
  return {
    chargedMicros: hold.charged,
    lossMicros: step.cost - hold.charged,
    day: moveDay(model, hold.userId ?? '', step.cost - hold.amount),
  }
}

function expire(model: LedgerModel, limit: number, nowMs: number): unknown {
  const due = openHolds(model)
    .filter(({ expiresAtMs }) => expiresAtMs <= nowMs)
    .toSorted((one, other) => one.expiresAtMs - other.expiresAtMs || (one.id < other.id ? -1 : 1))
    .slice(0, limit)
  const days = new Map<string, unknown>()
  for (const hold of due.toSorted(byUser)) {
    hold.state = 'expired'
    if (hold.userId !== null) days.set(hold.id, moveDay(model, hold.userId, -hold.amount))
  }
  return due.map(({ id, kind, amount }) => ({
    id,
    kind,
    organizationId: model.organizationId,
    taskId: kind === 'task' ? taskOf(id) : null,
    amountMicros: amount,
    day: days.get(id),
  }))
}

function byUser(one: ModelHold, other: ModelHold): number {
  return Number((one.userId ?? '') > (other.userId ?? '')) - Number((one.userId ?? '') < (other.userId ?? ''))
}

function lease(model: LedgerModel, step: LedgerStep & { kind: 'lease' }, nowMs: number): unknown {
  const known = model.holds.find(({ id }) => id === step.holdId)
  if (known !== undefined && known.state !== 'open') return undefined
  const last = step.amounts.length - 1
  const amount = step.amounts.find((each, index) => canSpend(model, index === last ? each : 4 * each))
  if (amount === undefined) return undefined
  const expiresAtMs = nowMs + step.lifeMs
  if (known === undefined) {
    model.holds.push(newHold({ id: step.holdId, kind: 'allowance', userId: null, amount, expiresAtMs }))
  } else {
    known.amount += amount
    known.expiresAtMs = expiresAtMs
  }
  return amount
}

/** All rows of a group are of this organization. */
function writeUsage(model: LedgerModel, group: (LedgerStep & { kind: 'usage' })['group']): unknown {
  if (model.groups.includes(group.id)) return { days: [], charges: [] }
  model.groups.push(group.id)
  const cost = group.rows.reduce((sum, { costMicros }) => sum + costMicros, 0)
  const allowance = findOpen(model, group.allowances[model.organizationId] ?? '', 'allowance')
  const spendable = model.balance - heldOf(model)
  const fromAllowance = Math.min(cost, allowance?.amount ?? 0)
  if (allowance !== undefined) allowance.amount -= fromAllowance
  const rest = cost - fromAllowance
  const beyond = model.billing === 'postpaid' ? rest : Math.min(rest, spendable)
  model.balance -= fromAllowance + beyond
  const users = [...new Set(group.rows.map(({ userId }) => userId))].toSorted()
  const days = users.map((user) => {
    const own = group.rows.filter(({ userId }) => userId === user)
    return moveDay(
      model,
      user,
      own.reduce((sum, { costMicros }) => sum + costMicros, 0),
    )
  })
  const charge = { fromAllowanceMicros: fromAllowance, beyondMicros: beyond, lossMicros: rest - beyond }
  return { days, charges: [{ organizationId: model.organizationId, ...charge }] }
}

function canSpend(model: LedgerModel, amount: number): boolean {
  return model.billing === 'postpaid' || model.balance - heldOf(model) >= amount
}

function findOpen(model: LedgerModel, id: string, kind: ModelHold['kind']): ModelHold | undefined {
  return openHolds(model).find((hold) => hold.id === id && hold.kind === kind)
}

function newHold(hold: Pick<ModelHold, 'id' | 'kind' | 'userId' | 'amount' | 'expiresAtMs'>): ModelHold {
  return { ...hold, state: 'open', charged: 0, refunded: 0 }
}

function moveDay(model: LedgerModel, userId: string, deltaMicros: number) {
  const day = model.days[userId] ?? { used: 0, version: 0 }
  model.days[userId] = { used: day.used + deltaMicros, version: day.version + 1 }
  return { userId, day: TODAY, deltaMicros, version: day.version + 1 }
}
