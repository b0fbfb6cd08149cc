import type { User } from '../../../src/domain/access/organization.ts'
import { micros } from '../../../src/domain/billing/micros.ts'
import type { DayMove, StoredDay } from '../../../src/ports/ledger.ts'

/** Users and their days as a store keeps them: each change of a day has the next version. */
export interface PlainStore {
  users: { find(id: string): Promise<User | undefined> }
  ledger: { readDay(of: { userId: string; day: string }): Promise<StoredDay> }
  /** Number of reads of users and days. */
  readonly reads: { users: number; days: number }
  setLimit(id: string, maxDailyUserLimit: string | null, enableLimit: boolean): void
  removeUser(id: string): void
  write(change: { userId: string; day: string; delta: number }): DayMove
  usedOn(userId: string, day: string): number
}

export function createPlainStore(): PlainStore {
  const users = new Map<string, User>()
  const days = new Map<string, StoredDay>()
  const reads = { users: 0, days: 0 }
  const stored = (userId: string, day: string) =>
    days.get(`${userId} ${day}`) ?? { usedMicros: micros(0), version: 0 }
  return {
    reads,
    users: {
      find: async (id) => {
        reads.users += 1
        return users.get(id)
      },
    },
    ledger: {
      readDay: async ({ userId, day }) => {
        reads.days += 1
        return stored(userId, day)
      },
    },
    setLimit: (id, maxDailyUserLimit, enableLimit) =>
      void users.set(id, {
        id,
        organizationId: 'org_1',
        name: '',
        maxDailyUserLimit,
        enableLimit,
        createdAtMs: 0,
        disabledAtMs: null,
      }),
    removeUser: (id) => void users.delete(id),
    write({ userId, day, delta }) {
      const before = stored(userId, day)
      const after = { usedMicros: micros(before.usedMicros + delta), version: before.version + 1 }
      days.set(`${userId} ${day}`, after)
      return { userId, day, deltaMicros: micros(delta), version: after.version }
    },
    usedOn: (userId, day) => stored(userId, day).usedMicros,
  }
}
