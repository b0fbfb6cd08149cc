/** `npm test` is to be quick and samples; `npm run test:all` tries everything. */
export function isFullRun(): boolean {
  return process.env.TEST_RUNS === 'all'
}
