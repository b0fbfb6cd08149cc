import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'

const MODULE = JSON.stringify(new URL('../../../src/process/serve-until-signal.ts', import.meta.url).href)

test('this Node knows the flags', () => {
  const program = `
    const { tuneEngine } = await import(${MODULE})
    tuneEngine()`
  const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', program], {
    encoding: 'utf8',
  })
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
})

test('the young generation stays below the maximum of V8 however many objects live for a while', {
  timeout: 60_000,
}, () => {
  const program = `
    const { boundYoungGeneration } = await import(${MODULE})
    const { getHeapSpaceStatistics } = await import('node:v8')
    boundYoungGeneration()
    let living = []
    const fill = () => {
      for (let made = 0; made < 20_000; made += 1) living.push({ made, pair: [made, made] })
      if (living.length > 60_000) living = living.slice(30_000)
    }
    const young = () => getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space')
    while (young().space_size < 8 * 1024 * 1024) fill()
    await new Promise((resolve) => setTimeout(resolve, 1_500))
    const before = young()
    for (let round = 0; round < 200; round += 1) fill()
    const after = young()
    const capacity = ({ space_available_size: left, space_used_size: used }) => left + used
    console.log(capacity(after) <= capacity(before))`
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', program], {
    encoding: 'utf8',
  })
  expect({ stdout, stderr }).toEqual({ stdout: 'true\n', stderr: '' })
})

test('the young generation may grow again while its collections take much of the time', {
  timeout: 60_000,
}, () => {
  const program = `
    const { boundYoungGeneration } = await import(${MODULE})
    const { getHeapSpaceStatistics, setFlagsFromString } = await import('node:v8')
    const flags = []
    boundYoungGeneration((flag) => {
      flags.push(flag)
      setFlagsFromString(flag)
    })
    const young = () => getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space')
    const living = []
    const endsAt = Date.now() + 30_000
    while (flags.length < 2 && Date.now() < endsAt) {
      const made = Array.from({ length: 2_000 }, (_, at) => ({ at, text: 'text ' + at, parts: [at] }))
      // Objects that live on are copied by one collection after the other.
      if (flags.length === 1 || young().space_size < 8 * 1024 * 1024) living.push(made)
      else living.length = 0
      if (living.length > 200) living.shift()
      await new Promise(setImmediate)
    }
    console.log(flags.join(' '), young().space_size >= 8 * 1024 * 1024)
    process.exit()`
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', program], {
    encoding: 'utf8',
  })
  const expected = '--semi-space-growth-factor=1 --semi-space-growth-factor=2 true\n'
  expect({ stdout, stderr }).toEqual({ stdout: expected, stderr: '' })
})
