import type { CheckpointName } from '../../../src/ports/checkpoint.ts'
import type { CallbackReceiver } from '../../engines/video-work/open-receiver.ts'
import { CANARY } from '../../random/canary.ts'
import type { SeededRandom } from '../../random/seeded-random.ts'

/** Points after which a task needs recovery come first, before leases delay the recovery. */
export const CRASH_POINTS = [
  'create.after-intent',
  'create.after-upstream',
  'create.before-hand-over',
  'create.after-hand-over',
  'create.after-stand-in',
  'attempt.after-claim',
  'attempt.after-upstream',
  'attempt.before-hand-over',
  'attempt.after-hand-over',
  'attempt.after-accept',
  'create.before-intent',
  'create.after-accept',
  'create.answering',
  'settle.before',
  'settle.after',
  'callback.before-send',
  'callback.after-send',
  'callback.after-record',
] as const satisfies readonly CheckpointName[]

export type CrashPoint = (typeof CRASH_POINTS)[number]

/** Each family steps in for the other. */
export const CRASH_STAND_INS = {
  'vendorA/gen-2.0': ['vendorB/gen-v4-std'],
  'vendorB/gen-v4-std': ['vendorA/gen-2.0'],
}

/** Points that a task passes after the refusal of its first vendor. */
const REFUSED_POINTS: ReadonlySet<CrashPoint> = new Set([
  'create.before-hand-over',
  'create.after-hand-over',
  'create.after-stand-in',
])

/** The vendor of each asked model. */
const VENDORS = { 'vendorA/gen-2.0': 'vendor-a', 'vendorB/gen-v4-std': 'vendor-b' }

/** An order whose task passes the point. */
export function bodyOf(
  order: string,
  { point, receiver, random }: { point: CrashPoint; receiver: CallbackReceiver; random: SeededRandom },
): object {
  const model = random.pick<keyof typeof VENDORS>(['vendorA/gen-2.0', 'vendorB/gen-v4-std'])
  const callback = { callback_url: receiver.urlOf(`/${order}?signature=${CANARY}`) }
  return {
    model,
    content: [{ type: 'text', text: `${order} ${wordsFor(point, VENDORS[model], random)}` }],
    ...(point.startsWith('create.') ? {} : callback),
  }
}

/** Orders at create points run slowly, so that a notice can find a task without an answer; others end immediately. */
function wordsFor(point: CrashPoint, vendor: string, random: SeededRandom): string {
  if (REFUSED_POINTS.has(point)) return `${vendor}:overdue`
  if (point.startsWith('create.')) return ''
  if (point.startsWith('attempt.')) return `[instant] ${vendor}:fail`
  return random.pick(['[instant]', '[instant]', '[instant] [fail]'])
}
