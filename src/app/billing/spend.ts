import type { Caller } from '../../domain/access/api-key.ts'
import type { TextReserve } from '../../domain/billing/reserve-for-text.ts'
import type { UsageRow } from '../../ports/usage.ts'
import type { Runtime } from '../runtime.ts'
import type { Allowances } from './allowances.ts'
import type { Admission } from './lease.ts'
import type { DayReservation, SpendingDays } from './spending-days.ts'
import { type AwaitedRow, awaitRow, type UsageClaim } from './spent.ts'
import type { UsageBuffer } from './usage-buffer.ts'

/** Usage of a finished request; `Spend.finish` adds the owner and the time. */
export type RequestUsage = Omit<
  UsageRow,
  'id' | 'organizationId' | 'userId' | 'keyId' | 'day' | 'createdAtMs'
>

/** Returns a promise only when the day or the lease has to call the cache or the store. */
export type BeginSpend = (caller: Caller, reserve: TextReserve) => Spend | Promise<Spend>

export interface SpendTools extends Pick<Runtime, 'clock' | 'log' | 'newId'> {
  allowances: Allowances
  days: SpendingDays
  buffer: UsageBuffer
  dayAt(ms: number): string
}

/** Reserves the user's day before the money, because the day is cheaper to give back when the balance is too small. */
export function beginSpend(tools: SpendTools): BeginSpend {
  const { allowances, days } = tools
  return (caller, reserve) => {
    const reserved = days.reserve(caller.userId, reserve)
    return reserved instanceof Promise
      ? reserved.then((reservation) => admit(caller, reserve, reservation))
      : admit(caller, reserve, reserved)
  }

  function admit(
    caller: Caller,
    { reserveMicros, possibleMicros }: TextReserve,
    reservation: DayReservation | undefined,
  ): Spend | Promise<Spend> {
    try {
      const admitted = allowances.admit(
        caller.organizationId,
        reserveMicros,
        possibleMicros,
        caller.hasBudget ? caller.keyId : undefined,
      )
      if (!(admitted instanceof Promise)) return new Spend(tools, caller, admitted, reservation)
      return admitted.then(
        (admission) => new Spend(tools, caller, admission, reservation),
        (apiError: unknown) => letGo(reservation, apiError),
      )
    } catch (apiError) {
      return letGo(reservation, apiError)
    }
  }

  /** The client gets the error even when the day's bucket cannot be reached. */
  function letGo(reservation: DayReservation | undefined, apiError: unknown): Promise<never> {
    if (reservation === undefined) throw apiError
    return days.letGo(reservation).then(
      () => Promise.reject(apiError),
      () => Promise.reject(apiError),
    )
  }
}

/** Money for one running request. A stream can end in two ways at the same time; only the first end counts. */
export class Spend {
  readonly day: string
  readonly #tools: SpendTools
  readonly #caller: Caller
  readonly #admission: Admission
  readonly #reservation: DayReservation | undefined
  #isOver = false

  constructor(
    tools: SpendTools,
    caller: Caller,
    admission: Admission,
    reservation: DayReservation | undefined,
  ) {
    this.day = reservation?.day ?? tools.dayAt(tools.clock.nowMs())
    this.#tools = tools
    this.#caller = caller
    this.#admission = admission
    this.#reservation = reservation
  }

  /**
   * Every request that reached a vendor leaves a row, even one that failed and costs nothing. The row finishes `claim`,
   * which is left out for a refused request. `awaited` is the row that `awaitRow` returned.
   */
  finish(usage: RequestUsage, claim?: UsageClaim, awaited?: AwaitedRow): void {
    if (this.#isOver) {
      awaited?.ended(false)
      return
    }
    this.#isOver = true
    const { newId, clock, buffer } = this.#tools
    this.#admission.spend(usage.costMicros)
    const row: UsageRow = {
      ...usage,
      id: awaited?.id ?? newId('use'),
      organizationId: this.#caller.organizationId,
      userId: this.#caller.userId,
      keyId: this.#caller.keyId,
      day: this.day,
      createdAtMs: clock.nowMs(),
    }
    claim?.charged()
    buffer.add({ row, lease: this.#admission.lease, reservation: this.#reservation, claim, awaited })
  }

  /** Returns a row that a reply can wait for. The caller passes it to `finish`. */
  awaitRow(): AwaitedRow {
    return awaitRow(this.#tools.newId('use'))
  }

  async abandon(): Promise<void> {
    if (this.#isOver) return
    this.#isOver = true
    this.#admission.release()
    if (this.#reservation === undefined) return
    const { days, log } = this.#tools
    try {
      await days.letGo(this.#reservation)
    } catch (error) {
      // The client gets the error that led here, even when the day's bucket cannot be reached.
      log.warn('limits.return_failed', { error })
    }
  }
}
