import type { Operation } from '../../operation.ts'

/** Groups of the reference, in reading order. */
export const GROUPS = {
  Video:
    'Tasks that make videos: create one, watch it, cancel it. The models form two families with rules of their own: family A are the models of vendorA (`vendorA/gen-2.0`, `vendorA/gen-2.0-fast`), family B those of vendorB (`vendorB/gen-v4-std`, `vendorB/gen-v4-fast`, `vendorB/gen-v3`). Where this page says "family", the first part of your model id decides.',
  Assets: 'Media files and verified people that videos can refer to.',
  Text: 'Text models, and the catalog of every model.',
  Admin: 'For the operator: refreshes what the gateway has cached.',
  Service: 'Health, figures and this reference. No key is needed.',
} as const

export type Group = keyof typeof GROUPS

export function groupOf({ area, access, path }: Operation): Group {
  if (area === 'admin') return 'Admin'
  if (access === 'open') return 'Service'
  if (area !== 'video') return 'Text'
  return path.startsWith('/v1/video/assets') ? 'Assets' : 'Video'
}

/** Version of the API in its paths, which is independent of the version of the program. */
export const API_VERSION = 'v1'
