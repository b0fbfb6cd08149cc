import { expect, it, onTestFinished } from 'vitest'
import { PATH, startAssetStandIn } from '../assets/asset-stand-in.ts'

it.each([
  ['DeleteAsset', 'deleteAsset'],
  ['DeleteAssetGroup', 'deleteGroup'],
] as const)(
  '%s: an empty result and a 404 count as removed, anything else is asked again',
  async (action, method) => {
    const vendor = await startAssetStandIn()
    onTestFinished(() => vendor.scenario.close())
    const answerError = (status: number, Code: string) =>
      vendor.answer(status, { ResponseMetadata: { Error: { Code, Message: 'no' } } })
    const remove = () => vendor.open()[method]('ticket-1', 'org_1')
    vendor.answer(200, { ResponseMetadata: { RequestId: '0217ab' }, Result: {} })
    expect(await remove()).toEqual({ kind: 'removed' })
    answerError(404, 'NotFound.asset_id')
    expect(await remove()).toEqual({ kind: 'removed' })
    for (const status of [400, 429, 500]) {
      answerError(status, 'AccessDenied')
      expect(await remove()).toMatchObject({ kind: 'unanswered' })
    }
    expect(vendor.scenario.requests[0]).toBe(`POST ${PATH}${action}&Version=2024-01-01`)
    expect(vendor.bodies[0]).toEqual({ Id: 'ticket-1', ProjectName: 'project-1' })
    expect(vendor.faults).toEqual([])
  },
)
