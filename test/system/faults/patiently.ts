/** Retries a call that waited too long for a connection, which certainly was not served. */
export async function patiently<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  for (;;) {
    try {
      return await ask()
    } catch (error) {
      const cause = String(error instanceof Error && error.cause)
      if (!NO_CONNECTION.some((words) => cause.includes(words))) throw error
    }
  }
}

/** Errors of the pool: no connection was free in time, or a new one took too long to open. */
const NO_CONNECTION = [
  'timeout exceeded when trying to connect',
  'Connection terminated due to connection timeout',
]
