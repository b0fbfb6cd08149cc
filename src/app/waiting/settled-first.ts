/**
 * What the promise brings, or undefined when the signal is aborted before. Not `Promise.race`: that would leave a
 * reaction behind on a signal that lives as long as the process.
 */
export function settledFirst<T>(promise: Promise<T>, signal: AbortSignal): Promise<T | undefined> {
  const first = Promise.withResolvers<T | undefined>()
  const onAbort = () => first.resolve(undefined)
  if (signal.aborted) onAbort()
  else signal.addEventListener('abort', onAbort, { once: true })
  promise.then(first.resolve, first.reject).finally(() => signal.removeEventListener('abort', onAbort))
  return first.promise
}
