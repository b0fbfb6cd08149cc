import { Counter, Gauge, type Registry } from 'prom-client'
import { CALLBACK_OUTCOMES, type Metrics } from '../../ports/metrics.ts'
import { boundedLabel } from './bounded-label.ts'

const MODELS_MAX = 200
const REASONS_MAX = 50

type WorkMetrics = Pick<
  Metrics,
  'taskEnded' | 'taskHandedOver' | 'callbackAttempted' | 'verificationEnded' | 'storeCounted'
>

/** Video tasks, callbacks, verifications, and what the store holds of them. Counters begin at 0, so that a rate has a start. */
export function countWork(registry: Registry): WorkMetrics {
  const registers = [registry]
  const boundModel = boundedLabel(MODELS_MAX)
  const ended = new Counter({
    name: 'sluice_video_tasks_ended_total',
    help: 'Video tasks that ended, by model, provider and status.',
    labelNames: ['model', 'provider', 'status'],
    registers,
  })
  const cost = new Counter({
    name: 'sluice_video_cost_micros_total',
    help: 'Micro-USD that video tasks were charged.',
    labelNames: ['model', 'provider'],
    registers,
  })
  const handedOver = new Counter({
    name: 'sluice_video_tasks_handed_over_total',
    help: 'Video tasks that a stand-in took over, by asked and next model and by reason.',
    labelNames: ['asked', 'served', 'reason'],
    registers,
  })
  const boundReason = boundedLabel(REASONS_MAX)
  const callbacks = new Counter({
    name: 'sluice_callbacks_total',
    help: 'Attempts to deliver a callback, by outcome.',
    labelNames: ['outcome'],
    registers,
  })
  for (const outcome of CALLBACK_OUTCOMES) callbacks.inc({ outcome }, 0)
  const verifications = new Counter({
    name: 'sluice_verifications_total',
    help: 'Verifications of people that ended, by result.',
    labelNames: ['result'],
    registers,
  })
  for (const result of ['granted', 'denied']) verifications.inc({ result }, 0)
  const tasks = ofStore('sluice_video_tasks_open', 'Video tasks that have not ended, by status.', ['status'])
  const late = ofStore(
    'sluice_video_poll_late_seconds',
    'How long the video task waits that should have been polled first.',
  )
  const holds = ofStore('sluice_holds_open', 'Holds that are open, by what they are for.', ['kind'])
  const held = ofStore('sluice_holds_open_micros', 'Micro-USD in open holds: money at risk.', ['kind'])

  /** Every replica counts the same store: over several workers the largest, not the sum. */
  function ofStore<Label extends string>(name: string, help: string, labelNames: readonly Label[] = []) {
    return new Gauge({ name, help, labelNames: [...labelNames], aggregator: 'max', registers })
  }

  return {
    taskEnded({ model, provider, status, costMicros }) {
      const labels = { model: boundModel(model), provider }
      ended.inc({ ...labels, status })
      cost.inc(labels, costMicros)
    },
    taskHandedOver({ asked, served, reason }) {
      handedOver.inc({ asked: boundModel(asked), served: boundModel(served), reason: boundReason(reason) })
    },
    callbackAttempted: (outcome) => callbacks.inc({ outcome }),
    verificationEnded: (result) => verifications.inc({ result }),
    storeCounted({ openTasks, latePollMs, holds: open }) {
      for (const [status, count] of Object.entries(openTasks)) tasks.set({ status }, count)
      late.set(latePollMs / 1_000)
      for (const [kind, { count, amountMicros }] of Object.entries(open)) {
        holds.set({ kind }, count)
        held.set({ kind }, amountMicros)
      }
    },
  }
}
