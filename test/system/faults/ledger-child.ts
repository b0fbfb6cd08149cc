import { sampleCost, sampleHold } from '../../engines/store/sample-money.ts'
import { MORNING_MS } from '../../engines/store/sample-rows.ts'
import { SILENT_LOG } from '../../engines/store/silent-log.ts'
import { loadPart } from '../bundle/load-part.ts'

/**
 * Holds and settles without end on `org_1`, to be killed: `node ledger-child.ts <folder> <prefix of ids>`.
 * Prints `<hold id> <charge>` for every settlement that was acknowledged, and only for those.
 */
const [dataDir = '', prefix = ''] = process.argv.slice(2)
const LANES = 16

const { openSqliteStore } = await loadPart('sqlite-store')
const store = await openSqliteStore({ dataDir, role: 'server', log: SILENT_LOG })
process.stdout.write('open\n')
await Promise.all(Array.from({ length: LANES }, (_, lane) => settleForEver(lane)))

async function settleForEver(lane: number): Promise<never> {
  for (let number = 0; ; number += 1) {
    const id = `${prefix}_${lane}_${number}`
    await store.ledger.hold(sampleHold({ id, userId: `usr_${lane % 3}`, amount: 100 }))
    const settlement = await store.ledger.settle({
      holdId: id,
      entryId: `ent_${id}`,
      cost: sampleCost(1 + (number % 150)),
      atMs: MORNING_MS,
    })
    process.stdout.write(`${id} ${settlement?.chargedMicros}\n`)
  }
}
