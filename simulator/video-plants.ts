import { ApiError } from '../src/domain/api-error.ts'
import { micros } from '../src/domain/billing/micros.ts'
import type { Store } from '../src/ports/store.ts'
import type { Plant } from './parts/replica.ts'

/** Bugs like those in `plants.ts`, of videos, callbacks, refunds and limits. */
export const VIDEO_PLANTS: Readonly<Record<string, () => Plant>> = {
  'settle-after-cancel': () =>
    tasksAs((tasks) => ({
      ...tasks,
      move: (move) => tasks.move(move.status === 'cancelled' ? { ...move, status: 'succeeded' } : move),
    })),
  'video-at-double-price': () =>
    tasksAs((tasks) => ({
      ...tasks,
      move: (move) =>
        tasks.move({ ...move, cost: { ...move.cost, priceMicros: micros(move.cost.priceMicros * 2) } }),
    })),
  'video-submitted-twice': () => ({
    driver: (driver) => ({
      ...driver,
      async create(order) {
        await driver.create(order)
        return driver.create(order)
      },
    }),
  }),
  'video-keys-forgotten': () =>
    tasksAs((tasks) => ({
      ...tasks,
      findReplay: async () => undefined,
      begin: (work) => tasks.begin({ ...work, idempotency: undefined }),
    })),
  'quotes-forgotten': () => ({
    app: (app) => ({ ...app, createTask: (command) => app.createTask({ ...command, quoteId: undefined }) }),
  }),
  'budgets-not-kept': () => ({
    store: (store) => ({
      ...store,
      organizations: {
        ...store.organizations,
        setBudget: (change, audit) =>
          store.organizations.setBudget({ ...change, monthlyBudgetMicros: null }, audit),
      },
    }),
  }),
  'key-budgets-not-kept': () => ({
    store: (store) => ({
      ...store,
      apiKeys: {
        ...store.apiKeys,
        setBudget: (change, audit) =>
          store.apiKeys.setBudget({ ...change, monthlyBudgetMicros: null }, audit),
      },
    }),
  }),
  'daily-limits-not-kept': () => ({
    store: (store) => ({
      ...store,
      users: {
        ...store.users,
        setLimit: (change, audit) => store.users.setLimit({ ...change, enableLimit: false }, audit),
      },
    }),
  }),
  'callbacks-without-end': () => ({
    store: (store) => ({
      ...store,
      callbacks: {
        ...store.callbacks,
        recordAttempt: ({ callbackId, fence, attempt }) =>
          store.callbacks.giveBack({ callbackId, fence, nextAttemptAtMs: attempt.atMs + 1_000 }),
      },
    }),
  }),
  'double-refund': () => ({
    store: (store) => ({
      ...store,
      ledger: {
        ...store.ledger,
        async refund(refund, audit) {
          const again = { ...refund, entryId: `${refund.entryId}-again` }
          await store.ledger.refund(again, { ...audit, id: `${audit.id}-again` })
          return store.ledger.refund(refund, audit)
        },
      },
    }),
  }),
  'second-attempt-after-lost-answer': () => ({
    driver: (driver) => ({
      ...driver,
      async create(order) {
        const submission = await driver.create(order)
        if (submission.kind !== 'lost') return submission
        return { kind: 'refused', apiError: new ApiError('provider_unavailable'), reason: 'unreachable' }
      },
    }),
  }),
  'both-attempts-charged': () =>
    tasksAs((tasks) => ({
      ...tasks,
      move: (move) =>
        tasks.move({ ...move, cost: { ...move.cost, quantity: move.cost.quantity * move.attempt } }),
    })),
}

function tasksAs(change: (tasks: Store['tasks']) => Store['tasks']): Plant {
  return { store: (store) => ({ ...store, tasks: change(store.tasks) }) }
}
