import { defineConfig } from 'vitest/config'

/** Kept apart from `npm test`, because the clients are large and come from the network. */
export default defineConfig({
  test: {
    include: ['test/sdk-compat/agents/*-story.ts'],
    environment: 'node',
    pool: 'forks',
    maxWorkers: 1,
    globalSetup: ['test/sdk-compat/agents/install-clients.ts'],
    testTimeout: 120_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 10_000, interval: 50 } },
  },
})
