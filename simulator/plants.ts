import type { App } from '../src/app/app.ts'
import { LightBody } from '../src/app/text/contract/light-body.ts'
import { micros } from '../src/domain/billing/micros.ts'
import type { Store } from '../src/ports/store.ts'
import type { UsageRow, UsageRowGroup } from '../src/ports/usage.ts'
import type { Plant } from './parts/replica.ts'

/**
 * Planted bugs, at a port or around a use case: the simulator has to find each of them. A plant is made again for each
 * run, because it may have state.
 */
export const PLANTS: Readonly<Record<string, () => Plant>> = {
  /** The fault that this simulator was built for: requests with an `Idempotency-Key` were billed as hang-ups. */
  'keys-billed-as-hang-ups': () =>
    rowsAs((row, { claims = {} }) =>
      claims[row.id] === undefined ? row : { ...row, outcome: 'hung-up', ...costing(row, 0.5) },
    ),
  'failures-cost-something': () =>
    rowsAs((row) =>
      row.outcome === 'failed' && row.costMicros === 0 ? { ...row, costMicros: micros(700) } : row,
    ),
  'one-micro-too-much': () => rowsAs((row) => ({ ...row, costMicros: micros(row.costMicros + 1) })),
  'half-price-for-streams': () =>
    rowsAs((row) => (row.firstByteMs === null ? row : { ...row, ...costing(row, 0.5) })),
  'fallbacks-at-double-price': () =>
    rowsAs((row) => (row.model === row.askedModel ? row : { ...row, ...costing(row, 2) })),
  'cache-writes-for-nothing': () =>
    rowsAs((row) => (row.cacheWriteTokens === 0 ? row : { ...row, ...costing(row, 0.9) })),
  'usage-written-twice': () =>
    usageAs((usage) => ({
      ...usage,
      async write(group) {
        const written = await usage.write(group)
        const rows = group.rows.map((row) => ({ ...row, id: `${row.id}-again` }))
        await usage.write({ id: `${group.id}-again`, rows, allowances: {}, atMs: group.atMs })
        return written
      },
    })),
  'usage-lost': () => {
    let count = 0
    return usageAs((usage) => ({
      ...usage,
      write: (group) => usage.write(++count % 7 === 0 ? { ...group, rows: group.rows.slice(1) } : group),
    }))
  },
  'charged-to-another': () => {
    let other: UsageRow | undefined
    return rowsAs((row) => {
      const before = other
      other = row
      if (before === undefined || before.organizationId === row.organizationId) return row
      const { organizationId, userId, keyId } = before
      return { ...row, organizationId, userId, keyId }
    })
  },
  'claims-of-one-replica-only': () => {
    let stores = 0
    return {
      store: (store) => {
        stores += 1
        const own = `of store ${stores}`
        return {
          ...store,
          requestClaims: {
            ...store.requestClaims,
            claim: (claim) => store.requestClaims.claim({ ...claim, keyDigest: `${claim.keyDigest} ${own}` }),
          },
        }
      },
    }
  },
  'lost-release': () => ({
    store: (store) => ({
      ...store,
      ledger: { ...store.ledger, expire: async () => [] },
      usage: { ...store.usage, giveBack: async () => true },
    }),
  }),
  'old-prices': () => {
    let first: ReturnType<Store['models']['list']> | undefined
    return {
      store: (store) => ({
        ...store,
        models: {
          ...store.models,
          list: () => {
            first ??= store.models.list()
            first.catch(() => {
              first = undefined
            })
            return first
          },
        },
      }),
    }
  },
  'reply-of-another': () => {
    let last: Parameters<Parameters<App['answerText']>[1]['begin']>[0] | undefined
    return answerAs((answer) => async (command, sink) => {
      const swapped: typeof sink = {
        begin(head) {
          const before = last
          if (head.body !== undefined) last = head
          sink.begin(head.body === undefined || before === undefined ? head : before)
        },
        write: (bytes) => sink.write(bytes),
        end: () => sink.end(),
        cut: () => sink.cut(),
        onDrain: (listener) => sink.onDrain(listener),
        onClose: (listener) => sink.onClose(listener),
      }
      return answer(command, swapped)
    })
  },
  'background-for-nothing': () => {
    const requests = new Set<string>()
    return {
      app: (app) => ({
        ...app,
        answerText(command, sink) {
          if (command.body.value.background === true) requests.add(command.requestId)
          return app.answerText(command, sink)
        },
      }),
      ...usageAs((usage) => ({
        ...usage,
        write: (group) =>
          usage.write({ ...group, rows: group.rows.filter(({ requestId }) => !requests.has(requestId)) }),
      })),
    }
  },
  'kept-reply-of-another': () => {
    let last: Awaited<ReturnType<App['getResponse']>> | undefined
    return {
      app: (app) => ({
        ...app,
        async getResponse(name) {
          const before = last
          const response = await app.getResponse(name)
          const isCompleted = JSON.parse(response).status === 'completed'
          if (isCompleted) last = response
          return isCompleted && before !== undefined ? before : response
        },
      }),
    }
  },
  'conversation-forgotten': () =>
    answerAs((answer) => (command, sink) => {
      const { previous_response_id: _previous, ...value } = command.body.value
      const body = new LightBody(command.endpoint, Buffer.from(JSON.stringify(value)), value)
      return answer({ ...command, body }, sink)
    }),
  'foreign-conversation': () => keptForAll('conversation'),
  'foreign-kept-reply': () => keptForAll('reply'),
  'answer-forgotten': () => {
    let count = 0
    return answerAs((answer) => (command, sink) => {
      count += 1
      return count % 20 === 0 ? new Promise(() => {}) : answer(command, sink)
    })
  },
}

function usageAs(change: (usage: Store['usage']) => Store['usage']): Plant {
  return { store: (store) => ({ ...store, usage: change(store.usage) }) }
}

function rowsAs(change: (row: UsageRow, group: UsageRowGroup) => UsageRow): Plant {
  return usageAs((usage) => ({
    ...usage,
    write: (group) => usage.write({ ...group, rows: group.rows.map((row) => change(row, group)) }),
  }))
}

function answerAs(change: (answer: App['answerText']) => App['answerText']): Plant {
  return { app: (app) => ({ ...app, answerText: change(app.answerText) }) }
}

function costing(row: UsageRow, factor: number): Pick<UsageRow, 'costMicros'> {
  return { costMicros: micros(Math.floor(row.costMicros * factor)) }
}

/** Values under this name are stored and encrypted by the id of the reply alone: every organization can read them. */
function keptForAll(name: 'conversation' | 'reply'): Plant {
  const shared = (place: string) =>
    place.endsWith(`:${name}`) ? place.replace(/\{org:[^}]+\}:response:/, '{org:all}:response:') : place
  return {
    store: (store) => ({
      ...store,
      keptValues: {
        ...store.keptValues,
        find: ({ key, nowMs }) => store.keptValues.find({ key: shared(key), nowMs }),
        keep: (kept) => store.keptValues.keep({ ...kept, key: shared(kept.key) }),
        remove: (key) => store.keptValues.remove(shared(key)),
      },
    }),
    secrets: (secrets) => ({
      ...secrets,
      encrypt: (text, boundTo) => secrets.encrypt(text, shared(boundTo)),
      decrypt: (encrypted, boundTo) => secrets.decrypt(encrypted, shared(boundTo)),
    }),
  }
}
