/** Files that break a rule, and the report of the rule, by the name of the rule. */
export type Plants = Record<string, [name: string, files: Record<string, string>, report: RegExp][]>

export const PLANTED_WORDS: Plants = {
  'words are plain': [
    ['no component as its subject', { 'README.md': `\n${'No'}body waits.\n` }, /README\.md:2: "No/],
    [
      'across two lines',
      { 'sandbox/x.test.ts': `/**\n * It is under\n * ${'way'}.\n */\n` },
      /x\.test\.ts:2: .*running/,
    ],
    ['in a comment', { 'sandbox/x.test.ts': `// ${'who'}ever asks\n` }, /x\.test\.ts:1/],
    ['in a message', { 'sandbox/x.test.ts': `test('the store is ${'aw'}ay', () => {})\n` }, /unreachable/],
  ],
  'comments have a subject': [
    [
      'a doc comment',
      { 'reliability/run.ts': `\n/** ${'What'} it is. */\nexport const a = 1\n` },
      /run\.ts:2: begins with "What"/,
    ],
    [
      'a line comment',
      { 'reliability/run.ts': `// ${'Of'} one.\nexport const a = 1\n` },
      /run\.ts:1: begins with "Of"/,
    ],
    ['behind code', { 'reliability/run.ts': `export const a = 1 // ${'The same'} again\n` }, /run\.ts:1/],
  ],
  'type names are unique': [
    [
      'in two files of the program',
      {
        'src/app/claim.ts': 'interface Claim {}\n',
        'packages/x/src/claim.ts': 'export type Claim = 1\n',
      },
      /src\/app\/claim\.ts: Claim is also in packages\/x\/src\/claim\.ts/,
    ],
  ],
}
