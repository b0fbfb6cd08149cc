import type { HeavyJobs } from '@sluice/dialects/body/heavy-jobs'
import { continuedBody, openedValue } from '@sluice/dialects/body/kept-jobs'
import { type OpenValues, openValues } from '../../src/app/text/cache/open-values.ts'
import type { Secrets } from '../../src/ports/secrets.ts'
import type { Threads } from '../../src/ports/threads.ts'

/** Opens kept values on this thread; `ran` gets the names of the jobs that are for another thread. */
export function openAtOnce(secrets: Pick<Secrets, 'decrypt'>, ran: string[] = []): OpenValues {
  const jobs: Pick<HeavyJobs, 'decrypt' | 'continue'> = {
    decrypt(bytes, { boundTo, member }) {
      const text = secrets.decrypt(bytes.toString(), boundTo)
      return text === undefined ? undefined : openedValue(text, member)
    },
    continue(bytes, { boundTo, ...asked }) {
      const text = boundTo === undefined ? bytes.toString() : secrets.decrypt(bytes.toString(), boundTo)
      return text === undefined ? undefined : continuedBody(text, asked)
    },
  }
  const threads = {
    async run(name: 'decrypt' | 'continue', bytes: Buffer, args: never) {
      ran.push(name)
      return { bytes, result: jobs[name](bytes, args) }
    },
  }
  return openValues({ secrets, threads: threads as unknown as Threads<HeavyJobs> })
}
