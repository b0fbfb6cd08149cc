import { AsyncLocalStorage } from 'node:async_hooks'
import { type Context, type ContextManager, ROOT_CONTEXT } from '@opentelemetry/api'

/** Keeps the active span across awaits with AsyncLocalStorage, without a further package. */
export function createAsyncContext(): ContextManager {
  const storage = new AsyncLocalStorage<Context>()
  const manager: ContextManager = {
    active: () => storage.getStore() ?? ROOT_CONTEXT,
    with: (context, work, receiver, ...args) =>
      storage.run(context, () => Reflect.apply(work, receiver, args)),
    bind: (context, target) => bindTo(storage, context, target),
    enable: () => manager,
    disable: () => {
      storage.disable()
      return manager
    },
  }
  return manager
}

function bindTo<T>(storage: AsyncLocalStorage<Context>, context: Context, target: T): T {
  if (typeof target !== 'function') return target
  return new Proxy(target, {
    apply: (work, receiver, args) => storage.run(context, () => Reflect.apply(work, receiver, args)),
  })
}
