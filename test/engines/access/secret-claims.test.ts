import { expect, test } from 'vitest'
import { DAY_MS, describeSecretScenarios, NEW, OLD, type SecretReplica } from './open-secret-scenario.ts'

describeSecretScenarios('claims in a change of the secret', ({ scenario }) => {
  const wanted = ({ secrets }: SecretReplica, key = 'order 66') => {
    const digest = secrets.digest(key)
    const others = secrets.digests(key).filter((other) => other !== digest)
    const claim = (of: string) => ({ keyDigest: of, bodyDigest: `body ${of}` })
    return {
      ...{ keyId: 'key_1', ...claim(digest) },
      ...(others.length > 0 && { others: others.map(claim) }),
    }
  }

  test('an Idempotency-Key is claimed once, under any secret of the replicas', async () => {
    const first = await scenario().start(OLD)
    expect(await first.claims.claim(wanted(first, 'before'))).toMatchObject({ kind: 'claimed' })
    const [both, lagging] = [await scenario().start(NEW, OLD), await scenario().start(NEW, OLD)]
    await both.rotate()
    for (const replica of [both, lagging]) {
      expect(await replica.claims.claim(wanted(replica, 'before'))).toMatchObject({ kind: 'running' })
      const other = { ...wanted(replica, 'before'), bodyDigest: 'other' }
      const others = other.others?.map((one) => ({ ...one, bodyDigest: 'other' }))
      expect(await replica.claims.claim({ ...other, others })).toMatchObject({ kind: 'other-body' })
    }
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, turn) => {
        // Each turn has a new replica without anything in memory, so the store decides.
        const replica = scenario().replicaOf(turn % 2 === 0 ? both.secrets : lagging.secrets)
        return replica.claims.claim(wanted(replica))
      }),
    )
    expect(answers.filter(({ kind }) => kind === 'claimed')).toHaveLength(1)
    expect(answers.filter(({ kind }) => kind === 'running')).toHaveLength(19)
    // A claim whose process died is free for the next request, also under the other secret.
    scenario().clock.pass(31_000)
    expect(await both.claims.claim(wanted(both, 'before'))).toMatchObject({ kind: 'claimed' })

    expect((await both.rotate()).needs).toMatchObject([{ of: 'request_claims' }])
    scenario().clock.pass(DAY_MS + 120_000)
    expect(await both.rotate()).toMatchObject({ ended: true, needs: [] })
  })

  test('an admin request is carried out once, and its answer is read under both secrets', async () => {
    const old = await scenario().start(OLD)
    const request = { actor: 'admin key', key: 'k', bodyDigest: 'b' }
    let runs = 0
    const run = async () => ({ run: ++runs })
    expect(await old.oncePerKey(request, run)).toEqual({ run: 1 })
    const [both, lagging] = [await scenario().start(NEW, OLD), await scenario().start(NEW, OLD)]
    await both.rotate()
    for (const replica of [both, lagging]) {
      expect(await replica.oncePerKey(request, run)).toEqual({ run: 1 })
      await expect(replica.oncePerKey({ ...request, bodyDigest: 'c' }, run)).rejects.toMatchObject({
        code: 'idempotency_key_reused',
      })
    }
    expect((await both.rotate()).needs).toMatchObject([{ of: 'admin_request_claims', rows: 1 }])
  })
})
