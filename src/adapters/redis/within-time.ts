/** Time limit of a connection or a reply, after which Redis counts as unreachable. */
export const ANSWER_TIMEOUT_MS = 1_000

/** Rejects when the reply takes too long. `onTimeout` may then replace the connection. */
export function withinTime<T>(answer: Promise<T>, onTimeout: () => void = () => {}): Promise<T> {
  return new Promise((resolve, reject) => {
    let isAnswered = false
    const giveUp = () => {
      if (isAnswered) return
      reject(new Error(`Redis did not answer within ${ANSWER_TIMEOUT_MS} ms.`))
      onTimeout()
    }
    // After a long block Node runs timers before it reads sockets, where the reply may already be.
    const timer = setTimeout(() => setImmediate(giveUp), ANSWER_TIMEOUT_MS)
    answer.then(resolve, reject).finally(() => {
      isAnswered = true
      clearTimeout(timer)
    })
  })
}
