import { ApiError } from '../../domain/api-error.ts'
import type { Pause } from '../../ports/clock.ts'
import type { DemoStore } from '../../ports/demo.ts'
import { type AuditTools, draftAudit } from '../draft-audit.ts'
import type { Operator } from '../operator.ts'

/** Maximum attempts to delete the rows: gateways return the money of disabled customers within seconds. */
const LOOKS = 20
const LOOK_EVERY_MS = 1_000

/** Disables the customers of the demo, waits until no gateway spends money of theirs, and deletes all their rows. */
export function removeDemo(
  input: AuditTools & { demo: DemoStore; pause: Pause } & Pick<Operator, 'disableOrganization'>,
): Operator['removeDemo'] {
  const { demo, disableOrganization, pause, ...tools } = input
  return async () => {
    const organizationIds = await demo.listOrganizations()
    if (organizationIds.length === 0)
      throw new ApiError('not_found', { message: 'There is no demo to remove.' })
    for (const id of organizationIds) await disableOrganization(id)
    const act = { action: 'demo.remove', organizationId: null, subject: 'demo', detail: {} }
    for (let look = 0; look < LOOKS; look += 1) {
      if (await demo.remove({ nowMs: tools.clock.nowMs() }, draftAudit(act, tools)))
        return { organizationIds }
      await pause(LOOK_EVERY_MS)
    }
    throw new ApiError('overloaded', {
      message: 'Requests of the demo still run. Its customers are disabled; try again in a minute.',
    })
  }
}
