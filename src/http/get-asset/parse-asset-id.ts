import { readMember } from '../read-member.ts'

/** The id in the path, whatever it is: one that cannot be is as unknown as one that is not there. */
export function parseAssetId(params: unknown): string {
  return String(readMember(params, 'asset_id'))
}
