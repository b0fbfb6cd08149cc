import type { OperatorPageStore } from '../../ports/operator-pages.ts'
import type { Secrets } from '../../ports/secrets.ts'
import type { OperatorPages } from '../operator.ts'
import { callbackUrlOf } from '../video/encrypted.ts'

interface AttemptSources {
  operatorPages: OperatorPageStore
  secrets: Secrets
}

/** Shows only the host of an address, because the rest may contain a client's secret. */
export function listAttempts({ operatorPages, secrets }: AttemptSources): OperatorPages['attempts'] {
  return async (query) => {
    const attempts = await operatorPages.attempts(query)
    return attempts.map((attempt) => {
      const { taskId: id, encryptedCallbackUrl } = attempt
      const url = callbackUrlOf({ id, encryptedCallbackUrl }, secrets)
      return { ...attempt, host: URL.parse(url ?? '')?.host ?? null }
    })
  }
}
