import { expect, test } from 'vitest'
import { VERBS } from '../../../src/cli/verbs.ts'
import { fakeServices } from './fake-services.ts'
import { run } from './run.ts'

const { services, calls } = fakeServices()

test.each([
  ['org create', 'required option', 'sluice org create --name <name> (--prepaid | --postpaid)'],
  ['org create --name x', 'Say how it pays: --prepaid or --postpaid.', 'sluice org create --name'],
  [
    'org create --name x --prepaid --postpaid',
    "cannot be used with option '--postpaid'",
    'sluice org create',
  ],
  ['org create --name x --prepaid --rpm 0', 'Use a whole number from 1 to', 'sluice org create'],
  ['org create --name x --prepaid --rmp 5', 'Did you mean --rpm?', 'sluice org create'],
  ['org show', "missing required argument 'id'", 'sluice org show <id>'],
  ['org show a b', 'Too many arguments', 'sluice org show <id>'],
  ['org crate', 'Did you mean create?', 'sluice org --help'],
  ['user create', "Required option '--org <id>' not specified.", 'sluice user create --org <id>'],
  ['user limit usr_1 --enable', "Required option '--daily-usd <usd>'", 'sluice user limit <id>'],
  ['user limit usr_1 --daily-usd 5', 'Say whether the limit holds', 'sluice user limit <id>'],
  ['user limit usr_1 --daily-usd 0.00 --enable', 'must be above 0', 'sluice user limit <id>'],
  ['user limit usr_1 --daily-usd 1e3 --enable', 'such as 5 or 0.25', 'sluice user limit <id>'],
  ['user limit usr_1 --daily-usd -5 --enable', 'such as 5 or 0.25', 'sluice user limit <id>'],
  ['key create --org org_1', "Required option '--user <id>'", 'sluice key create --org <id> --user <id>'],
  ['key revoke', "missing required argument 'id'", 'sluice key revoke <id>'],
  ['credit add --org org_1', "Required option '--usd <usd>'", 'sluice credit add --org <id> --usd <usd>'],
  ['credit add --org org_1 --usd 0', 'Use more than 0 US dollars.', 'sluice credit add'],
  ['credit add --org org_1 --usd 0.000000', 'Use more than 0 US dollars.', 'sluice credit add'],
  ['credit add --org org_1 --usd -5', 'say why money is taken: --note', 'sluice credit add'],
  ['credit add --org org_1 --usd 0.0000001', 'at most 6 decimals', 'sluice credit add'],
  ['credit add --org org_1 --usd 1000000000', 'Use less than 1000000000', 'sluice credit add'],
  ['credit add --org org_1 --usd 5 --usd 6', "Option '--usd <usd>' is given twice.", 'sluice credit add'],
  ['credit show --org org_1 --json --json', "Option '--json' is given twice.", 'sluice credit show'],
  ['credit show --org ', "Option '--org <id>' is empty: an id is missing.", 'sluice credit show'],
  ['org show ', "Argument 'id' is empty: an id is missing.", 'sluice org show <id>'],
  ['credit add --org org_1 --usd 5 --entry 17', 'Use the id that', 'sluice credit add'],
  ['credit show', "Required option '--org <id>'", 'sluice credit show --org <id>'],
  ['ledger refund --note late', "missing required argument 'task id'", 'sluice ledger refund <task id>'],
  ['task show', "missing required argument 'id'", 'sluice task show <id> [--watch]'],
  ['task list --limit 0', 'Use a whole number from 1 to 1000.', 'sluice task list [--org <id>]'],
  ['task list --limit 1001', 'Use a whole number from 1 to 1000.', 'sluice task list [--org <id>]'],
  ['callback list --task', 'argument missing', 'sluice callback list [--task <id>]'],
  ['callback resend', "missing required argument 'task id'", 'sluice callback resend <task id>'],
  ['serve --workers none', 'Use a whole number from 1 to 256.', 'sluice serve [--workers <n>]'],
  ['serve --json', "Unknown option '--json'", 'sluice serve [--workers <n>]'],
  ['ogr', 'Did you mean org?', 'sluice --help'],
  ['--nonsense', "Unknown option '--nonsense'", 'sluice --help'],
])('sluice %s: the error names the mistake and the right form', async (line, fault, form) => {
  const { exitCode, result, notice } = await run(line.split(' '), services)
  expect({ exitCode, result, calls }).toEqual({ exitCode: 2, result: '', calls: [] })
  expect(notice.toLowerCase()).toContain(fault.toLowerCase())
  expect(notice).toContain(form)
  expect(notice).toContain('Right form:')
})

test.each([
  [['org']],
  [['user']],
  [['key']],
  [['credit']],
  [['ledger']],
  [['task']],
  [['callback']],
  [['operator']],
])('%j alone lists its subcommands, as an error', async (words) => {
  const { exitCode, result, notice } = await run(words, services)
  expect({ exitCode, result }).toEqual({ exitCode: 2, result: '' })
  expect(notice).toContain('Commands:')
})

test.each(VERBS.map((verb) => [verb.path, verb] as const))(
  'sluice %s --help shows the usage, an example and the next command',
  async (path, verb) => {
    const { exitCode, result, notice } = await run([...path.split(' '), '--help'], services)
    expect({ exitCode, notice }).toEqual({ exitCode: 0, notice: '' })
    for (const part of [
      `Usage: sluice ${path} ${verb.usage ?? ''}`,
      `Example:\n  ${verb.example}`,
      `Next:\n  ${verb.next}`,
    ]) {
      expect(result).toContain(part)
    }
    expect(result.replaceAll(/\s+/g, ' ')).toContain(verb.summary)
  },
)

test('every usage line names every option', async () => {
  for (const { path } of VERBS) {
    const { result } = await run([...path.split(' '), '--help'], services)
    const [usage = ''] = result.split('\n')
    const options = [...result.matchAll(/^ {2}(--[a-z-]+)/gm)].map(([, option]) => option)
    for (const option of options) expect(usage).toContain(option)
  }
})

test('every example can be parsed', async () => {
  for (const { path, example } of VERBS) {
    const words = [...example.matchAll(/"([^"]*)"|(\S+)/g)]
      .map(([, quoted, bare]) => quoted ?? bare ?? '')
      .slice(1)
    expect(words.join(' ')).toContain(path)
    expect({ example, exitCode: (await run(words, fakeServices().services)).exitCode }).not.toMatchObject({
      exitCode: 2,
    })
  }
})

test('help and version are results', async () => {
  const help = await run(['--help'], services)
  expect(help).toMatchObject({ exitCode: 0, notice: '' })
  for (const word of ['serve', 'org', 'user', 'key', 'doctor', 'migrate', 'First steps:'])
    expect(help.result).toContain(word)
  expect(await run(['help', 'org'], services)).toMatchObject({ exitCode: 0, notice: '' })
  const version = await run(['--version'], services)
  expect(version).toMatchObject({ exitCode: 0, notice: '' })
  expect(version.result).toMatch(/^\d+\.\d+\.\d+\n$/)
})

test.each(['', ...VERBS.map(({ path }) => path)])(
  'every command in "sluice %s --help" can be pasted',
  async (path) => {
    const { result } = await run([...path.split(' ').filter(Boolean), '--help'], services, {
      program: 'npx sluice',
    })
    expect(result.match(/.*(?<!npx )\bsluice (?=[a-z<-]).*/g)).toBeNull()
  },
)

test('the first steps end with a key that has money, and name the port', async () => {
  const { result } = await run(['--help'], services)
  expect(result).toMatch(/org create[\s\S]+credit add[\s\S]+key create[\s\S]+PORT/u)
})
