import { expect, test } from 'vitest'
import { createSecrets } from '../../../src/adapters/system/secrets.ts'
import { encryptRequest, encryptTicket, openRequest } from '../../../src/app/video/encrypted.ts'
import { reportAttempts } from '../../../src/app/video/task-report.ts'
import type { VideoRequest } from '../../../src/domain/video/request.ts'
import { sampleHold } from '../store/sample-money.ts'
import { HELD, sampleMove, sampleTask } from '../store/sample-task.ts'
import { makeTenant } from '../video-work/tenant.ts'
import { describeSecretScenarios, NEW, OLD } from './open-secret-scenario.ts'

const ID = 'task_1'

const REQUEST: VideoRequest = {
  ...{ model: 'vendorA/gen-2.0', taskType: undefined, durationSeconds: 5, ratio: undefined },
  ...{ resolution: undefined, seed: undefined, framesPerSecond: undefined, generateAudio: undefined },
  ...{ draft: undefined, serviceTier: undefined, executionExpiresAfterSeconds: undefined },
  items: [{ kind: 'text', text: 'a cat', role: undefined, index: 0 }],
  ...{ callbackUrl: undefined, metadata: '{}' },
}

describeSecretScenarios('a change of the secret with a task that was handed over', ({ lent, scenario }) => {
  test('the tickets of its attempts and its stored request can be read with the new secret alone', async () => {
    const old = await scenario().start(OLD)
    const { tasks } = lent().store
    await makeTenant(lent().store, old.secrets)
    const nowMs = scenario().clock.nowMs()
    const task = sampleTask({
      ...{
        createdAtMs: nowMs,
        expiresAtMs: nowMs + 3_600_000,
        encryptedCallbackUrl: null,
        owesCallback: false,
      },
      standIns: ['vendorB/gen-v4-std', 'vendorA/gen-2.0-fast'],
      encryptedRequest: encryptRequest(REQUEST, ID, old.secrets),
    })
    const hold = sampleHold({ id: 'hold_1', taskId: ID, amount: HELD, expiresAtMs: nowMs + 7_200_000 })
    expect(await tasks.begin({ task, hold, idempotency: undefined })).toMatchObject({ kind: 'begun' })
    await tasks.accept({
      ...{ move: sampleMove('queued'), nextPollAtMs: nowMs },
      encryptedTicket: encryptTicket('cgt-1', ID, old.secrets),
    })
    await tasks.handOver({
      task: (await tasks.findForOperator(ID)) ?? expect.fail('no task'),
      ...{ sentAtMs: nowMs, atMs: nowMs },
      ended: { state: 'failed', reason: 'generation_failed', message: 'No.', vendorCostMicros: null },
      next: {
        ...{ provider: 'vendorB', model: 'vendorB/gen-v4-std', standIns: ['vendorA/gen-2.0-fast'] },
        ...{ noticeTokenDigest: null, sentAtMs: nowMs, nextPollAtMs: nowMs },
      },
    })
    await tasks.accept({
      ...{ move: sampleMove('queued', { attempt: 2 }), nextPollAtMs: nowMs },
      encryptedTicket: encryptTicket('job-2', ID, old.secrets),
    })

    const both = await scenario().start(NEW, OLD)
    // The webhook secret of the organization, two columns of the task, and the ticket of its first attempt.
    expect(await both.rotate({}, true)).toMatchObject({ switched: true, encryptedAgain: 4, ended: true })

    const alone = createSecrets(NEW)
    const after = (await tasks.findForOperator(ID)) ?? expect.fail('no task')
    const attempts = reportAttempts(after, await tasks.listAttempts(ID), alone)
    expect(attempts.map(({ number, ticket }) => [number, ticket])).toEqual([
      [1, 'cgt-1'],
      [2, 'job-2'],
    ])
    const kept = (await tasks.findRequest(ID)) ?? expect.fail('no request is kept')
    expect(openRequest(kept, ID, alone)).toEqual(REQUEST)
    expect(openRequest(kept, ID, createSecrets(OLD))).toBeUndefined()
  })
})
