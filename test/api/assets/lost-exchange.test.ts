import { expect, onTestFinished, test } from 'vitest'
import { startVideoApi } from '../video/start-video-api.ts'
import { assetClientOf, CALLBACK_URL, visit } from './call-assets.ts'

test('a verification whose process died during the exchange fails, and the person can verify again', async () => {
  let asked = 0
  const api = await startVideoApi({
    assetPatienceMs: 300,
    assetDriver: (driver) => ({
      ...driver,
      exchange: (token) => {
        asked += 1
        return driver.exchange(token, 'org_1')
      },
    }),
    around: (store) => ({
      ...store,
      verifications: {
        ...store.verifications,
        // Another process has the claim, and will never use it.
        async claimExchange(claim) {
          await store.verifications.claimExchange(claim)
          return false
        },
      },
    }),
  })
  onTestFinished(() => api.close())
  const client = assetClientOf(api, api.tenant)
  const back = await client.scan()
  const location = `${CALLBACK_URL}&resultCode=exchange_failed`
  expect(await visit(back)).toMatchObject({ status: 302, location })
  expect(await visit(back)).toMatchObject({ status: 302, location })
  expect(asked).toBe(0)
  // A new session can start.
  expect(await client.startSession()).toMatchObject({ status: 200 })
})
