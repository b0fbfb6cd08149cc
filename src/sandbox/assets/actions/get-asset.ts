import type { Call } from '../answer-call.ts'
import { readAssetId } from '../asset.ts'
import type { AssetDesk } from '../asset-desk.ts'
import { assetObject } from '../asset-object.ts'
import { notFound } from '../call-refused.ts'
import { readProject } from './read-project.ts'

export function getAsset(desk: AssetDesk, { fields, request }: Call): object {
  const id = fields.text('Id', { charactersMax: 2_000 })
  const project = readProject(fields)
  fields.nothingElse()
  const asset = readAssetId(id)
  if (asset === undefined || asset.group.project !== project) throw notFound('asset_id', id)
  // After a restart the lists fill again with what is read.
  if (desk.created.get(id) === undefined) desk.created.set(id, true)
  return assetObject(asset, request)
}
