// Builds the web console after an install. A deployment without development packages has no builder: there it stays unbuilt,
// the gateway works without it, and /console says what to run.
import { createRequire } from 'node:module'

const [major] = process.versions.node.split('.')
if (Number(major) < 24 || !hasVite()) {
  console.log(
    'The console was not built: it needs the development packages and Node 24. Run "npm run console" with them.',
  )
} else {
  const { buildConsole } = await import('../console/build.ts')
  await buildConsole({ isTypesOnly: process.argv.includes('--types') })
}

function hasVite() {
  try {
    createRequire(new URL('../console/package.json', import.meta.url)).resolve('vite')
    return true
  } catch {
    return false
  }
}
