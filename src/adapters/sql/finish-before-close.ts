import { ApiError } from '../../domain/api-error.ts'
import type { Engine } from './engine.ts'

/** Once it is being closed an engine takes nothing new, and what it has taken is finished first. */
export function finishBeforeClose(engine: Engine): Engine {
  const running = new Set<Promise<unknown>>()
  let closing: Promise<void> | undefined

  function start<Result>(operation: () => Promise<Result>): Promise<Result> {
    if (closing !== undefined) return Promise.reject(closed())
    const result = operation()
    const forget = () => running.delete(result)
    running.add(result)
    result.then(forget, forget)
    return result
  }

  async function finish(): Promise<void> {
    await Promise.allSettled(running)
    await engine.close()
  }

  return {
    read: (name, args) => start(() => engine.read(name, args)),
    readLong: (name, args) => start(() => engine.readLong(name, args)),
    write: (name, args) => start(() => engine.write(name, args)),
    report: (name, args) => start(() => engine.report(name, args)),
    ping: () => start(() => engine.ping()),
    close: () => {
      closing ??= finish()
      return closing
    },
  }
}

function closed(): ApiError {
  return new ApiError('store_unavailable', { cause: new Error('the store is closed') })
}
