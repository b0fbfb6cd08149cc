import { fileURLToPath } from 'node:url'

/** For `SLUICE_CONFIG`, together with `SANDBOX=on`: keeps a developer's own `sluice.yaml` out of the tests. */
export const NO_PROVIDERS = fileURLToPath(new URL('./fixtures/no-providers.yaml', import.meta.url))
