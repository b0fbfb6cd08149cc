import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { checkedLookup } from '../../../src/adapters/outbound/checked-lookup.ts'
import { createAddressCheck } from '../../../src/domain/addresses/address-check.ts'
import { startUpstreamScenario, type UpstreamScenario, WHOLE } from './harness/upstream-scenario.ts'

describe.each(['lean', 'undici'] as const)('names of vendors that %s speaks to', (client) => {
  let scenario: UpstreamScenario

  beforeEach(async () => {
    scenario = await startUpstreamScenario(client)
  })
  afterEach(() => scenario.close())

  const ask = (allow: readonly string[]) =>
    scenario
      .open({
        baseUrl: `http://localhost:${scenario.proxy.port}`,
        lookup: checkedLookup(createAddressCheck({ allow })),
      })
      .request(WHOLE)

  it('a name that leads to a local address is refused at the connect step, unless the address is allowed', async () => {
    await expect(ask([])).rejects.toMatchObject({ taken: 'no' })
    expect(scenario.requests).toEqual([])
    expect((await ask(['127.0.0.0/8'])).status).toBe(200)
  })
})
