import { Pool } from 'undici'

export interface SteadyClients {
  answered(): number
  /** What did not come back as 200. */
  failures: readonly unknown[]
  /** No further requests; resolves when the running ones are answered. */
  stop(): Promise<void>
}

/** Clients as behind a load balancer: each calls as fast as it is answered, on a connection of its own, until stopped. */
export function steadyClients({
  baseUrl,
  key,
  count,
}: {
  baseUrl: string
  key: string
  count: number
}): SteadyClients {
  let stopped = false
  let answered = 0
  const failures: unknown[] = []
  const clients = Array.from({ length: count }, async () => {
    const pool = new Pool(baseUrl, { connections: 1 })
    while (!stopped) {
      try {
        const headers = { authorization: `Bearer ${key}` }
        const { statusCode, body } = await pool.request({ path: '/v1/models', method: 'GET', headers })
        await body.dump()
        if (statusCode === 200) answered++
        else failures.push(statusCode)
      } catch (error) {
        failures.push(error)
      }
    }
    await pool.close()
  })
  return {
    answered: () => answered,
    failures,
    async stop() {
      stopped = true
      await Promise.all(clients)
    },
  }
}
