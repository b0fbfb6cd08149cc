import { sampleUsageRow } from '../../engines/store/sample-money.ts'
import type { SeededRandom } from '../../random/seeded-random.ts'
import { type LedgerModel, openHolds } from './ledger-model.ts'
import { type LedgerStep, taskOf } from './ledger-step.ts'

const KINDS = [
  'hold',
  'hold',
  'hold',
  'settle',
  'settle',
  'release',
  'expire',
  'credit',
  'refund',
  'lease',
  'lease',
  'renew',
  'give-back',
  'usage',
  'usage',
] as const
const USERS = ['usr_a', 'usr_b'] as const
/** The next step ends holds that expired this long ago: the ledger check allows a minute. */
const LATE_MS = 30_000

/** The next step of a run. Ids are made from the step's number; ended and unknown holds are named now and then. */
export function chooseStep(
  random: SeededRandom,
  model: LedgerModel,
  { number, nowMs }: { number: number; nowMs: number },
): LedgerStep {
  const id = `${model.organizationId}_${number}`
  const lifeMs = random.integer(1_000, 60_000)
  const anyHold = () => pickId(random, model, 'task')
  const anyChargedHold = () => {
    const [first, ...others] = model.holds.filter(({ charged }) => charged > 0)
    return first === undefined || random.next() < 0.2 ? anyHold() : random.pick([first, ...others]).id
  }
  const anyAllowance = () => pickId(random, model, 'allowance')
  if (openHolds(model).some(({ expiresAtMs }) => expiresAtMs < nowMs - LATE_MS)) {
    return { kind: 'expire', limit: 100 }
  }
  const kind = number === 0 ? 'credit' : random.pick(KINDS)
  switch (kind) {
    case 'hold':
      return { kind, id, userId: random.pick(USERS), amount: random.integer(0, 400), lifeMs }
    case 'settle':
      return { kind, holdId: anyHold(), cost: random.integer(0, random.pick([100, 400, 1_500])) }
    case 'release':
      return { kind, holdId: anyHold() }
    case 'expire':
      return { kind, limit: random.integer(1, 4) }
    case 'credit':
      return { kind, entryId: `ent_${id}`, amount: random.integer(1, 1_500) }
    case 'refund':
      return {
        kind,
        entryId: `ent_${id}`,
        taskId: taskOf(anyChargedHold()),
        amount: random.next() < 0.3 ? undefined : random.integer(1, 100),
      }
    case 'lease': {
      const holdId = random.next() < 0.5 ? anyAllowance() : id
      return { kind, holdId, amounts: [random.integer(100, 400), 50, random.integer(0, 20)], lifeMs }
    }
    case 'renew':
      return { kind, holdIds: [...new Set([anyAllowance(), anyAllowance(), anyHold()])], lifeMs }
    case 'give-back':
      return {
        kind,
        holdId: anyAllowance(),
        amount: random.next() < 0.5 ? 'all' : random.integer(0, 100),
      }
    case 'usage':
      return { kind, group: usageGroup(random, model, { id, allowance: anyAllowance(), nowMs }) }
  }
}

function pickId(random: SeededRandom, model: LedgerModel, kind: 'task' | 'allowance'): string {
  const [first, ...others] = model.holds.filter((hold) => hold.kind === kind)
  if (first === undefined || random.next() < 0.02) return `${model.organizationId}_none`
  const [open, ...moreOpen] = [first, ...others].filter(({ state }) => state === 'open')
  if (open !== undefined && random.next() < 0.8) return random.pick([open, ...moreOpen]).id
  return random.pick([first, ...others]).id
}

function usageGroup(
  random: SeededRandom,
  { organizationId }: LedgerModel,
  { id, allowance, nowMs }: { id: string; allowance: string; nowMs: number },
) {
  const rows = Array.from({ length: random.integer(1, 12) }, (_, index) =>
    sampleUsageRow({
      id: `use_${id}_${index}`,
      organizationId,
      userId: random.pick(USERS),
      cost: random.integer(0, 60),
    }),
  )
  return { id: `grp_${id}`, rows, allowances: { [organizationId]: allowance }, atMs: nowMs }
}
