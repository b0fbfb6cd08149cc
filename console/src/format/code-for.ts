import type { Sdk } from './dialects.ts'

export interface Sent {
  url: string
  /** Left out: the program calls the HTTP API without an SDK. */
  sdk?: Sdk
  headers: Record<string, string>
  body: Record<string, unknown>
}

export const LANGUAGES_OF_CODE = ['curl', 'TypeScript', 'Python'] as const
export type CodeLanguage = (typeof LANGUAGES_OF_CODE)[number]

/** Code of a program that sends the same request. It reads the key from the environment and never contains it. */
export function codeFor(language: CodeLanguage, { url, headers, body, sdk }: Sent): string {
  if (sdk !== undefined && language !== 'curl') return sdkCode(language, sdk, { url, headers, body })
  const all = Object.entries({ ...headers, 'content-type': 'application/json' })
  if (language === 'curl') {
    const flags = all.map(([name, value]) => `  -H "${name}: ${value.replace(KEY, '$SLUICE_API_KEY')}" \\\n`)
    const text = JSON.stringify(body).replaceAll("'", "'\\''")
    return `curl -N ${url} \\\n${flags.join('')}  -d '${text}'`
  }
  const json = JSON.stringify(body, null, 2)
  if (language === 'TypeScript') {
    const lines = all.map(
      ([name, value]) => `    '${name}': ${withKey(value, '`', '$' + '{process.env.SLUICE_API_KEY}')},`,
    )
    return `const reply = await fetch('${url}', {
  method: 'POST',
  headers: {
${lines.join('\n')}
  },
  body: JSON.stringify(${json}),
})
for await (const bytes of reply.body!) process.stdout.write(bytes)`
  }
  const lines = all.map(
    ([name, value]) => `    "${name}": ${withKey(value, '"', "{os.environ['SLUICE_API_KEY']}")},`,
  )
  return `import json, os, urllib.request

body = json.loads(r'''${json.replaceAll("'''", '\\u0027\\u0027\\u0027')}''')
request = urllib.request.Request("${url}", json.dumps(body).encode(), {
${lines.join('\n')}
})
with urllib.request.urlopen(request) as reply:
    for line in reply:
        print(line.decode(), end="")`
}

/** Placeholder of the key where a request is shown. */
export const KEY = 'SLUICE_API_KEY'

function withKey(value: string, quote: string, key: string): string {
  if (!value.includes(KEY)) return `${quote === '`' ? "'" : quote}${value}${quote === '`' ? "'" : quote}`
  return `${quote === '"' ? 'f' : ''}${quote}${value.replace(KEY, key)}${quote}`
}

function sdkCode(language: 'TypeScript' | 'Python', sdk: Sdk, { url, body }: Sent): string {
  const address = `${new URL(url).origin}${sdk.base}`
  const isStream = body.stream === true
  if (language === 'TypeScript')
    return `import ${sdk.name} from '${sdk.javaScript}'

const client = new ${sdk.name}({ baseURL: '${address}', apiKey: process.env.SLUICE_API_KEY })
const reply = await client.${sdk.call}(${JSON.stringify(body, null, 2)})
${isStream ? 'for await (const event of reply) console.log(event)' : 'console.log(reply)'}`
  const members = Object.entries(body).map(([name, value]) => `    ${name}=${pythonText(value, 1)},`)
  return `import os
from ${sdk.python} import ${sdk.name}

client = ${sdk.name}(base_url="${address}", api_key=os.environ["SLUICE_API_KEY"])
reply = client.${sdk.call}(
${members.join('\n')}
)
${isStream ? 'for event in reply:\n    print(event)' : 'print(reply)'}`
}

/** Writes JSON as Python, which differs only in three words. */
function pythonText(value: unknown, depth: number): string {
  if (value === true) return 'True'
  if (value === false) return 'False'
  if (value === null) return 'None'
  if (typeof value !== 'object') return JSON.stringify(value)
  const [space, end] = ['    '.repeat(depth + 1), '    '.repeat(depth)]
  const items = Array.isArray(value)
    ? value.map((item) => pythonText(item, depth + 1))
    : Object.entries(Object(value)).map(
        ([name, item]) => `${JSON.stringify(name)}: ${pythonText(item, depth + 1)}`,
      )
  const [open, close] = Array.isArray(value) ? '[]' : '{}'
  return `${open}\n${items.map((item) => `${space}${item},\n`).join('')}${end}${close}`
}
