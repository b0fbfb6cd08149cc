import type { StoredAsset } from '../src/ports/asset-store.ts'
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
  /** Assets are cached when they become active, and their groups are not checked again. */
  'erased-asset-used': () => {
    const active = new Map<string, StoredAsset>()
    return {
      store: (store) => ({
        ...store,
        assets: {
          ...store.assets,
          async move(move) {
            const moved = await store.assets.move(move)
            if (moved?.status === 'active') active.set(moved.id, moved)
            return moved
          },
          async findAll({ ids, organizationId }) {
            const found = await store.assets.findAll({ ids, organizationId })
            const known = new Set(found.map(({ id }) => id))
            const remembered = ids.flatMap((id) => (known.has(id) ? [] : (active.get(id) ?? [])))
            return [...found, ...remembered.filter((asset) => asset.organizationId === organizationId)]
          },
        },
        tasks: {
          ...store.tasks,
          async begin(work) {
            const begun = await store.tasks.begin(work)
            return begun.kind === 'group-gone' ? store.tasks.begin({ ...work, groupIds: [] }) : begun
          },
        },
      }),
    }
  },
  'erasure-forgotten': () => ({
    store: (store) => ({
      ...store,
      erasures: {
        ...store.erasures,
        eraseGroup: async ({ groupId }) => ({
          ...{ groupId, provider: 'vendorA', groupTicket: '', assets: [] },
          ...{ isShared: true, isQueued: true, files: [] },
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
        revokeConsent: (revocation) =>
          store.erasures.revokeConsent({ ...revocation, deletableProviders: [] }),
      },
    }),
  }),
}

function assetsAs(change: (assets: Store['assets']) => Store['assets']): Plant {
  return { store: (store) => ({ ...store, assets: change(store.assets) }) }
}
