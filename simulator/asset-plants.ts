import type { Store } from '../src/ports/store.ts'
import type { Plant } from './parts/replica.ts'

/** Bugs like those in `plants.ts`, of assets and verified people. */
export const ASSET_PLANTS: Readonly<Record<string, () => Plant>> = {
  'assets-of-all': () => {
    const organizations = new Map<string, string>()
    return assetsAs((assets) => ({
      ...assets,
      create(asset, act) {
        organizations.set(asset.id, asset.organizationId)
        return assets.create(asset, act)
      },
      async findAll({ ids, organizationId }) {
        const found = await Promise.all(
          ids.map((id) =>
            assets.findAll({ ids: [id], organizationId: organizations.get(id) ?? organizationId }),
          ),
        )
        return found.flat()
      },
    }))
  },
  'erasure-forgotten': () => ({
    store: (store) => ({
      ...store,
      erasures: {
        ...store.erasures,
        eraseGroup: async ({ groupId }) => ({
          ...{ groupId, provider: 'vendorA', groupTicket: '', assets: [] },
          ...{ isShared: true, isQueued: true },
        }),
      },
    }),
  }),
  'copies-kept': () => ({
    store: (store) => ({
      ...store,
      erasures: {
        ...store.erasures,
        eraseGroup: (group, audit) => store.erasures.eraseGroup(group, audit, []),
        revokeConsent: (revocation) => store.erasures.revokeConsent({ ...revocation, removers: [] }),
      },
    }),
  }),
}

function assetsAs(change: (assets: Store['assets']) => Store['assets']): Plant {
  return { store: (store) => ({ ...store, assets: change(store.assets) }) }
}
