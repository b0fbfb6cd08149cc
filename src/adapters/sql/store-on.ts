import { ApiError } from '../../domain/api-error.ts'
import type { Store } from '../../ports/store.ts'
import type { Engine, StoreOperation } from './engine.ts'
import type { AnyStatement, StatementKind } from './statement.ts'
import { firstName, type Ports, STATEMENTS } from './statements.ts'

type Method = (...args: unknown[]) => Promise<unknown>

/**
 * Creates the ports on an engine. Each method runs a statement from the table of its port. A store that
 * closes refuses new calls and finishes the running ones.
 */
export function storeOn(engine: Engine): Store {
  const { promise: idle, resolve: becomeIdle } = Promise.withResolvers<void>()
  let running = 0
  let closing: Promise<void> | undefined

  function run(how: StatementKind, operation: StoreOperation, args: readonly unknown[]): Promise<unknown> {
    return closing === undefined ? count(engine[how](operation, args)) : Promise.reject(closed())
  }

  function count<Result>(result: Promise<Result>): Promise<Result> {
    running += 1
    result.then(end, end)
    return result
  }

  function end(): void {
    running -= 1
    if (running === 0 && closing !== undefined) becomeIdle()
  }

  async function finish(): Promise<void> {
    if (running > 0) await idle
    await engine.close()
  }

  function methodOf(name: string, { run: sql, how, first }: AnyStatement): Method {
    const operation = { name, run: sql as StoreOperation['run'] }
    const alone: Method =
      typeof how === 'string'
        ? (...args) => run(how, operation, args)
        : (...args) => run(how(...(args as never[])), operation, args)
    if (first === undefined) return alone
    const before = methodOf(firstName(name), first)
    return async (...args) => (await before(...args)) ?? alone(...args)
  }

  const ports = mapValues(STATEMENTS, (table: Record<string, AnyStatement>, port) =>
    mapValues(table, (statement, method) => methodOf(`${port}.${method}`, statement)),
  )
  return {
    // `statements.ts` checks the tables against the ports.
    ...(ports as unknown as Ports),
    ping: () => (closing === undefined ? count(engine.ping()) : Promise.reject(closed())),
    close: () => {
      closing ??= finish()
      return closing
    },
  }
}

function mapValues<Value, Mapped>(
  values: Record<string, Value>,
  map: (value: Value, name: string) => Mapped,
): Record<string, Mapped> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, map(value, name)]))
}

function closed(): ApiError {
  return new ApiError('store_unavailable', { cause: new Error('the store is closed') })
}
