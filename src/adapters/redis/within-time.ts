/** How long a connection or an answer may take before Redis counts as away. */
export const ANSWER_TIMEOUT_MS = 1_000

/** The answer, or a rejection when it takes too long; `onTimeout` may then do something about the connection. */
export function withinTime<T>(answer: Promise<T>, onTimeout: () => void = () => {}): Promise<T> {
  return new Promise((resolve, reject) => {
    let isAnswered = false
    const giveUp = () => {
      if (isAnswered) return
      reject(new Error(`Redis did not answer within ${ANSWER_TIMEOUT_MS} ms.`))
      onTimeout()
    }
    // After a long busy stretch Node runs timers before it reads sockets: the answer may have arrived, so read it first.
    const timer = setTimeout(() => setImmediate(giveUp), ANSWER_TIMEOUT_MS)
    answer.then(resolve, reject).finally(() => {
      isAnswered = true
      clearTimeout(timer)
    })
  })
}
