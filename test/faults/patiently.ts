/** More callers than connections: those that waited too long for one were surely not served, and come again. */
export async function patiently<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  for (;;) {
    try {
      return await ask()
    } catch (error) {
      if (!String(error instanceof Error && error.cause).includes(NO_CONNECTION)) throw error
    }
  }
}

const NO_CONNECTION = 'timeout exceeded when trying to connect'
